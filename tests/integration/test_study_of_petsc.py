"""``streamgage program --petsc`` with Debian's PETSc, real and small: direct, server, import.

Figures mean nothing here: tests may share the machine. The server's shared memory came after
Debian's PETSc; what there is to refuse about it is in tests/unit/test_petsc.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from programs import one_sentence, streamgage

pytestmark = pytest.mark.needs("mpiexec.openmpi")
SMALL = ("--ranks", "1,2", "--refine", "1", "--size", "2MB", "--rounds", "2", "--petsc", "3.18")
EVENTS = ["PCSetUp", "KSPSolve", "MatMult", "PCApply"]


def studied(folder: Path, engine: Path, *words: str, status: int = 0) -> dict[str, Any]:
    run = streamgage(
        "program", "--petsc", *SMALL, "--format", "json", *words, folder=folder, engine=engine
    )
    assert run.returncode == status, run.stderr
    assert "Traceback" not in run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def test_the_solve_and_its_server_beside_stream_and_the_same_imported(
    tmp_path: Path, engine: Path
) -> None:
    document = studied(tmp_path, engine, "--server", "--assembly", "threads")
    assert [each["name"] for each in document["cases"]] == ["direct", "server scatter"]
    names = [(each["case"], each["name"]) for each in document["phases"]]
    assert names == [(case, e) for case in ("direct", "server scatter") for e in EVENTS]
    assert (document["headline"], document["launcher"]) == ("KSPSolve", "openmpi")
    direct, served = (each for each in document["phases"] if each["name"] == document["headline"])
    assert [each["n"] for each in direct["points"]] == [1, 2]
    (point,) = served["points"]
    assert point["n"] == 2 and point["over_first"]["value"] > 0 and point["speedup"] is not None
    solver = document["solver"]
    assert solver["petsc"].startswith("3.18.") and solver["mpi"].startswith("Open MPI")
    assert (solver["debug"], solver["unknowns"]) == (False, 13**3)
    # Tests share the machine, so that other load may be among them.
    assert "solver-in-cache" in [each["code"] for each in document["findings"]]
    programs = [each for each in document["runs"] if each["what"] == "program"]
    assert len(programs) == 2 * 3 and all(0 < each["residual"] < 1e-3 for each in programs)

    given = streamgage(
        "results", "export", "last", "--files", "out", folder=tmp_path, engine=engine
    )
    assert given.returncode == 0, given.stderr
    folder = tmp_path / "out" / "run-1"
    assert (folder / programs[0]["kept"]).is_file()
    first_lines = [each.read_text("utf-8").splitlines()[0] for each in folder.glob("server*.txt")]
    threads = [json.loads(each)["threads"] for each in first_lines]
    assert threads == [2, 2], "the other rank waits while the first assembles"
    again = streamgage(
        "program", "--import", str(folder), "--format", "json", folder=tmp_path, engine=engine
    )
    assert again.returncode == 0, again.stderr
    read = json.loads(again.stdout)
    for answer in (document, read):
        for each in answer["phases"]:
            each.pop("comparison"), each.pop("each_comparison")
    assert read["phases"] == document["phases"]
    assert read["stream"] == document["stream"]
    assert (read["workers"], read["placement"], read["seed"]) == ("ranks", "as collected", None)


def failures(document: dict[str, Any], case: str | None) -> set[str]:
    return {
        each["failure"]
        for each in document["runs"]
        if each["what"] == "program" and each["case"] == case
    }


def test_a_solve_that_does_not_converge_is_a_gap(tmp_path: Path, engine: Path) -> None:
    document = studied(tmp_path, engine, "--", "-ksp_max_it", "2", status=1)
    (said,) = failures(document, None)
    assert said == "The solve did not converge: PETSc says DIVERGED_ITS after 2 iterations."
    assert document["phases"] == [] and len(document["stream"]) == 2


def test_a_server_that_does_not_solve_is_found_by_the_residual(
    tmp_path: Path, engine: Path
) -> None:
    """The program's own solver says that it converged, whatever the ranks did."""
    document = studied(tmp_path, engine, "--server", "scatter", "--", "-ksp_max_it", "2", status=1)
    (said,) = failures(document, "server scatter")
    assert re.search(r"(residual is off|solution is wrong)", said), said


def test_an_option_that_petsc_refuses_is_told_in_petscs_words(tmp_path: Path, engine: Path) -> None:
    document = studied(tmp_path, engine, "--ranks", "1", "--", "-ksp_type", "nonsense", status=1)
    (said,) = failures(document, None)
    assert said.startswith("PETSc failed: Unknown type") and "nonsense" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--server", "shared"], "has no shared memory in its server, which came with 3.22"),
        (["--launcher", "mpich"], "--launcher mpich cannot start ranks of Open MPI"),
        (["--petsc", "2.0"], "There is no PETSc 2.0 here, but PETSc 3.18"),
        (["--petsc", "./nothing"], "has no lib/pkgconfig/PETSc.pc: name the folder"),
        (["--refine", "9"], "--refine"),
        (["--assembly", "columns"], "--assembly 'columns' is not known"),
        (["--assembly", "threads"], "--assembly needs --server: add it, or leave --assembly out"),
        (["--server", "both"], "--server"),
        (["--ranks", "64"], "ask for at most"),
        (["--ranks", "1", "--server"], "The server scatter needs 2 ranks: name more with --ranks."),
        (["--kernel", "triad,copy"], "--kernel takes one kernel"),
        (["--", "-ksp_rtol", "x"], "-ksp_rtol needs a number"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    options: list[str], said: str, tmp_path: Path, engine: Path
) -> None:
    run = streamgage("program", "--petsc", *SMALL, *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)


def test_without_petsc_it_says_what_to_install(
    tmp_path: Path, engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PKG_CONFIG_LIBDIR", str(tmp_path))
    monkeypatch.delenv("PETSC_DIR", raising=False)
    run = streamgage("program", "--petsc", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    said = one_sentence(run.stderr)
    assert "There is no PETSc here" in said and "petsc-dev" in said and "make petsc" in said


def test_a_petsc_dir_that_holds_none_is_not_passed_over(tmp_path: Path, engine: Path) -> None:
    run = streamgage(
        "program",
        "--petsc",
        folder=tmp_path,
        engine=engine,
        PETSC_DIR="/opt/petsc",
        PETSC_ARCH="arch",
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert "/opt/petsc/arch has no lib/pkgconfig/PETSc.pc" in one_sentence(run.stderr)


def test_a_petsc_whose_mpi_is_not_here_says_so(
    tmp_path: Path, engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "petsc" / "lib" / "pkgconfig"
    folder.mkdir(parents=True)
    (folder / "PETSc.pc").write_text(
        "ccompiler=no-such-mpicc\nName: PETSc\nDescription: none\nVersion: 3.0\n"
        "Cflags: -I/nowhere\nLibs: -L/nowhere -lpetsc\n",
        "utf-8",
    )
    run = streamgage("program", "--petsc", str(tmp_path / "petsc"), folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert "there is no compiler of the MPI that it was built with" in one_sentence(run.stderr)

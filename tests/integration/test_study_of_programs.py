"""``program --scaling`` of apps/cg and of apps/poisson with Debian's PETSc, for real and small.

Figures mean nothing here: tests may share the machine.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from programs import REPOSITORY, streamgage
from store_results import kept_files

pytestmark = pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")
SMALL = ("--size", "2MB", "--rounds", "2", "--format", "json")


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("apps")
    run = subprocess.run(
        ["make", "-C", REPOSITORY / "apps", f"OUT={folder}", "CFLAGS=-O1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert {each.name for each in folder.iterdir()} == {
        "cg",
        "cg.openmpi",
        "cg.mpich",
        "poisson",
    }, f"the bootstrap installs both MPIs and PETSc: {run.stdout}"
    return folder


def studied(folder: Path, engine: Path, *words: str, status: int = 0) -> dict[str, Any]:
    run = streamgage("program", "--scaling", *SMALL, *words, folder=folder, engine=engine)
    assert run.returncode == status, run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def test_threads_of_a_program_beside_stream(tmp_path: Path, engine: Path, apps: Path) -> None:
    command = [str(apps / "cg"), "--grid", "16", "--log", "{log}"]
    document = studied(tmp_path, engine, "--threads", "1,2", "--", *command)
    assert [each["name"] for each in document["phases"]] == ["solve", "matmult", "dot", "update"]
    assert [each["n"] for each in document["stream"]] == [1, 2]
    solve = document["phases"][0]
    assert [each["n"] for each in solve["points"]] == [1, 2]
    assert solve["points"][0]["count"] == solve["points"][1]["count"] > 10
    assert solve["comparison"] is not None


@pytest.mark.parametrize("launcher", ["openmpi", "mpich"])
def test_ranks_of_a_program_beside_stream(
    launcher: str, tmp_path: Path, engine: Path, apps: Path
) -> None:
    command = ["{mpiexec}", str(apps / f"cg.{launcher}"), "--grid", "16", "--log", "{log}"]
    options = ["--ranks", "1,2", "--launcher", launcher, "--check-regex", "2 processes|1 processes"]
    document = studied(tmp_path, engine, *options, "--", *command)
    assert (document["workers"], document["launcher"]) == ("ranks", launcher)
    assert [each["n"] for each in document["phases"][0]["points"]] == [1, 2]
    files = kept_files(tmp_path)
    kept = [files[each["kept"]] for each in document["runs"] if each["n"] == 2]
    assert any(b"2 processes" in text for text in kept)


def test_a_launchers_options_place_both(tmp_path: Path, engine: Path, apps: Path) -> None:
    command = ["{mpiexec}", str(apps / "cg.mpich"), "--grid", "16", "--log", "{log}"]
    options = ["--ranks", "1,2", "--cpus", "mpich:-bind-to core"]
    document = studied(tmp_path, engine, *options, "--", *command)
    assert (document["placement"], document["launcher"]) == ("mpich:-bind-to core", "mpich")
    assert {each["failure"] for each in document["runs"]} == {None}


def test_petscs_solver_beside_stream(tmp_path: Path, engine: Path, apps: Path) -> None:
    command = ["{mpiexec}", str(apps / "poisson"), "-da_refine", "1"]
    command += ["-log_view", ":{log}:ascii_csv"]
    options = ["--ranks", "1,2", "--launcher", "openmpi", "--check-regex", "CONVERGED"]
    document = studied(tmp_path, engine, *options, "--", *command)
    names = [each["name"] for each in document["phases"]]
    assert names == ["PCSetUp", "KSPSolve", "MatMult", "PCApply"]
    assert document["headline"] == "KSPSolve"
    solve = document["phases"][1]
    assert all(each["count"] >= 1 for each in solve["points"])


def test_a_solve_that_does_not_converge_is_a_gap(tmp_path: Path, engine: Path, apps: Path) -> None:
    command = [str(apps / "cg"), "--grid", "16", "--iterations", "3", "--log", "{log}"]
    document = studied(tmp_path, engine, "--threads", "1", "--", *command, status=1)
    failures = {each["failure"] for each in document["runs"] if each["what"] == "program"}
    assert len(failures) == 1 and "it did not converge" in failures.pop()
    assert not document["phases"] and document["stream"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--grid", "1"], "--grid needs a number from 2 to 1200."),
        (["--grid"], "--grid needs a number"),
        (["--grid", "4x"], "--grid needs a number"),
        (["--tolerance", "0"], "--tolerance needs a number"),
        (["--what", "1"], "--what is no option"),
        (["--log"], "--log is no option"),
    ],
)
def test_the_conjugate_gradients_refuse_what_they_cannot_use(
    options: list[str], said: str, apps: Path
) -> None:
    run = subprocess.run([apps / "cg", *options], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr and run.stderr.count("\n") == 1


def test_the_three_assemblies_of_poisson_are_one_system(apps: Path) -> None:
    texts = []
    for assembly in ("grid", "rows", "threads"):
        run = subprocess.run(
            [apps / "poisson", "-da_refine", "1", "-assembly", assembly],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        texts.append(json.loads(run.stdout))
    assert texts[0] == texts[1] == texts[2]
    assert texts[0]["unknowns"] == 13**3 and texts[0]["value"] < 1e-3

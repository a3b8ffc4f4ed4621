"""``streamgage compilers`` with real compilers, and with some that do harm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from programs import one_sentence, streamgage
from store_results import kept_files

SMALL = ("--size", "2MB", "--quick", "--rounds", "1")
"""Figures mean nothing here: tests may share the machine."""


@pytest.fixture(name="engine", scope="session")
def fixture_engine(few: Path) -> Path:
    return few


def harmful(folder: Path, name: str, *, change: str = "", more: str = "") -> Path:
    """A compiler that changes the kernels before it compiles them with gcc."""
    file = folder / name
    text = f"""#!/bin/sh
for last; do :; done
sed '{change}' "$last" > changed.c
cat >> changed.c <<'END'
{more}
END
n=$#; while [ "$n" -gt 1 ]; do set -- "$@" "$1"; shift; n=$((n - 1)); done; shift
exec gcc -O2 "$@" changed.c
"""
    file.write_text(text, "utf-8")
    file.chmod(0o755)
    return file


def compared(folder: Path, engine: Path, *options: str, status: int) -> dict[str, Any]:
    run = streamgage(
        "compilers", *options, *SMALL, "--format", "json", folder=folder, engine=engine
    )
    assert run.returncode == status, run.stderr
    assert "Traceback" not in run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def row(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for each in document["compilations"] if each["name"].startswith(name)
    )
    return found


def test_compilers_are_compared(tmp_path: Path, engine: Path) -> None:
    wanted = ["gcc -O1", "gcc -O3 -march=native"]
    options = [word for each in wanted for word in ("--cc", each)]
    document = compared(tmp_path, engine, *options, status=0)
    names = [each["name"] for each in document["compilations"]]
    assert names == ["streamgage's own", *wanted]
    assert document["baseline"] == names[0]
    for name in names:
        own = [each for each in document["rates"] if each["name"] == name]
        assert [each["kernel"] for each in own] == ["copy", "scale", "add", "triad"]
        assert all(each["gbps"]["value"] > 0 for each in own)
        assert all((each["ratio"] is None) == (name == names[0]) for each in own)
    slow, fast = (
        {each["kernel"]: each for each in row(document, name)["loops"]} for name in wanted[:2]
    )
    assert (slow["triad"]["calls"], slow["triad"]["vector_bits"]) == ([], 0)
    assert fast["copy"]["calls"] == ["memcpy"]
    (finding,) = [each for each in document["findings"] if each["code"] == "copy-memcpy"]
    assert "gcc -O3 -march=native" in finding["text"] and "gcc -O1 did not" in finding["text"]


def test_a_compiler_that_fails_is_a_row_with_its_first_error(tmp_path: Path, engine: Path) -> None:
    options = ["--cc", "gcc -O2", "--cc", "gcc -march=nonsense"]
    document = compared(tmp_path, engine, *options, status=1)
    assert row(document, "gcc -O2")["failure"] is None
    assert "nonsense" in row(document, "gcc -march=nonsense")["failure"]
    assert {each["name"] for each in document["rates"]} == {"streamgage's own", "gcc -O2"}


def test_a_compiler_that_makes_a_wrong_kernel_is_named(tmp_path: Path, engine: Path) -> None:
    wrong = harmful(tmp_path, "wrongcc", change="s/b\\[i\\] + s \\* c\\[i\\]/b[i] - s * c[i]/")
    document = compared(tmp_path, engine, "--cc", str(wrong), "--cc", "gcc -O2", status=1)
    failure = row(document, "wrongcc")["failure"]
    assert "the results are wrong" in failure
    assert row(document, "gcc")["failure"] is None
    (finding,) = [each for each in document["findings"] if each["code"] == "invalid"]
    assert finding["severity"] == "error" and "The loops of wrongcc" in finding["text"]


def test_two_compilers_of_one_name_are_two_rows(tmp_path: Path, engine: Path) -> None:
    options = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cc1").symlink_to("/usr/bin/gcc")
        options += ["--cc", f"{tmp_path}/{name}/cc1 -O1"]
    document = compared(tmp_path, engine, *options, "--kernels", "copy", status=0)
    assert [each["name"] for each in document["compilations"]][1:] == [
        f"{tmp_path}/{name}/cc1 -O1" for name in ("one", "two")
    ]


def test_a_library_that_crashes_the_engine_is_a_row_and_the_study_goes_on(
    tmp_path: Path, engine: Path
) -> None:
    boom = "int raise(int); __attribute__((constructor)) static void boom(void) { raise(11); }"
    crashing = harmful(tmp_path, "crashcc", more=boom)
    document = compared(tmp_path, engine, "--cc", str(crashing), "--cc", "gcc -O2", status=1)
    assert "SIGSEGV" in row(document, "crashcc")["failure"]
    assert row(document, "gcc")["failure"] is None


def test_a_library_without_a_kernel_says_so(tmp_path: Path, engine: Path) -> None:
    less = harmful(tmp_path, "lesscc", change="/^MAP(triad/d")
    options = ["--cc", str(less), "--kernels", "triad"]
    document = compared(tmp_path, engine, *options, status=1)
    assert "has no function streamgage_double_triad" in row(document, "lesscc")["failure"]


def test_listings_are_printed(tmp_path: Path, engine: Path) -> None:
    options = ["--cc", "gcc -O2", "--asm", "triad"]
    run = streamgage("compilers", *options, *SMALL, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert " triad by gcc -O2: " in run.stdout
    listing = run.stdout.partition(" triad by gcc -O2: ")[2]
    assert "ret" in listing


@pytest.mark.needs("clang-14")  # which brings LLVM's runtime
def test_openmp_runtimes_are_compared_with_the_same_places(tmp_path: Path, engine: Path) -> None:
    options = ["--cc", "gcc", "--openmp", "libomp.so.5", "--kernels", "triad"]
    document = compared(tmp_path, engine, *options, status=0)
    (name,) = [each["name"] for each in document["compilations"] if "libomp" in each["name"]]
    assert name.startswith("streamgage's own, libomp")
    assert name in {each["name"] for each in document["rates"]}
    places = {}
    kept = kept_files(tmp_path)
    for each in document["runs"]:
        lines = kept[each["records"]].splitlines()
        records = [json.loads(line) for line in lines]
        (placement,) = [record for record in records if record["record"] == "placement"]
        assert placement["bound"]
        places[each["name"]] = [thread["cpu"] for thread in placement["threads"]]
        assert ("libomp" in placement["openmp"]) == (each["name"] == name)
    assert len({tuple(cpus) for cpus in places.values()}) == 1


@pytest.mark.needs("gfortran")
def test_the_fortran_twin_is_compared(tmp_path: Path, engine: Path) -> None:
    document = compared(tmp_path, engine, "--cc", "gfortran -O3", status=0)
    own = [each for each in document["rates"] if each["name"] == "gfortran -O3"]
    assert [each["kernel"] for each in own] == ["copy", "scale", "add", "triad"]
    assert all(each["gbps"]["value"] > 0 for each in own)


@pytest.mark.needs("gfortran")
def test_floats_leave_fortran_out(tmp_path: Path, engine: Path) -> None:
    options = ["--cc", "gfortran", "--cc", "gcc", "--type", "float", "--kernels", "copy"]
    document = compared(tmp_path, engine, *options, status=1)
    assert row(document, "gfortran")["failure"] == "Its loops only support double elements."
    assert row(document, "gcc")["failure"] is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cc", ""], "--cc is empty"),
        (["--cc", "nocc -O2"], "--cc names nocc, which is not a program on the PATH."),
        (["--cc", "gcc", "--flags", "-O2"], "write the flags into --cc"),
        (["--openmp", "libnone.so.9"], "--openmp libnone.so.9 was not found"),
        (["--asm", "dot"], "--asm dot is not one of the measured kernels"),
        (["--rounds", "0"], "--rounds"),
        (["--format", "dat"], "--format"),
        (["--type", "int"], "--type"),
        (["--cc", "gcc -O2", "--cc", "gcc  -O2"], "'gcc -O2' is given twice: leave one out."),
        (["--flags", "-O2 'x"], '--flags "-O2 \'x" cannot be read'),
        pytest.param(
            ["--openmp", "libomp.so.5", "--openmp", "libomp.so.5"],
            "the same library twice",
            marks=pytest.mark.needs("clang-14"),
        ),
        (["--asm", "copy", "--format", "json"], "--asm prints text below the table"),
        (["--kernels", "bogus"], "there is no kernel 'bogus'"),
    ],
)
def test_bad_usage_is_one_sentence(
    options: list[str], said: str, tmp_path: Path, engine: Path
) -> None:
    run = streamgage("compilers", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)

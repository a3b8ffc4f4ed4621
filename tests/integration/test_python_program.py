"""The scaling of programs from Python, by the real engine in sizes that are quick."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from in_process import measure_in
from programs import streamgage
from store_results import kept_entries

import streamgage as sg

SOLVER = """#!/bin/sh
printf '{"phase": "solve", "seconds": 2.5, "count": 10}\\n' > $2
echo "residual 1e-9 of $1"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that this process measures in, with a program that is quick."""
    measure_in(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solver").write_text(SOLVER, "utf-8")
    (tmp_path / "solver").chmod(0o755)
    return tmp_path


FEW: dict[str, Any] = {"scaling": True, "threads": [1], "rounds": 2, "size": "4MiB", "seed": 1}


def test_a_program_is_studied_and_the_same_is_read_again(here: Path) -> None:
    run = sg.program("./solver {n} {log}", check_regex="residual .*e-9", **FEW)
    assert (run.kind, run.number, run.exit_status, run.partial) == ("study", 1, 0, None)
    [solve] = run.document.phases
    assert (solve.name, [each.seconds.value for each in solve.points]) == ("solve", [2.5])
    assert run.document.counts == [1]
    assert streamgage("show", folder=here).stdout == run.table()
    again = sg.load(1)
    assert again.kind == "study" and again.to_json() == run.to_json()
    assert run.save(here / "s.svg").stat().st_size > 1000
    assert streamgage("results", "export", "1", "--files", "out", folder=here).returncode == 0
    read = sg.program(import_=Path("out/run-1"))
    command = streamgage("program", "--import", "out/run-1", "--format", "json", folder=here)
    assert read.to_json() == command.stdout
    assert [each.name for each in read.document.phases] == ["solve"]
    assert (read.number, read.exit_status, len(kept_entries(here))) == (None, 0, 1)


def test_a_run_that_fails_is_a_gap_that_is_told(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = sg.program(["./solver", "{n}", "{log}"], check_regex="song", store=None, **FEW)
    assert run.exit_status == 1 and run.document.phases == []
    assert all("--check-regex matches nothing" in note for note in run.notes)
    assert capsys.readouterr().err.count("is left out") == len(run.notes) == 2
    assert kept_entries(here) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "No program is named"),
        ({"command": "sh -c 'exit"}, "close the quotes"),
        ({"command": "no-such-program"}, "cannot be started"),
        ({"command": "true", "cpus": "compact,none"}, "names 2 placements: name one"),
        ({"command": "true", "kernel": "sum,triad"}, "--kernel takes one kernel"),
        ({"command": "true", "ranks": 2}, "--ranks needs {mpiexec} or --petsc: add one of them"),
        ({"command": "{mpiexec} true", "threads": [2]}, "--threads is one number with {mpiexec}"),
        ({"command": "true", "time": "song"}, "--time 'song' is not known"),
        ({"command": "true", "timeout": 0}, "--timeout 0 is not a number of seconds"),
        ({"import_": ".", "command": "true"}, "--import runs nothing: leave out the command"),
        ({"import_": ".", "store": None}, "--no-store cannot be combined with --import"),
        ({"import_": ".", "store": "x.sqlite"}, "--store cannot be combined with --import"),
        ({"import_": ".", "rounds": 3}, "--rounds cannot be combined with --import"),
        ({"import_": "none"}, "none cannot be read"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_studied_is_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(sg.UsageError) as refused:
        sg.program(**({} if "import_" in options else {"scaling": True}), **options)
    assert sentence in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.needs("mpiexec.openmpi")
def test_petscs_solver_is_studied(here: Path) -> None:
    run = sg.program(
        "-ksp_type cg", petsc="3.18", refine=1, ranks=[1], rounds=1, size="2MB", seed=1
    )
    assert run.exit_status == 0, run.notes
    assert run.document.headline == "KSPSolve" and run.document.solver is not None
    assert run.document.solver.unknowns == 13**3
    assert "-ksp_type" in run.document.cases[0].command
    assert [each.kind for each in kept_entries(here)] == ["study"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"refine": -1}, "--refine -1 is not a whole number"),
        ({"server": "song"}, "--server 'song' is not known"),
        ({"assembly": "song"}, "--assembly 'song' is not known"),
        ({"launcher": "song"}, "--launcher 'song' is not known"),
        ({"rounds": 0}, "--rounds 0 is not a whole number"),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_solver_that_cannot_be_had_is_one_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(sg.UsageError, match=sentence):
        sg.program(petsc=True, **options)

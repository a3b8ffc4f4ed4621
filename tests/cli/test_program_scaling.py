"""``program --scaling``, with programs of a few lines and an engine that tells made records."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from example_scale import machine_of
from in_process import measure_in
from programs import WAIT_SECONDS, one_sentence, start_streamgage, streamgage
from store_results import kept_files
from test_scale_command import engine_of
from time_limits import limit_ends_when, runs, wait_until

import streamgage as sg

SCALING = ("program", "--scaling")
PROGRAM = """#!/bin/sh
echo "$OMP_NUM_THREADS $OMP_PLACES $OMP_PROC_BIND" >> calls
{body}
"""
LOGGED = """seconds=$(awk "BEGIN { print 4 / $1 }")
printf '{"phase": "solve", "seconds": %s, "count": 10}\\n' "$seconds" > $2
echo "residual 1e-9"
"""


def program(folder: Path, body: str = LOGGED) -> str:
    file = folder / "solver"
    file.write_text(PROGRAM.replace("{body}", body), "utf-8")
    file.chmod(0o755)
    return "./solver"


def studied(folder: Path, *options: str, body: str = LOGGED, status: int = 0) -> dict[str, Any]:
    engine = engine_of(folder, machine_of(1, 4))
    name = program(folder, body)
    run = streamgage(
        *(*SCALING, "--threads", "1,2,4", "--rounds", "2", "--format", "json", *options),
        *("--", name, "{n}", "{log}"),
        folder=folder,
        engine=engine,
    )
    assert run.returncode == status, run.stderr
    assert "Traceback" not in run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def test_stream_and_the_program_run_in_turn_with_the_same_places(tmp_path: Path) -> None:
    document = studied(tmp_path, "--check-regex", "residual .*e-9")
    runs = document["runs"]
    assert len(runs) == 2 * 2 * 3
    for number in (1, 2):
        points = [(each["what"], each["n"]) for each in runs if each["round"] == number]
        assert sorted(points) == sorted(
            (what, n) for what in ("stream", "program") for n in (1, 2, 4)
        )
    (solve,) = document["phases"]
    assert solve["name"] == document["headline"] == "solve"
    assert [each["seconds"]["value"] for each in solve["points"]] == [4, 2, 1]
    assert [each["speedup"]["value"] for each in solve["points"]] == [1, 2, 4]
    assert solve["comparison"]["verdict"] == "better"
    calls = set((tmp_path / "calls").read_text("utf-8").splitlines())
    assert calls == {"1 {0} true", "2 {0},{1} true", "4 {0},{1},{2},{3} true"}
    assert {each["kept"] for each in runs} <= kept_files(tmp_path).keys()


def test_where_the_programs_threads_were_is_shown_and_that_they_shared_a_core(
    tmp_path: Path,
) -> None:
    cpu = min(os.sched_getaffinity(0))
    engine = engine_of(tmp_path, machine_of(1, 2))
    loop = f"taskset -c {cpu} sh -c 'touch up-$$; while ! [ -e over ]; do :; done' & "
    both_up = "until [ $(ls | grep -c ^up-) = 2 ]; do sleep 0.05; done"
    name = program(tmp_path, f"[ $1 = 1 ] || {{ {loop * 2}{both_up}; sleep 2; touch over; wait; }}")
    options = ["--threads", "1,2", "--rounds", "1", "--cpus", "none", "--details"]
    run = streamgage(*SCALING, *options, "--", name, "{n}", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    shown = " ".join(run.stdout.split())
    assert "STREAM, n = 2 CPUs 0-1; 2 cores; 2 on node 0" in shown
    assert f"program, n = 2 CPUs {cpu},{cpu} most often in " in shown
    assert "crowded-cores" in shown and "threads of the program shared cores in" in shown


def test_a_program_without_a_log_is_timed_by_the_clock_or_a_pattern(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    name = program(tmp_path, 'echo "Time: 2.5 s"')
    options = ["--threads", "1,2", "--rounds", "1", "--format", "json", "--cpus", "none"]
    for more, phase in (([], "whole run"), (["--time-regex", r"Time: ([\d.]+)"], "time")):
        run = streamgage(*SCALING, *options, *more, "--", name, folder=tmp_path, engine=engine)
        assert run.returncode == 0, run.stderr
        (found,) = json.loads(run.stdout)["phases"]
        assert found["name"] == phase
    assert set((tmp_path / "calls").read_text("utf-8").splitlines()) == {"1  false", "2  false"}


@pytest.mark.parametrize(
    ("body", "options", "said"),
    [
        ("[ $1 != 2 ] || { echo no >&2; exit 3; }\n" + LOGGED, [], "ended with status 3: no"),
        ("[ $1 != 2 ] || kill -SEGV $$\n" + LOGGED, [], "ended by signal 11"),
        (LOGGED + "[ $1 != 2 ] || rm $2\n", [], "wrote no {log}"),
        (LOGGED + "[ $1 != 2 ] || printf '{\"phase\"' > $2\n", [], "cut short"),
        (
            LOGGED + "[ $1 = 2 ] || echo good\n",
            ["--check-regex", "good"],
            "--check-regex matches nothing",
        ),
        (
            LOGGED + 'echo "T 1"; [ $1 != 2 ] || echo "T 2"\n',
            ["--time-regex", r"T (\d)"],
            "--time-regex matches 2 places",
        ),
    ],
)
def test_a_run_that_fails_is_a_gap_and_the_study_goes_on(
    body: str, options: list[str], said: str, tmp_path: Path
) -> None:
    document = studied(tmp_path, *options, body=body, status=1)
    failed = [each for each in document["runs"] if each["failure"] is not None]
    assert {(each["what"], each["n"]) for each in failed} == {("program", 2)}
    assert len(failed) == 2 and all(said in each["failure"] for each in failed)
    (phase,) = document["phases"]
    assert [each["n"] for each in phase["points"]] == [1, 4]


def test_a_run_that_does_not_end_in_time_is_a_gap_and_what_it_said_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure_in(tmp_path, monkeypatch, engine_of(tmp_path, machine_of(1, 4)))
    monkeypatch.chdir(tmp_path)
    hangs = "[ $1 != 2 ] || { echo so far so good; touch said; exec sleep 1000; }\n"
    name = program(tmp_path, hangs + LOGGED)

    def has_said() -> bool:
        said = (tmp_path / "said").exists()
        if said:  # or it may come to be right before it is removed
            (tmp_path / "said").unlink()
        return said

    limit_ends_when(has_said, 7, monkeypatch)
    run = sg.program(
        [name, "{n}", "{log}"], scaling=True, threads=[1, 2, 4], rounds=2, timeout=7, seed=1
    )
    assert run.exit_status == 1
    failed = [each for each in run.document.runs if each.failure is not None]
    assert [(each.what, each.n) for each in failed] == [("program", 2)] * 2
    for each in failed:
        assert each.failure is not None and "not end within 7 s" in each.failure
        assert each.kept is not None and each.kept.endswith(".txt.failed"), "no run of --import"
        assert kept_files(tmp_path)[each.kept] == b"so far so good\n"
    (phase,) = run.document.phases
    assert [each.n for each in phase.points] == [1, 4]


def test_ctrl_c_ends_the_program_and_shows_what_there_is(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    name = program(
        tmp_path, "[ -e second ] && { echo $$ > pid; exec sleep 1000; }; touch second\n" + LOGGED
    )
    run = start_streamgage(
        *(*SCALING, "--threads", "1,2", "--rounds", "2", "--format", "json", "--seed", "1"),
        *("--", name, "{n}", "{log}"),
        folder=tmp_path,
        engine=engine,
    )
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    pid = int((tmp_path / "pid").read_text("utf-8"))
    run.send_signal(signal.SIGINT)
    stdout, stderr = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert len(json.loads(stdout)["phases"]) == 1
    wait_until(lambda: not runs(pid))


def test_a_study_that_was_killed_shows_the_runs_that_it_had(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 4))
    name = program(tmp_path, f"{LOGGED}test $(wc -l < calls) -lt 3 || kill -9 $PPID")
    killed = streamgage(
        *(*SCALING, "--threads", "1,2", "--rounds", "2", "--", name, "{n}", "{log}"),
        folder=tmp_path,
        engine=engine,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    shown = streamgage("show", "--format", "json", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    document = json.loads(shown.stdout)
    assert document["interrupted"]
    assert [each["what"] for each in document["runs"]].count("program") == 2


def test_a_picture_has_its_data_beside_it(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    name = program(tmp_path)
    options = ["--threads", "1,2", "--rounds", "1", "-o", "s.svg"]
    run = streamgage(*SCALING, *options, "--", name, "{n}", "{log}", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "s.svg").read_text("utf-8").startswith("<?xml")
    assert ",solve," in (tmp_path / "s.csv").read_text("utf-8")
    assert " solve\n" in run.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "No program is named: write it after --"),
        (["--", "no-such-program"], "no-such-program cannot be started"),
        (["--", "x{mpiexec}"], "must be a word of its own"),
        (["--time", "x", "--", "true"], "--time"),
        (["--time", "petsc", "--", "true"], "--time petsc reads the file of {log}"),
        (["--time", "json", "--time-regex", "x", "--", "true"], "leave one out"),
        (["--time-regex", "(", "--", "true"], "--time-regex '(' is not a regular expression"),
        (["--check-regex", "[", "--", "true"], "--check-regex '[' is not a regular expression"),
        (["--threads", "9-1", "--", "true"], "9-1 is an empty range"),
        (["--threads", "64", "--", "true"], "ask for at most"),
        (["--cpus", "cores", "--", "true"], "name compact, scatter"),
        (["--cpus", "compact,none", "--", "true"], "names 2 placements: name one"),
        (["--cpus", "launcher", "--", "true"], "is for MPI ranks"),
        (["--ranks", "2", "--", "true"], "--ranks needs {mpiexec} or --petsc: add one of them"),
        (["--launcher", "mpich", "--", "true"], "--launcher needs {mpiexec} or --petsc"),
        (["--threads", "1,2", "--", "{mpiexec}", "true"], "--threads '1,2' is not a whole number"),
        (["--bytes", "1GB", "--", "true"], "--bytes cannot be combined with --scaling"),
        (["--counters", "--", "{mpiexec}", "true"], "--counters cannot be combined with {mpiexec}"),
        (["--probe", "1", "--", "true"], "--probe needs --ratio or --against: add one of them"),
        (
            ["--format", "bencher", "--", "true"],
            "--format bencher cannot be combined with --scaling",
        ),
        (["--rounds", "0", "--", "true"], "--rounds"),
        (["--timeout", "x", "--", "true"], "--timeout"),
        (["-o", "/no/such/x.svg", "--", "true"], "/no/such"),
        (["-o", "x.gif", "--", "true"], "x.gif"),
    ],
)
def test_bad_usage_is_one_sentence(options: list[str], said: str, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    run = streamgage(*SCALING, *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)

"""Programs that are studied: commands with gaps, and how their times are read.

The logs of tests/data/petsc are of apps/poisson with PETSc 3.18.5 (Debian 12) on 2 CPUs: with one
rank, with two, and with the MPI linear solver server on two.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import REPOSITORY

from streamgage.analysis.user_pattern import UserPattern
from streamgage.cpu_list import cpu_numbers
from streamgage.errors import UsageError
from streamgage.process.launch.started_by import LOCAL_RANKS
from streamgage.results.study.applications import (
    PhaseTime,
    Source,
    TimesError,
    parse_template,
    read_petsc_log,
    read_times,
)
from streamgage.results.study.applications.times import Reading, ended_well

PLACE_RANK = REPOSITORY / "streamgage" / "results" / "study" / "applications" / "place_rank.py"


def log(name: str) -> str:
    return gzip.decompress(
        (REPOSITORY / "tests/data/petsc" / f"{name}.csv.gz").read_bytes()
    ).decode()


def timed(text: str) -> UserPattern:
    return UserPattern("--time-regex", text, "'took ([0-9.]+) s'")


def reading(printed: str = "", content: str | None = None, *, n: int = 1) -> Reading:
    return Reading(printed=printed, log=content, seconds=3.0, n=n, by_ranks=True)


def test_gaps_are_filled_and_other_braces_are_left() -> None:
    template = parse_template(["{mpiexec}", "./a", "-n={n}", "-log", ":{log}:csv", "{x}"])
    assert template.has_log and template.has_ranks
    assert template.fill(4, ["mpiexec", "-n", "4"], Path("/t/1.log")) == [
        *("mpiexec", "-n", "4", "./a", "-n=4", "-log", ":/t/1.log:csv", "{x}"),
    ]
    assert not parse_template(["./a"]).has_log


@pytest.mark.parametrize(
    ("words", "said"),
    [([], "No program is named"), (["x{mpiexec}"], "must be a word of its own")],
)
def test_a_command_that_cannot_be_is_refused(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_template(words)


def test_events_are_of_the_slowest_rank_and_summed_over_the_stages() -> None:
    one, two = read_petsc_log(log("3.18.5-1"), 1), read_petsc_log(log("3.18.5-2"), 2)
    assert set(one) >= {"PCSetUp", "KSPSolve", "MatMult", "PCApply"}
    assert one["KSPSolve"].count == 1 and two["KSPSolve"].count == 1
    assert all(each.seconds >= 0 and each.count for each in two.values())
    rows = [line.split(",") for line in log("3.18.5-2").splitlines() if ",MatMult," in line]
    assert two["MatMult"].seconds == max(float(row[4]) for row in rows)
    both = read_petsc_log(log("3.18.5-server"), 2)
    inside = read_petsc_log(log("3.18.5-server"), 2, stage="PCMPI")
    assert both["MatMult"].count == (inside["MatMult"].count or 0) + 2, "b, and the residual"
    assert both["KSPSolve"].seconds > inside["KSPSolve"].seconds
    assert "summary" not in both


def test_an_event_is_of_the_rank_that_took_longest_over_all_stages() -> None:
    rows = [(0, "A", 2.0), (1, "A", 1.0), (0, "B", 1.0), (1, "B", 1.5)]
    text = "Stage Name,Event Name,Rank,Count,Time\n" + "".join(
        f"{stage},KSPSolve,{rank},3,{seconds}\n" for rank, stage, seconds in rows
    )
    text += "check,KSPSolve,0,1,9.0\ncheck,KSPSolve,1,1,9.0\n"
    assert read_petsc_log(text, 2) == {"KSPSolve": PhaseTime(3.0, 6)}
    assert read_petsc_log(text, 2, stage="B") == {"KSPSolve": PhaseTime(1.5, 3)}
    for wrong in ("nan", "inf", "-1", "x"):
        with pytest.raises(TimesError, match="Line 2 of the log cannot be read"):
            read_petsc_log(text.replace("2.0", wrong), 2)


def test_a_solve_by_a_server_is_read_of_the_ranks_alone() -> None:
    times = read_times(reading("", log("3.26.1-server-shared"), n=2), Source.AUTO, None)
    inside = read_petsc_log(log("3.26.1-server-shared"), 2, stage="PCMPI")
    assert times["PCApply"] == inside["PCApply"] and times["MatMult"].count == 107


def test_iterations_of_several_solves_are_summed() -> None:
    printed = '{"iterations": 6}\n{"iterations": 5}\n{"iterations": 0}\n{"deep": ' + "[" * 9999
    times = read_times(reading(printed, log("3.26.1-2"), n=2), Source.AUTO, None)
    assert times["KSPSolve"].count == 11


def test_a_program_that_failed_says_its_last_words_not_its_launchers() -> None:
    frame = "-" * 60
    for printed, said in (
        (f"cg: it did not converge\n{frame}\nmpiexec ended\n{frame}\n", "it did not converge"),
        (f"{frame}\nMPI_ABORT was called\n{frame}\n", "MPI_ABORT was called"),
        ("", "ended with status 3."),
    ):
        with pytest.raises(TimesError, match=said):
            ended_well(Reading(printed, None, 1.0, 1, by_ranks=True, status=3))


def test_a_log_that_is_cut_short_is_refused_wherever_the_cut_is() -> None:
    whole = log("3.18.5-2")
    lines = whole.splitlines(keepends=True)
    for cut, said in (
        (whole[: len(whole) // 2 + 3], "cut short|cannot be read"),
        (whole[:-1], "ends within a line"),
        ("".join(lines[: len(lines) // 2]), "cut short"),
        ("".join(lines[:-1]), "cut short"),
        (lines[0], "rows of 0 ranks"),
        ("", "not a CSV log of PETSc"),
        ("Stage Name,Event Name,Rank\n", "has no such column"),
    ):
        with pytest.raises(TimesError, match=said):
            read_petsc_log(cut, 2)
    with pytest.raises(TimesError, match="rows of 2 ranks, and 4 ran"):
        read_petsc_log(whole, 4)
    with pytest.raises(TimesError, match="counts nothing in stage PCMPI"):
        read_petsc_log(whole, 2, stage="PCMPI")


def test_petscs_solve_has_the_iterations_that_the_program_tells() -> None:
    printed = 'hello\n{"check": "residual", "value": 1e-5, "iterations": 6}\n'
    times = read_times(reading(printed, log("3.18.5-2"), n=2), Source.AUTO, None)
    assert list(times) == ["PCSetUp", "KSPSolve", "MatMult", "PCApply"]
    assert times["KSPSolve"].count == 6
    assert times["MatMult"].count is not None and times["MatMult"].count > 6
    silent = read_times(reading("{cut", log("3.18.5-2"), n=2), Source.PETSC, None)
    assert silent["KSPSolve"].count is None


def test_json_lines_are_phases() -> None:
    solve = '{"phase": "solve", "seconds": 1.5, "count": 20}'
    content = f'x\n{solve}\n{{"phase": "io", "seconds": 2}}\n{{"a": 1}}\n'
    expected = {"solve": PhaseTime(1.5, 20), "io": PhaseTime(2.0, None)}
    assert read_times(reading(content=content), Source.AUTO, None) == expected
    assert read_times(reading(printed=content), Source.JSON, None) == expected


def test_the_clock_tells_where_nothing_else_does() -> None:
    assert read_times(reading("x"), Source.AUTO, None) == {"whole run": PhaseTime(3.0, None)}
    assert read_times(reading("x", "log"), Source.WALL, None) == {"whole run": PhaseTime(3.0, None)}


def test_a_regular_expression_finds_the_time() -> None:
    found = read_times(reading("Time: 2.50 s"), Source.AUTO, timed(r"Time: ([\d.]+)"))
    assert found == {"time": PhaseTime(2.5, None)}
    assert read_times(reading("12"), Source.AUTO, timed(r"\d+")) == {"time": PhaseTime(12, None)}


@pytest.mark.parametrize(
    ("printed", "content", "source", "pattern", "said"),
    [
        ("x", None, "auto", r"Time: (\d+)", "matches nothing"),
        ("T 1 T 2", None, "auto", r"T (\d)", "matches 2 places"),
        ("T x", None, "auto", r"T (\w)", "'x', which is not a number"),
        ("T 0", None, "auto", r"T (\d)", "too little to compare"),
        ("", "", "auto", None, "wrote nothing to {log}"),
        ("", "hello", "auto", None, "neither CSV of PETSc nor JSON lines"),
        ("hello", None, "json", None, 'no JSON line with "phase"'),
        ('{"phase": "a", "sec', None, "json", None, "cut short"),
        ('{"phase": "a"}', None, "json", None, 'has no number "seconds"'),
        ('{"phase": "a", "seconds": -1}', None, "json", None, "took -1 seconds"),
        ('{"phase": "a", "seconds": NaN}', None, "json", None, "took nan seconds"),
        ('{"phase": "a", "seconds": 1}\n{"phase": "a", "seconds": 1}', None, "json", None, "twice"),
        ("hello", None, "petsc", None, "not a CSV log of PETSc"),
        (
            "",
            "Stage Name,Event Name,Rank,Count,Time\nM,X,0,1,1.0\n",
            "auto",
            None,
            "counts none of",
        ),
    ],
)
def test_times_that_cannot_be_had_say_why(
    printed: str, content: str | None, source: str, pattern: str | None, said: str
) -> None:
    compiled = None if pattern is None else timed(pattern)
    with pytest.raises(TimesError, match=re.escape(said)):
        read_times(reading(printed, content), Source(source), compiled)


def placed(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("OMP")}
    return subprocess.run(
        [sys.executable, "-I", str(PLACE_RANK), *words[:3], ",".join(LOCAL_RANKS), *words[3:]],
        env={**known, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_rank_is_placed_by_its_number_on_the_host() -> None:
    cpu = str(min(os.sched_getaffinity(0)))
    shown = ("sh", "-c", "grep Cpus_allowed_list /proc/self/status; echo $OMP_PLACES")
    for variable in LOCAL_RANKS:
        run = placed(f"9999,{cpu}", "1", "1", *shown, **{variable: "1"})
        assert run.stdout.split() == ["Cpus_allowed_list:", cpu, f"{{{cpu}}}"], run.stderr


def test_the_first_rank_may_have_all_the_cpus_for_its_threads() -> None:
    cpus = sorted(os.sched_getaffinity(0))[:2]
    listed = ",".join(map(str, cpus))
    shown = ("sh", "-c", "grep Cpus_allowed_list /proc/self/status; echo $OMP_NUM_THREADS")
    first = placed(listed, "1", str(len(cpus)), *shown, MPI_LOCALRANKID="0")
    allowed, number = first.stdout.split()[1:]
    assert set(cpu_numbers(allowed)) == set(cpus) and number == str(len(cpus)), first.stderr
    other = placed("-", "1", "2", *shown, MPI_LOCALRANKID="1")
    assert other.stdout.split()[2:] == ["1"], other.stderr
    alone = placed("-", "1", "7", *shown, MPI_LOCALRANKID="0")
    assert alone.stdout.split()[2:] == ["7"], alone.stderr


@pytest.mark.parametrize(
    ("words", "variables", "said"),
    [
        (("0", "1", "1", "true"), {}, "gives a rank no number"),
        (
            ("0", "1", "1", "true"),
            {"MPI_LOCALRANKID": "1"},
            "rank 1 of the host has no CPUs among 0.",
        ),
        (("99999", "1", "1", "true"), {"MPI_LOCALRANKID": "0"}, "cannot run on CPUs [99999]"),
        (("0", "1", "1", "/no/such"), {"MPI_LOCALRANKID": "0"}, "/no/such cannot be started"),
    ],
)
def test_a_rank_that_cannot_be_placed_says_why(
    words: tuple[str, ...], variables: dict[str, str], said: str
) -> None:
    run = placed(*words, **variables)
    assert run.returncode == 1 and said in run.stderr and "Traceback" not in run.stderr

"""PETSc's solver and its server: options by version, what they print, and what is refused.

The files of tests/data/petsc are of apps/poisson with PETSc 3.18.5 (Debian 12) and 3.26.1 (make
petsc) on 2 CPUs, with one rank, two, and the MPI linear solver server on two, in each of its ways;
``wrong-dialect`` was given the options of the other version, ``too-small`` has fewer rows than the
server wants for two ranks.
"""

from __future__ import annotations

import ctypes
import gzip
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from programs import REPOSITORY, WAIT_SECONDS

from streamgage.errors import UsageError
from streamgage.process.launch import LauncherName
from streamgage.results.study.applications.petsc.cases import Solve, cases_of, read_imported_server
from streamgage.results.study.applications.petsc.library import Petsc
from streamgage.results.study.applications.petsc.report import error_of, read_report, refuse_bad
from streamgage.results.study.applications.petsc.segments import alone_with_segments, read_segments
from streamgage.results.study.applications.petsc.server import (
    Mode,
    modes_of,
    read_statistics,
    server_options,
)
from streamgage.results.study.applications.times import Reading, TimesError

DATA = REPOSITORY / "tests" / "data" / "petsc"
OLD, MIDDLE, NEW = (3, 18, 5), (3, 20, 0), (3, 26, 1)


def log(name: str) -> str:
    return gzip.decompress((DATA / f"{name}.csv.gz").read_bytes()).decode()


def printed(name: str) -> str:
    return (DATA / f"{name}.txt").read_text("utf-8")


def reading(name: str, *, n: int = 2, status: int = 0, content: str | None = None) -> Reading:
    has_log = (DATA / f"{name}.csv.gz").exists()
    kept = log(name) if has_log and content is None else content
    return Reading(printed(name), kept, 1.0, n, by_ranks=True, status=status)


def solve(version: tuple[int, int, int] = NEW, **more: object) -> Solve:
    petsc = Petsc(
        version=version,
        folder=None,
        compiler="mpicc",
        compile_flags=(),
        link_flags=(),
        debug=False,
        long_integers=False,
        mpi="Open MPI 4.1.4",
        launcher=LauncherName.OPENMPI,
    )
    return Solve(petsc, Path("/poisson"), 2, **more)  # type: ignore[arg-type]


def test_each_version_is_told_in_its_own_words() -> None:
    user = ("-ksp_rtol", "1e-8", "-mg_levels_ksp_type", "richardson", "-log_trace")
    old = server_options(OLD, Mode.SCATTER, user, 100)
    assert old[2:6] == ["-ksp_type", "preonly", "-pc_type", "mpi"]
    assert old[-5:] == [
        *("-mpi_ksp_rtol", "1e-8", "-mpi_mg_levels_ksp_type", "richardson", "-log_trace"),
    ]
    assert "-mpi_linear_solver_server_use_shared_memory" not in old
    middle = server_options(MIDDLE, Mode.SCATTER, user, 100)
    assert "preonly" not in middle and middle[-5:] == list(user)
    assert "-mpi_linear_solver_server_use_shared_memory" not in middle
    for mode, word in ((Mode.SHARED, "true"), (Mode.SCATTER, "false")):
        new = server_options(NEW, mode, user, 100)
        assert new[new.index("-mpi_linear_solver_server_use_shared_memory") + 1] == word
        # What the program sets in its code is not the ranks'.
        assert new.index("gamg") < new.index("-ksp_rtol")
    assert modes_of(OLD) == modes_of(MIDDLE) == [Mode.SCATTER]
    assert modes_of(NEW) == [Mode.SHARED, Mode.SCATTER]


@pytest.mark.parametrize(
    ("name", "iterations"),
    [("3.18.5-server", 6), ("3.26.1-server-shared", 5), ("3.26.1-server-scatter", 5)],
)
def test_the_table_of_the_server_tells_of_the_solve_by_all_ranks(
    name: str, iterations: int
) -> None:
    assert read_statistics(printed(name), 2) == iterations
    with pytest.raises(TimesError, match=r"no solve by 4 ranks.*solved by 2 ranks"):
        read_statistics(printed(name), 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (printed("3.18.5-wrong-dialect"), "no solve by 2 ranks.*by rank 0 alone"),
        (printed("3.26.1-too-small"), "no solve by 2 ranks.*too small"),
        (printed("3.26.1-1"), "printed no table"),
    ],
)
def test_a_solve_on_rank_0_alone_is_not_taken_for_the_servers(text: str, said: str) -> None:
    with pytest.raises(TimesError, match=said):
        read_statistics(text, 2)


def test_the_direct_solve_is_read_with_its_iterations_and_its_size() -> None:
    (case,) = cases_of(solve())
    assert (case.name, case.fewest, case.file_name) == (None, 1, "program")
    for name, n in (("3.26.1-1", 1), ("3.26.1-2", 2)):
        report = case.read(reading(name, n=n))
        assert list(report.phases) == ["PCSetUp", "KSPSolve", "MatMult", "PCApply"]
        assert report.phases["KSPSolve"].count == 5
        assert (report.unknowns, report.nonzeros) == (25**3, 7 * 25**3 - 6 * 25**2)
        assert report.residual is not None and 0 < report.residual < 1e-3


def test_the_servers_times_are_of_its_own_stage() -> None:
    direct, shared, scatter = cases_of(solve(modes=(Mode.SHARED, Mode.SCATTER)))
    assert [each.name for each in (direct, shared, scatter)] == [
        *("direct", "server shared", "server scatter"),
    ]
    assert shared.fewest == scatter.fewest == 2 and shared.file_name == "server-shared"
    for case, name in ((shared, "3.26.1-server-shared"), (scatter, "3.26.1-server-scatter")):
        report = case.read(reading(name))
        rows = [line.split(",") for line in log(name).splitlines()]
        inside = [float(row[4]) for row in rows if row[:2] == ["PCMPI", "KSPSolve"]]
        handed = [float(row[4]) for row in rows if row[1] == "ServerDist" and int(row[3])]
        assert report.phases["KSPSolve"].seconds == max(inside)
        assert report.distribution is not None and report.distribution[0] == max(handed)
        assert report.distribution[1] == pytest.approx(
            max(handed) + report.phases["PCSetUp"].seconds + max(inside)
        )
    old = read_imported_server(reading("3.18.5-server"))
    assert old.distribution is None and old.phases["KSPSolve"].count == 6
    # Of another program than ours nobody knows the residual, but all ranks must have solved.
    name = "3.26.1-server-shared"
    table = "\n".join(printed(name).splitlines()[1:])
    others = read_imported_server(Reading(table, log(name), None, 2, by_ranks=True))
    assert others.residual is None and others.phases == shared.read(reading(name)).phases
    with pytest.raises(TimesError, match="printed no table"):
        read_imported_server(Reading("", log(name), None, 2, by_ranks=True))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (reading("3.26.1-1", n=2, content=log("3.26.1-1")), "rows of 1 rank, and 2 ran"),
        (reading("3.26.1-2", content=log("3.26.1-2")[:-1]), "ends within a line"),
        (reading("3.26.1-2", content=log("3.26.1-2")[: 80193 // 3]), "cut short|cannot be read"),
        (reading("3.26.1-2", content=""), "not a CSV log of PETSc"),
        (
            reading("3.26.1-1", n=1, content=log("3.26.1-1").partition("Main Stage,PCApply,")[0]),
            "does not count .*PCApply.*: it is cut short",
        ),
        (reading("3.26.1-2", status=3), "ended with status 3"),
        (reading("3.26.1-wrong-dialect", status=59), "PETSc failed: Caught signal number 11 SEGV"),
        (Reading("hello", log("3.26.1-2"), 1.0, 2, by_ranks=True), "printed no residual"),
    ],
)
def test_a_solve_that_is_not_whole_is_refused(given: Reading, said: str) -> None:
    (case,) = cases_of(solve())
    with pytest.raises(TimesError, match=said):
        case.read(given)


def changed(**values: object) -> str:
    text = printed("3.26.1-2")
    for name, value in values.items():
        start = text.index(f'"{name}": ')
        end = text.index(",", start)
        text = f'{text[:start]}"{name}": {value}{text[end:]}'
    return text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed(reason='"DIVERGED_ITS"', iterations=30), "DIVERGED_ITS after 30 iterations"),
        (changed(value=0.02), "residual is too large: 0.02 of the right-hand side"),
        (changed(value="nan"), "residual is too large"),
        (changed(error=0.5), "solution is wrong: its relative error is 0.5"),
        (changed(error="-nan"), "solution is wrong"),
        (changed(error="inf"), "solution is wrong"),
        (printed("3.26.1-2") * 2, "2 separate solvers ran"),
        (printed("3.26.1-2")[:40], "cut short"),
        (changed(unknowns='"many"'), "cut short"),
    ],
)
def test_a_wrong_result_is_refused(text: str, said: str) -> None:
    (case,) = cases_of(solve())
    with pytest.raises(TimesError, match=said):
        case.read(Reading(text, log("3.26.1-2"), 1.0, 2, by_ranks=True))


def test_a_looser_tolerance_allows_for_more() -> None:
    report = read_report(changed(value=0.02))
    assert report is not None
    refuse_bad(report, 0.1)
    (case,) = cases_of(solve(options=("-ksp_rtol", "1e-3")))
    case.read(Reading(changed(value=0.02), log("3.26.1-2"), 1.0, 2, by_ranks=True))
    (twice,) = cases_of(solve(options=("-ksp_rtol", "1e-9", "-ksp_rtol", "1e-3")))
    twice.read(Reading(changed(value=0.02), log("3.26.1-2"), 1.0, 2, by_ranks=True))
    for options in (("-ksp_rtol",), ("-ksp_rtol", "much")):
        with pytest.raises(UsageError, match="-ksp_rtol needs a number"):
            cases_of(solve(options=options))


def test_shared_memory_needs_a_petsc_that_has_it() -> None:
    with pytest.raises(UsageError, match=r"PETSc 3\.18\.5 has no shared memory.*--server scatter"):
        cases_of(solve(OLD, modes=(Mode.SHARED,)))
    assert len(cases_of(solve(OLD, modes=(Mode.SCATTER,)))) == 2


def test_petscs_own_words_are_told_not_its_last_line() -> None:
    said = error_of(printed("3.26.1-wrong-dialect"))
    assert said is not None and said.startswith("Caught signal number 11 SEGV")
    assert error_of("no errors") is None


# Segments of shared memory, with keys far from those of servers that run beside the tests.

_KEY = 47_110_815
_KEYS = range(_KEY - 5, _KEY + 5)


@pytest.fixture
def segment() -> Iterator[Callable[[], int]]:
    """Makes a segment and gives its number; it is gone after the test."""
    libc = ctypes.CDLL(None)
    yield lambda: int(libc.shmget(_KEY, 4096, 0o1600))
    if (found := libc.shmget(_KEY, 0, 0)) >= 0:
        libc.shmctl(found, 0, None)


def test_what_a_server_leaves_behind_is_told_and_never_removed(
    segment: Callable[[], int],
) -> None:
    notes: list[str] = []
    with alone_with_segments(notes.append, _KEYS):
        made = segment()
        assert [each.id for each in read_segments(_KEYS)] == [made]
    assert [each.id for each in read_segments(_KEYS)] == [made]
    (note,) = notes
    assert f"ipcrm -m {made}" in note


def test_no_server_starts_where_there_are_segments_of_another(
    segment: Callable[[], int],
) -> None:
    made = segment()
    with (
        pytest.raises(TimesError, match="another server runs here, or one was ended by force"),
        alone_with_segments(lambda _: None, _KEYS),
    ):
        pytest.fail("it started")
    assert [each.id for each in read_segments(_KEYS)] == [made], "it is not ours to remove"


def test_a_second_server_waits_for_the_first_and_says_so() -> None:
    notes: list[str] = []
    entered = threading.Event()

    def second() -> None:
        with alone_with_segments(notes.append, _KEYS):
            entered.set()

    with alone_with_segments(lambda _: None, _KEYS):
        thread = threading.Thread(target=second)
        thread.start()
        for _ in range(100 * WAIT_SECONDS):
            if notes or entered.is_set():
                break
            time.sleep(0.01)
        assert notes and not entered.is_set()
    thread.join(WAIT_SECONDS)
    assert entered.is_set()
    assert len(notes) == 1 and "waiting for /tmp/streamgage-petsc-server.lock" in notes[0]


def test_a_system_that_does_not_tell_of_segments_is_no_place_for_a_server(tmp_path: Path) -> None:
    with pytest.raises(TimesError, match="cannot be read"):
        read_segments(table=tmp_path / "none")

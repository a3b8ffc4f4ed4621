"""A run of a series that others disturbed is made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from example_compilers import row_run
from example_records import DISTURBANCE
from msgspec.structs import replace

from streamgage.analysis.outside import surely_taken, taken_from
from streamgage.errors import StreamgageError
from streamgage.process.one_run import OneRun
from streamgage.records.run import Run
from streamgage.results import series
from streamgage.results.compilers.experiment import QUICK
from streamgage.results.preset import make_plan
from streamgage.results.series import FAILED_ALIKE, Condition, FreshRuns, run_in_turn, turns


def run_of(gbps: float, taken: float, seconds: float = 10.0) -> Run:
    """A run on two CPUs, of whose time others took that share."""
    run = row_run(gbps, gbps, 1)
    run.disturbances[:] = [
        replace(DISTURBANCE, seconds=seconds, steal_seconds=2 * seconds * taken, other_seconds=0.0)
    ]
    return run


def series_of(
    outcomes: Sequence[tuple[float, float]],
    patch: pytest.MonkeyPatch,
    *,
    again: bool = True,
    rounds: int = 3,
) -> tuple[FreshRuns, list[str]]:
    """What a series of one condition comes to whose runs give this, in this order."""
    left: Iterator[tuple[float, float]] = iter(outcomes)

    def one(*_: object, **__: object) -> OneRun:
        return OneRun(run_of(*next(left)), 0, None, None)

    patch.setattr(series, "run_once", one)
    notes: list[str] = []
    plan = make_plan(QUICK, kernels=["copy"])
    order = list(turns([Condition("gcc -O3", plan)], rounds, 1))
    done = run_in_turn(
        order, folder=None, before=lambda _: None, note=notes.append, wait=False, again=again
    )
    assert next(left, None) is None, "fewer runs than expected"
    return done, notes


def rates(done: FreshRuns) -> list[float]:
    return [
        round(1e-9 * run.run.iteration_bytes(variant) / run.run.element_times(variant.id)[0])
        for run in done.runs
        for variant in run.run.shown()[:1]
    ]


def test_a_disturbed_run_is_made_again_and_the_quieter_one_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, notes = series_of([(40, 0), (9, 0.5), (41, 0.01), (42, 0)], monkeypatch)
    assert rates(done) == [40, 41, 42]
    assert [each.round for each in done.runs] == [1, 2, 3]
    (said,) = notes
    assert said == "1 run was disturbed (others took 50 % of the CPUs' time) and repeated."


def test_the_first_one_counts_where_the_second_is_no_quieter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, _ = series_of([(20, 0.5), (10, 0.6), (41, 0.0), (42, 0)], monkeypatch)
    assert rates(done) == [20, 41, 42]


def test_where_others_are_always_at_work_few_runs_are_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, notes = series_of([(20, 0.5), (21, 0.4), (22, 0.5), (23, 0.5)], monkeypatch)
    assert rates(done) == [21, 22, 23] and len(notes) == 1


def test_runs_that_show_how_much_runs_differ_are_never_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, notes = series_of([(40, 0), (9, 0.5), (42, 0)], monkeypatch, again=False)
    assert rates(done) == [40, 9, 42] and not notes


def test_of_a_short_run_ticks_hide_what_others_took() -> None:
    assert surely_taken(run_of(40, 0.5)) == pytest.approx(0.497)
    assert surely_taken(run_of(40, 0.5, seconds=0.05)) == 0


def test_errors_of_ticks_cancel_over_the_runs() -> None:
    runs = [run_of(40, share, seconds=0.1) for share in (0.2, -0.2, 0.1, -0.1)]
    assert taken_from(runs) == pytest.approx(0)
    assert taken_from([run_of(40, 0.3), run_of(40, 0.1)]) == pytest.approx(0.2)


def test_a_series_ends_where_its_first_runs_all_fail_in_the_same_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[int] = []

    def ended(words: Callable[[int], str]) -> list[str]:
        def one(*_: object, **__: object) -> OneRun:
            started.append(1)
            return OneRun(Run(), 1, None, StreamgageError(words(len(started))))

        monkeypatch.setattr(series, "run_once", one)
        notes: list[str] = []
        started.clear()
        order = list(turns([Condition("gcc -O3", make_plan(QUICK, kernels=["copy"]))], 229, 1))
        with pytest.raises(StreamgageError, match="no room"):
            run_in_turn(
                order,
                folder=None,
                before=lambda _: None,
                note=notes.append,
                wait=False,
                fail_together=False,
            )
        return notes

    [note] = ended(lambda _: "There is no room.")
    assert len(started) == FAILED_ALIKE
    assert note == (
        "The first 5 runs all failed in the same words, so the 224 runs left were not started."
    )
    assert not ended(lambda number: f"There is no room for {number}.")
    assert len(started) == 229

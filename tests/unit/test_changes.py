"""When the figures of a machine changed, and what changed with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from example_records import MACHINE
from example_sides import run_records
from msgspec.structs import replace
from store_results import TRIAD, keep, made_summary

import streamgage
from streamgage.analysis.statistics.changes import find_changes, sound_level
from streamgage.comparison.changes import changes_in
from streamgage.records import AnyRecord
from streamgage.store import Store


def nights(source: Random, count: int, level: float, noise: float = 0.02) -> list[float]:
    return [level * math.exp(source.gauss(0, noise)) for _ in range(count)]


def test_ten_years_of_nights_without_a_change_have_hardly_any() -> None:
    source = Random(51)
    false = sum(len(find_changes(nights(source, 365, 400.0))) for _ in range(10))
    assert false <= 1


@pytest.mark.parametrize(("step", "after"), [(0.03, 30), (0.06, 5), (-0.06, 5), (0.2, 4)])
def test_a_step_is_found_where_it_is(step: float, after: int) -> None:
    source = Random(51)
    found = 0
    for _ in range(20):
        series = nights(source, 60, 400.0) + nights(source, after, 400.0 * (1 - step))
        changes = find_changes(series)
        found += bool(changes) and abs(changes[-1].place - 60) <= 3
    assert found >= 16


def test_a_slow_hour_of_a_series_is_one_night_and_no_change() -> None:
    series = nights(Random(1), 60, 400.0)
    series[30] = 200.0
    assert find_changes(series) == []


def test_a_short_or_a_steady_series_has_no_change() -> None:
    assert find_changes([400.0] * 3 + [200.0] * 4) == []
    assert find_changes([400.0] * 50) == []
    assert find_changes([400.0 - 0.01 * night for night in range(40)]) == []


def series_of(days: int, step_at: int, *, host: str = "node7") -> list[Sequence[AnyRecord]]:
    """A run each day; from that day on it is 10 % slower, and its kernel is newer."""
    runs: list[Sequence[AnyRecord]] = []
    for day in range(days):
        slow = day >= step_at
        machine = replace(
            MACHINE,
            host=host,
            time=f"2026-10-{day + 1:02}T04:00:00Z",
            kernel="Linux 6.15.2" if slow else "Linux 6.12.1",
        )
        runs.append(run_records(18.0 if slow else 20.0, seed=day + 1, machine=machine))
    return runs


def test_history_says_when_all_figures_changed_and_what_else(tmp_path: Path) -> None:
    store = keep(tmp_path / "store.sqlite", *series_of(16, 10), *series_of(4, 2, host="node8"))
    answer = streamgage.history(changes=True, store=store)
    assert answer.changes is not None
    [change] = answer.changes.found
    assert (change.run, change.last_before, change.host) == (11, 10, "node7")
    assert change.factor == pytest.approx(0.9, rel=0.01)
    assert change.kernel == "triad plain"
    assert change.before_gbps == pytest.approx(20.0, rel=0.01)
    settings = {each.what: each.values for each in change.settings}
    assert settings["operating system"] == ["Linux 6.12.1", "Linux 6.15.2"]
    printed = answer.printed("table")
    assert "2026-10-11 04:00" in printed
    assert "-10" in printed
    assert "6.12.1 to" in printed
    assert answer.notes_after == (
        "1 group of results measured in the same way: too few to see a change.",
    )


def test_history_says_that_nothing_changed_or_that_nothing_can_be_seen(tmp_path: Path) -> None:
    steady = keep(tmp_path / "steady.sqlite", *series_of(12, 12))
    answer = streamgage.history(changes=True, store=steady)
    assert "No figure changed." in answer.printed("table")
    short = keep(tmp_path / "short.sqlite", *series_of(5, 3))
    assert "no machine has 8 results" in streamgage.history(changes=True, store=short).printed(
        "table"
    )
    assert streamgage.history(changes=True, store=short).printed("json").strip() == "[]"


def test_results_that_cannot_be_relied_on_make_no_change(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path, create=True) as store:
        for day in range(1, 19):
            slow = day > 12
            made = made_summary(
                started=f"2026-10-{day:02}T04:00:00Z",
                rates=[replace(TRIAD, median_gbps=25.0 if slow else 50.0 + 0.1 * (day % 3))],
                trust="not-quotable" if slow else "quotable",
            )
            store.add(made, {"a": str(day).encode()})
        found = changes_in(store.entries(print), None, print)
    assert (found.found, found.left_out) == ([], 6)


def test_the_level_that_a_series_held_is_its_highest_for_some_time() -> None:
    source = Random(7)
    before = [math.log(each) for each in nights(source, 8, 400.0, 0.005)]
    after = [math.log(each) for each in nights(source, 5, 370.0, 0.005)]
    level = sound_level([*before, *after], 0.005)
    assert (level.first, level.end) == (0, 8)
    assert math.exp(level.value) == pytest.approx(400.0, rel=0.005)
    assert math.exp(sound_level([*after, *before], 0.005).value) == pytest.approx(400.0, rel=0.005)
    one_high = [*before[:4], math.log(500.0), *before[4:]]
    assert math.exp(sound_level(one_high, 0.005).value) == pytest.approx(400.0, rel=0.005)
    assert sound_level(before[:1], 0.005).value == before[0]

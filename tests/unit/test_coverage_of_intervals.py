"""How often intervals hold the median of all runs, on made runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from coverage_of_intervals import (
    Bounds,
    OneRunBounds,
    cover,
    exit_status,
    markdown,
    one_of,
    samples_in,
)
from example_records import as_lines, good_records, tuned_records

from streamgage.records.run import collect
from streamgage.results.measure.judge import judge_measure
from streamgage.show.formats import as_json


def triad(
    median: float, low: float, high: float, slowest: float = 1, fastest: float = 99
) -> Bounds:
    return Bounds("triad plain", median, low, high, slowest, fastest)


def test_an_interval_holds_the_median_of_all_runs_or_does_not() -> None:
    ones = [
        OneRunBounds([triad(40, 39, 41)], "memory"),
        OneRunBounds([triad(41, 40, 42)], "memory"),
        OneRunBounds([triad(45, 44, 46)], "open"),
    ]
    found = cover("--quick", ones)
    assert (found.runs, found.intervals, found.holding) == (3, 3, 2)
    assert found.limits == {"memory": 2, "open": 1}
    assert not found.is_contradictory
    assert exit_status([found]) == 0
    assert markdown([found]).splitlines()[-1] == (
        "| 3 of --quick | 3 | 66.7 % | none | memory in 2, open in 1"
        " | 40.0 to 45.0, standard deviation 6 % |"
    )


def test_kernels_are_held_against_their_own_median_alone() -> None:
    copy = Bounds("copy plain", 20, 19, 21, 1, 99)
    found = cover("--quick", [OneRunBounds([triad(40, 39, 41), copy], "open")])
    assert (found.intervals, found.holding) == (2, 2)


def test_an_interval_outside_of_its_samples_fails() -> None:
    found = cover("--quick", [OneRunBounds([triad(40, 39, 41), triad(40, 30, 50, 38, 42)], "open")])
    assert found.outside == ["triad plain of run 1"]
    assert exit_status([found]) == 1
    edge = cover("--quick", [OneRunBounds([triad(40, 38, 42 * (1 + 1e-15), 38, 42)], "open")])
    assert edge.outside == []


def test_two_limits_that_contradict_each_other_fail() -> None:
    ones = [OneRunBounds([triad(40, 39, 41)], limit) for limit in ("memory", "open", "cores")]
    found = cover("--quick", ones)
    assert found.is_contradictory
    assert exit_status([found]) == 1


def test_a_run_that_gave_nothing_fails_and_is_said() -> None:
    found = cover("the default", [], failed=2)
    assert exit_status([found]) == 1
    assert (
        "| 0 of the default, 2 more gave no result | 0 | none | none | none | none |"
        in markdown([found])
    )


@pytest.mark.parametrize("records", [good_records(), tuned_records()])
def test_what_a_run_said_is_read_from_its_document_and_its_records(
    tmp_path: Path, records: list[Any]
) -> None:
    path = tmp_path / "records.jsonl"
    path.write_bytes(as_lines(records))
    document = json.loads(as_json(judge_measure(collect(records)).document))
    one = one_of(document, samples_in(path))
    with_bounds = [each for each in document["kernels"] if each["low_gbps"] is not None]
    assert len(one.bounds) == len(with_bounds) > 0
    assert one.limit == "open"
    for each in one.bounds:
        assert each.slowest <= each.low <= each.median <= each.high <= each.fastest

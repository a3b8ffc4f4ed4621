"""What scaling curves show that somebody should look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from example_scale import (
    asked_of,
    equal_shares,
    machine_of,
    places_of,
    point_run,
    points_of,
    scaling_of,
)

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import ThreadPlace
from streamgage.results.kinds import words_of
from streamgage.results.scale.document import Scale
from streamgage.results.scale.findings import CHECKS
from streamgage.results.scale.judge import judge_scale


def crowded() -> Scale:
    """A launcher that binds two ranks to a core."""
    machine = machine_of(1, 4, smt=2)
    points = points_of(["launcher"], [1, 2, 4])
    runs = []
    for point in points:
        places = places_of(machine, [0, 4, 1, 5][: point.n])
        run = point_run(machine, places, equal_shares(places))
        runs.append(FreshRun(point.name, 1, run, None, None))
    return judge_scale(runs, points, asked_of(["launcher"], [1, 2, 4], rounds=1), machine)


def deep(places: Sequence[ThreadPlace]) -> float:
    return (0.6 if len(places) == 3 else 1.0) * equal_shares(places)


CASES: list[tuple[str, str, Callable[[], Scale], str]] = [
    (
        "scaling-dip",
        "note",
        lambda: scaling_of(machine_of(), ("compact", "scatter")),
        "More threads gave less at n = 5, 7 (scatter): triad plain has 100.1 GB/s with 5 threads,"
        " 17 % below the 120.1 with 4. 3 threads of 5 are on node 0",
    ),
    (
        "scaling-dip",
        "warning",
        lambda: scaling_of(machine_of(1), ("compact",), (1, 2, 3, 4), rate=deep),
        "gave less (compact): triad plain has",
    ),
    (
        "crowded-cores",
        "warning",
        crowded,
        "With launcher 2 threads ran on 1 core, and took turns there",
    ),
    (
        "other-load",
        "warning",
        lambda: scaling_of(
            machine_of(1),
            ("compact",),
            (1, 2, 4),
            taken=lambda point: 0.2 if point.n == 4 else 0.0,
        ),
        "took CPUs from 1 of 3 points, at most 20 % (compact, 4 threads)",
    ),
    (
        "not-saturated",
        "note",
        lambda: scaling_of(machine_of(1, 2), ("compact",), (1, 2)),
        "triad plain still rises at 2 threads (compact): 60.1 GB/s, 2.00 times that of one.",
    ),
]


@pytest.mark.parametrize(("code", "severity", "make", "said"), CASES)
def test_a_finding_is_told_where_it_is_due(
    code: str, severity: str, make: Callable[[], Scale], said: str
) -> None:
    (found,) = [each for each in words_of(make()).findings if each.code == code]
    assert found.severity == severity
    assert said in found.text


def test_every_check_has_a_case() -> None:
    assert {code for code, _ in CHECKS} == {case[0] for case in CASES}


def test_good_curves_have_no_finding() -> None:
    assert not words_of(scaling_of(machine_of(), ("scatter",), (1, 2, 4, 6, 8))).findings


def test_hardware_threads_that_share_cores_by_request_are_not_crowded() -> None:
    answer = scaling_of(machine_of(1, 2, smt=2), ("smt",), (1, 2, 3, 4))
    assert "crowded-cores" not in {each.code for each in words_of(answer).findings}

"""What scaling curves show that somebody should look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from example_records import placement
from example_scale import (
    asked_of,
    equal_shares,
    machine_of,
    places_of,
    point_records,
    point_run,
    points_of,
    scaling_of,
)
from foreign_outputs import STREAM_28, STREAM_56

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.formats import parse_output
from streamgage.records import PlacementRecord as Placed
from streamgage.records import ThreadPlace
from streamgage.records.run import collect
from streamgage.results.interpreted import interpreted
from streamgage.results.kinds import words_of
from streamgage.results.run_findings import OF_RUNS
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


def printed_by_stream() -> Scale:
    (found,) = interpreted(parse_output(STREAM_28 + STREAM_56).tables, UserFacts())
    assert isinstance(found.result.document, Scale)
    return found.result.document


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
        "With launcher 2 threads shared cores in 20 of 20 samples, while other cores had none of"
        " them. They took turns there",
    ),
    (
        "other-load",
        "spoiled",
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
    (
        "unproved",
        "warning",
        printed_by_stream,
        "STREAM does not record where its threads ran",
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
    own = {code for code, _ in CHECKS if code not in dict(OF_RUNS)} - {"not-converged"}
    own -= {"contradicts-itself", "cut-off"}  # see test_findings_of_output.py
    own -= {"uneven-kernels"}  # see test_members.py
    assert own == {case[0] for case in CASES}


def test_good_curves_have_no_finding() -> None:
    assert not words_of(scaling_of(machine_of(), ("scatter",), (1, 2, 4, 6, 8))).findings


@pytest.mark.parametrize(
    ("sampled", "crowded"), [([1, 0], 0), ([1, 1], 20), ([0, 4], 20), ([2, 5], 0)]
)
def test_only_the_samples_say_whether_unbound_ranks_shared_a_core(
    sampled: list[int], crowded: int
) -> None:
    """A launcher that binds nothing may start two ranks on one CPU, from which one soon goes."""
    machine = machine_of(1, 4, smt=2)
    (point,) = points_of(["launcher"], [2])
    first_seen = places_of(machine, [1, 1], bound=False)
    seen = places_of(machine, sampled, bound=False)
    records = [
        placement(*first_seen, kind="none", bound=False) if isinstance(each, Placed) else each
        for each in point_records(machine, seen, equal_shares(seen), bound=False)
    ]
    runs = [FreshRun(point.name, 1, collect(records), None, None)]
    answer = judge_scale(runs, [point], asked_of(["launcher"], [2], rounds=1), machine)
    (place,) = answer.placements[0].points
    assert (place.cpus, place.crowded) == (",".join(map(str, sampled)), crowded)
    assert ("crowded-cores" in {each.code for each in words_of(answer).findings}) == bool(crowded)


def test_hardware_threads_that_share_cores_by_request_are_not_crowded() -> None:
    answer = scaling_of(machine_of(1, 2, smt=2), ("smt",), (1, 2, 3, 4))
    assert "crowded-cores" not in {each.code for each in words_of(answer).findings}

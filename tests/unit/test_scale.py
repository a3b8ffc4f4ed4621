"""Curves of scaling studies: bandwidth, speedup, efficiency, the bend, and dips."""

from __future__ import annotations

import pytest
from example_scale import (
    CORE,
    NODE,
    asked_of,
    equal_shares,
    machine_of,
    places_of,
    point_run,
    points_of,
    scaling_of,
    scaling_runs,
)
from msgspec.structs import replace

from streamgage.analysis.saturation import has_saturated
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records.run import Run
from streamgage.results.kinds import words_of
from streamgage.results.scale.document import Curve, Scale
from streamgage.results.scale.judge import Point, judge_scale
from streamgage.results.scale.page import missing
from streamgage.results.scale.words import reason_of

TWO_NODES = machine_of()


def curve_of(answer: Scale, placement: str, store: str = "plain") -> Curve:
    return next(
        each for each in answer.curves if (each.placement, each.store) == (placement, store)
    )


def test_a_curve_has_the_medians_over_the_rounds_and_their_extremes() -> None:
    curve = curve_of(scaling_of(TWO_NODES), "compact")
    assert [point.n for point in curve.points] == list(range(1, 9))
    two = curve.points[1]
    assert two.gbps.value == pytest.approx(2 * CORE * 1.002, rel=1e-3)
    assert two.gbps.low == pytest.approx(2 * CORE * 1.001, rel=2e-3)
    assert two.gbps.low is not None and two.gbps.high is not None
    assert two.gbps.low < two.gbps.value < two.gbps.high
    assert (two.rounds, two.samples) == (3, 30)
    assert two.speedup is not None and two.speedup.value == pytest.approx(2)
    assert two.efficiency is not None and two.efficiency.value == pytest.approx(1)
    three = curve.points[2]
    assert three.efficiency is not None and three.efficiency.value == pytest.approx(2 / 3)


def test_speedups_are_paired_round_by_round() -> None:
    """What makes a whole round slower is in no speedup."""
    points = points_of(["compact"], [1, 2])
    runs = []
    for number, slow in enumerate([1.0, 0.5, 0.8], 1):
        for point in points:
            places = places_of(TWO_NODES, range(point.n))
            run = point_run(TWO_NODES, places, slow * equal_shares(places))
            runs.append(FreshRun(point.name, number, run, None, None))
    answer = judge_scale(runs, points, asked_of(["compact"], [1, 2]), TWO_NODES)
    speedup = curve_of(answer, "compact").points[1].speedup
    assert speedup is not None
    assert (speedup.value, speedup.low, speedup.high) == pytest.approx((2, 2, 2))
    assert curve_of(answer, "compact").points[1].gbps.low == pytest.approx(CORE, rel=1e-2)


def test_of_one_round_the_interval_is_that_of_the_samples() -> None:
    curve = curve_of(scaling_of(TWO_NODES, rounds=1), "compact")
    point = curve.points[1]
    assert point.gbps.low is not None and point.gbps.high is not None
    assert point.gbps.low < point.gbps.value < point.gbps.high
    assert point.speedup is not None and point.speedup.low is None
    assert point.efficiency is not None and point.efficiency.high is None


def test_the_saturation_point_is_the_fewest_workers_with_90_percent_of_the_best() -> None:
    answer = scaling_of(TWO_NODES)
    assert curve_of(answer, "scatter").enough_n == 4
    assert curve_of(answer, "scatter").saturated is True
    assert curve_of(answer, "compact").enough_n == 8
    assert curve_of(answer, "compact").best_gbps == pytest.approx(2 * NODE, rel=1e-2)
    best, streaming = answer.recommended
    assert (best.kernel, best.store, best.placement, best.n) == ("triad", "plain", "scatter", 4)
    assert streaming.store == "streaming"


def test_of_placements_that_do_as_well_one_that_binds_is_recommended() -> None:
    answer = scaling_of(TWO_NODES, ("none", "scatter"))
    assert answer.recommended[0].placement == "scatter"


def test_without_one_worker_there_is_no_speedup() -> None:
    curve = curve_of(scaling_of(TWO_NODES, counts=(2, 4)), "scatter")
    assert [point.speedup for point in curve.points] == [None, None]


def test_a_dip_is_explained_by_the_fullest_node() -> None:
    answer = scaling_of(TWO_NODES)
    five, seven = curve_of(answer, "scatter").dips
    assert (five.n, five.below_n, seven.n) == (5, 4, 7)
    assert five.explained == pytest.approx(five.gbps, rel=0.01)
    reason = reason_of(answer, curve_of(answer, "scatter"), five)
    assert reason.startswith("3 threads of 5 are on node 0, 2 on node 1, and with equal")
    assert not curve_of(answer, "compact").dips


def test_an_uneven_dip_that_is_deeper_than_its_places_explain_says_so() -> None:
    def rate(places: object) -> float:
        gbps = equal_shares(places)  # type: ignore[arg-type]
        return 0.5 * gbps if len(places) == 5 else gbps  # type: ignore[arg-type]

    answer = scaling_of(TWO_NODES, rate=rate)
    curve = curve_of(answer, "scatter")
    assert curve.dips[0].explained is None
    assert "which alone does not explain it" in reason_of(answer, curve, curve.dips[0])


def drop_at(n: int):  # noqa: ANN201 - a rate
    return lambda places: (0.7 if len(places) == n else 1.0) * equal_shares(places)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            scaling_of(machine_of(1), ("compact",), (1, 2, 3, 4), rate=drop_at(3)),
            "Their places do not explain it",
        ),
        (
            scaling_of(machine_of(1), ("none",), (1, 2, 3, 4), rate=drop_at(3)),
            "They were not bound and moved in 60 samples.",
        ),
        (
            scaling_of(
                machine_of(1),
                ("compact",),
                (1, 2, 3, 4),
                rate=drop_at(3),
                taken=lambda point: 0.3 if point.n == 3 else 0.0,
            ),
            "took up to 30 % of their CPUs during the run",
        ),
        (
            scaling_of(machine_of(1, 2, smt=2), ("smt",), (1, 2, 3, 4), rate=drop_at(2)),
            "2 threads share 1 core.",
        ),
    ],
    ids=["unexplained", "unbound", "disturbed", "shared"],
)
def test_a_dip_without_uneven_nodes_has_another_reason(answer: Scale, reason: str) -> None:
    (dip, *_) = answer.curves[0].dips
    assert dip.explained is None
    assert reason in reason_of(answer, answer.curves[0], dip)


def test_noise_is_no_dip() -> None:
    """2 % below, or with intervals that overlap."""
    answer = scaling_of(
        machine_of(1), ("compact",), (1, 2, 3, 4), rate=lambda places: 60.0 - 0.5 * len(places)
    )
    assert not answer.curves[0].dips
    points = points_of(["compact"], [1, 2])
    runs = []
    for number, gbps in enumerate([30.0, 45.0, 29.0], 1):
        for point in points:
            places = places_of(TWO_NODES, range(point.n))
            run = point_run(TWO_NODES, places, gbps if point.n == 1 else 0.8 * gbps)
            runs.append(FreshRun(point.name, number, run, None, None))
    answer = judge_scale(runs, points, asked_of(["compact"], [1, 2]), TWO_NODES)
    assert not curve_of(answer, "compact").dips


def test_a_failed_point_is_a_gap_and_moves_nothing() -> None:
    points = points_of(["scatter"], range(1, 5))
    runs = [
        FreshRun(each.condition, each.round, Run(), "The engine died.", None)
        if each.condition == "scatter, 3"
        else each
        for each in scaling_runs(TWO_NODES, points)
    ]
    answer = judge_scale(runs, points, asked_of(["scatter"], range(1, 5)), TWO_NODES)
    curve = curve_of(answer, "scatter")
    assert [point.n for point in curve.points] == [1, 2, 4]
    assert curve.points[2].gbps.value == pytest.approx(4 * CORE, rel=1e-2)
    (sentence,) = missing(answer)
    assert sentence == (
        "scatter with 3 threads (round 1); scatter with 3 threads (round 2); scatter with 3"
        " threads (round 3): The engine died."
    )


def test_a_run_with_other_threads_than_were_asked_for_is_no_figure() -> None:
    points = [Point("compact", 2)]
    places = places_of(TWO_NODES, [0])
    runs = [FreshRun("compact, 2", 1, point_run(TWO_NODES, places, 30.0), None, None)]
    answer = judge_scale(runs, points, asked_of(["compact"], [2], rounds=1), TWO_NODES)
    assert not answer.curves
    assert missing(answer) == ["compact with 2 threads: 2 threads were requested and 1 ran."]


def test_the_places_of_every_point_are_told() -> None:
    answer = scaling_of(machine_of(2, 2, smt=2), ("compact", "scatter"), (1, 3, 8))
    compact, scatter = answer.placements
    assert [(p.n, p.cpus, p.per_node, p.cores) for p in compact.points] == [
        (1, "0", {"0": 1}, 1),
        (3, "0-2", {"0": 2, "1": 1}, 3),
        (8, "0-7", {"0": 4, "1": 4}, 4),
    ]
    assert scatter.points[1].cpus == "0,2,1"
    assert scatter.points[1].per_package == {"0": 2, "1": 1}
    assert all(point.bound and point.moved == 0 for point in scatter.points)


def test_an_answer_without_runs_says_nothing_wrong() -> None:
    answer = judge_scale([], points_of(["compact"], [1]), asked_of(["compact"], [1]), TWO_NODES)
    assert not answer.curves and words_of(answer).findings == []
    assert answer.array_bytes is None


@pytest.mark.parametrize(
    ("enough", "before", "last", "ratio", "saturated"),
    [
        (1, 1, 2, 1.02, True),
        (2, 1, 2, 1.9, False),
        (15, 15, 16, 1.066, False),
        (4, 4, 8, 0.8, True),
        (8, 4, 8, 1.3, False),
        (2, 1, 2, 1.3, None),
    ],
)
def test_saturation_of_points(
    enough: int, before: int, last: int, ratio: float, saturated: bool | None
) -> None:
    assert has_saturated(enough, before, last, ratio) is saturated


def test_the_verdict_says_how_many_are_enough() -> None:
    answer = scaling_of(TWO_NODES)
    assert words_of(answer).sentences[0] == (
        "triad plain: 4 threads (scatter) give 120.1 GB/s, at least 90 % of the best (120.1): that"
        " many are enough for a memory-bound program. As good within noise, with the same number:"
        " unbound."
    )
    assert "not binding makes no difference beyond noise" in words_of(answer).sentences[-1]


@pytest.mark.parametrize(("wider", "found"), [(1.0, False), (0.1, True)])
def test_what_binding_changes_is_named_only_beyond_its_noise(wider: float, found: bool) -> None:
    """28.4 against 27.5 GB/s, one round each; the second reaches down by ``wider``."""
    answer = scaling_of(TWO_NODES)

    def with_figure(curve: Curve, value: float, low: float) -> Curve:
        gbps = Estimate(value=value, low=low, high=value + 0.1)
        return replace(curve, points=[replace(e, gbps=gbps, rounds=1) for e in curve.points])

    curves = [
        with_figure(each, *((28.4, 28.3) if each.placement == "none" else (27.5, 27.5 - wider)))
        for each in answer.curves
    ]
    said = words_of(replace(answer, curves=curves)).sentences[-1]
    assert ("gives 1.03 of the bandwidth" in said) == found
    assert ("makes no difference beyond noise" in said) != found


def uneven(rates: dict[int, tuple[float, ...]], *, taken: float = 0.0) -> Scale:
    """Two threads and more, by number the rates of each round."""
    machine = machine_of(1, 8)
    points = [Point("compact", n) for n in rates]
    places = places_of(machine, range(8))
    rounds = len(next(iter(rates.values())))
    runs = [
        FreshRun(
            point.name,
            number + 1,
            point_run(machine, places[: point.n], rates[point.n][number], taken=taken),
            None,
            None,
        )
        for number in range(rounds)
        for point in points
    ]
    return judge_scale(runs, points, asked_of(["compact"], list(rates), rounds=rounds), machine)


def test_a_curve_within_noise_has_no_verdict() -> None:
    """From 1.41 times the bandwidth on a second thread shows that the cores are the limit."""
    noisy = uneven({1: (30.0, 31.0, 29.0), 2: (43.0, 40.0, 48.0)})
    curve = curve_of(noisy, "compact")
    assert (curve.saturated, curve.open_because) == (None, "noise")
    assert "it is not clear whether more would gain" in words_of(noisy).sentences[0]
    steady = curve_of(uneven({1: (30.0, 30.1, 30.2), 2: (58.0, 58.1, 58.2)}), "compact")
    assert (steady.saturated, steady.open_because) == (False, None)


def test_a_curve_whose_cpus_others_had_has_no_verdict() -> None:
    rates = {1: (30.0, 30.1, 30.2), 2: (30.5, 30.6, 30.7)}
    assert curve_of(uneven(rates), "compact").saturated is True
    busy = uneven(rates, taken=0.4)
    assert curve_of(busy, "compact").open_because == "other-load"
    had = "other programs or the hypervisor had much of the CPUs' time"
    assert had in words_of(busy).sentences[1]


def test_all_workers_far_below_fewer_are_no_limit_of_the_memory() -> None:
    fell = uneven({1: (32.0, 32.1, 32.2), 2: (0.36, 0.36, 0.37)})
    curve = curve_of(fell, "compact")
    assert (curve.saturated, curve.open_because) == (None, "falls")
    assert "more gain" not in words_of(fell).sentences[0]


def test_a_number_of_workers_that_noise_may_leave_below_90_percent_is_not_sure() -> None:
    rates = {1: (30.0, 30.1, 30.2), 2: (92.0, 85.0, 95.0), 4: (100.0, 100.1, 100.2)}
    (plain, _) = uneven(rates).recommended
    assert (plain.n, plain.sure) == (2, False)
    (plain, _) = uneven({**rates, 2: (92.0, 92.1, 92.2)}).recommended
    assert (plain.n, plain.sure) == (2, True)


def test_a_verdict_on_cores_that_are_the_limit() -> None:
    answer = scaling_of(machine_of(1, 2), ("compact",), (1, 2))
    assert (
        words_of(answer)
        .sentences[0]
        .startswith("triad plain: bandwidth still rises at 2 threads, 60.1 GB/s")
    )


def test_a_verdict_where_one_worker_has_all() -> None:
    answer = scaling_of(machine_of(1, 2), ("compact",), (1, 2), rate=lambda _: 30.0)
    assert "one thread already has 30.0 of at most 30.0 GB/s" in words_of(answer).sentences[0]


def test_unbound_threads_that_are_slower_are_told_of() -> None:
    slower = scaling_of(TWO_NODES, ("scatter", "none"), rounds=1)
    free = curve_of(slower, "none")
    halved = [
        replace(
            point,
            gbps=replace(
                point.gbps,
                value=point.gbps.value / 2,
                low=(point.gbps.low or 0) / 2,
                high=(point.gbps.high or 0) / 2,
            ),
        )
        for point in free.points
    ]
    curves = [replace(each, points=halved) if each is free else each for each in slower.curves]
    assert "at 8 threads not binding gives 0.50 of the bandwidth of scatter" in " ".join(
        words_of(replace(slower, curves=curves)).sentences
    )

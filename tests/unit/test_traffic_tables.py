"""STREAM's four kernels alone: what the physical limit and the table's agreement tell."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traffic_runs import is_wrong, table_run

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.rates import Crossing
from streamgage.analysis.traffic.verdict import judge_traffic
from streamgage.analysis.user_facts import UserFacts

EPYC_7451 = Peak(341, "given", "2 x 8 channels of DDR4-2666")
LOADS = {"copy": 1, "scale": 1, "add": 2, "triad": 2}


def judged(
    *tables: dict[str, float],
    peak: Peak | None = None,
    saturated: bool | None = None,
    threads: int | None = None,
    array_bytes: int | None = None,
    facts: UserFacts | None = None,
) -> dict[str, Crossing]:
    run = table_run(tables, threads=threads, array_bytes=array_bytes)
    judgement = judge_traffic(run, peak=peak, saturated=saturated, user_facts=facts)
    return {run.variants[number].kernel: each for number, each in judgement.crossings.items()}


def four(copy: float, scale: float, add: float, triad: float) -> dict[str, float]:
    return {"copy": copy, "scale": scale, "add": add, "triad": triad}


GCC = four(240.6, 175.6, 186.2, 186.5)
"""A 2-socket EPYC 7451, STREAM compiled by gcc, threads bound."""


@pytest.mark.parametrize("peak", [EPYC_7451, None])
def test_a_copy_that_became_memcpy_gives_the_others_away(peak: Peak | None) -> None:
    crossings = judged(GCC, peak=peak)
    copy = crossings["copy"]
    assert (copy.alpha.verdict, copy.alpha.evidence) == ("none", "inferred")
    assert copy.hardware_gbps == pytest.approx(240.6)
    for kernel in ("scale", "add", "triad"):
        crossing = crossings[kernel]
        assert (crossing.alpha.verdict, crossing.alpha.evidence) == ("full", "likely")
        assert crossing.hardware_gbps is None  # nothing to quote


def test_a_copy_far_above_the_loops_leaves_one_explanation() -> None:
    # A Threadripper compiled by AOCC, at a peak of 204.8 GB/s: copy alone has streaming stores.
    crossings = judged(four(163.6, 103.0, 113.2, 113.1), peak=Peak(204.8, "given", ""))
    assert (crossings["copy"].alpha.verdict, crossings["copy"].alpha.evidence) == (
        "none",
        "inferred",
    )
    for kernel, hardware in (("scale", 154.5), ("add", 150.9), ("triad", 150.8)):
        crossing = crossings[kernel]
        assert (crossing.alpha.verdict, crossing.alpha.evidence) == ("full", "inferred")
        assert crossing.hardware_gbps == pytest.approx(hardware, abs=0.1)
        low, high = crossing.hardware_low_gbps, crossing.hardware_high_gbps
        assert low is not None and high is not None
        assert low < hardware * 0.95 and high > hardware * 1.05


def test_what_would_exceed_the_peak_did_not_happen() -> None:
    for crossing in judged(four(280, 280, 280, 280), peak=EPYC_7451).values():
        alpha = crossing.alpha
        assert (alpha.verdict, alpha.evidence) == ("none", "excluded")
        assert crossing.hardware_gbps == pytest.approx(280)
        assert crossing.hardware_high_gbps == pytest.approx(341)


def test_the_peak_may_be_given() -> None:
    facts = UserFacts(peak_gbps=341)
    assert judged(four(280, 280, 280, 280), facts=facts)["triad"].alpha.verdict == "none"


def test_a_limit_that_leaves_room_is_only_a_bound() -> None:
    # ThunderX2: Copy with all lines read would be 1.19 of the peak.
    peak = Peak(170.7, "given", "")
    alpha = judged(four(135.4, 134, 137, 137), peak=peak)["copy"].alpha
    assert (alpha.verdict, alpha.evidence, alpha.value) == ("at-most", "excluded", None)
    assert alpha.high == pytest.approx(0.52, abs=0.01)


@pytest.mark.parametrize("peak", [None, Peak(600, "given", "")])
def test_copy_like_scale_tells_nothing_by_itself(peak: Peak | None) -> None:
    for rates in (four(100, 100, 100, 100), four(100, 102, 112, 112), four(90, 99, 110, 108)):
        for crossing in judged(rates, peak=peak).values():
            assert crossing.alpha.evidence in (None, "likely")
            assert crossing.alpha.why
            assert crossing.hardware_gbps is None


def test_a_rate_above_the_peak_excludes_nothing() -> None:
    alpha = judged(four(400, 400, 400, 400), peak=EPYC_7451)["copy"].alpha
    assert alpha.evidence in (None, "likely")


def test_threads_that_are_not_bound_give_no_verdict() -> None:
    # 50 runs on the EPYC without binding: medians and maxima
    medians, maxima = four(76.8, 82.6, 51.7, 52.8), four(156, 150, 140, 145)
    tables = [medians] * 3 + [maxima] + [four(60, 45, 40, 41)] * 2
    for given_tables in ([medians], tables):
        for crossing in judged(*given_tables, peak=EPYC_7451).values():
            assert crossing.alpha.verdict == "cannot-tell" and crossing.alpha.why
    contrast = [four(100, 70, 75, 75), four(60, 42, 45, 45), four(30, 21, 22, 22)]
    reason = judged(*contrast)["scale"].alpha.why
    assert reason is not None and "in 3 tables differ by" in reason


def test_many_alike_tables_are_as_one() -> None:
    crossings = judged(*[{name: rate * f for name, rate in GCC.items()} for f in (1, 0.99, 1.01)])
    assert [each.alpha.verdict for each in crossings.values()] == ["none", "full", "full", "full"]


def test_cores_as_the_limit_leave_nothing_to_agree() -> None:
    for crossing in judged(GCC, saturated=False).values():
        assert crossing.alpha.verdict == "cannot-tell"
    reason = judged(GCC, threads=1)["copy"].alpha.why
    assert reason is not None and "one thread" in reason


def test_arrays_in_the_caches_are_refused() -> None:
    facts = UserFacts(last_level_cache_bytes=64 << 20)
    small = judged(GCC, peak=EPYC_7451, array_bytes=80_000_000, facts=facts)
    for crossing in small.values():
        assert crossing.alpha.verdict == "cannot-tell"
        assert crossing.alpha.why and "caches" in crossing.alpha.why
    large = judged(GCC, array_bytes=2_400_000_000, facts=facts)
    assert large["scale"].alpha.verdict == "full"


def test_contrast_without_agreement_is_refused() -> None:
    # Scale reads 40 % of its lines: neither hypothesis fits.
    rates = four(240, 240 / 1.2, 240 / (1 + 0.4 / 3), 240 / (1 + 0.4 / 3))
    for crossing in judged(rates).values():
        assert crossing.alpha.verdict == "cannot-tell"


def test_a_part_of_the_four_kernels_is_not_enough() -> None:
    for rates in ({"copy": 186.5, "triad": 186.5}, {"triad": 186.5}):
        for crossing in judged(rates).values():
            assert crossing.alpha.verdict == "cannot-tell" and crossing.alpha.why


def test_a_kernel_above_the_peak_ends_the_inference() -> None:
    rates = {"copy": 100.0, "update": 150.0, "daxpy": 150.0, "triad": 112.5, "sdaxpy": 150.0}
    for kernel in ("copy", "triad"):
        alpha = judged(rates, peak=Peak(125, "given", ""), saturated=True)[kernel].alpha
        assert alpha.verdict == "cannot-tell" and alpha.why is not None
        assert "update exceeds 98 % of the peak of 125 GB/s" in alpha.why


BANDWIDTHS = st.tuples(*[st.floats(0.97, 1.03)] * 4)


@given(
    truth=st.sampled_from(
        [(1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 1.0, 1.0), (1.0, 0.0, 0.0, 0.0)]
    ),
    spread=BANDWIDTHS,
    scale=st.floats(1, 1000),
    used=st.floats(0.5, 0.9),
    peak_known=st.booleans(),
)
def test_tables_made_by_memory_are_never_judged_wrongly(
    truth: tuple[float, ...],
    spread: tuple[float, ...],
    scale: float,
    used: float,
    peak_known: bool,
) -> None:
    names = list(LOADS)
    rates = {
        name: scale * spread[k] / (1 + truth[k] / (LOADS[name] + 1)) for k, name in enumerate(names)
    }
    peak = Peak(scale * max(spread) / used, "given", "") if peak_known else None
    crossings = judged(rates, peak=peak)
    for k, name in enumerate(names):
        assert not is_wrong(crossings[name].alpha, truth[k])
        if truth[0] < truth[1]:
            assert crossings[name].alpha.verdict in ("full", "none")


@given(
    partial=st.floats(0, 1),
    copy=st.sampled_from([0.0, None]),
    spread=BANDWIDTHS,
    used=st.floats(0.5, 0.9),
)
def test_stores_that_evade_a_part_are_not_called_none_or_full_without_ground(
    partial: float, copy: float | None, spread: tuple[float, ...], used: float
) -> None:
    truth = dict.fromkeys(LOADS, partial)
    truth["copy"] = partial if copy is None else copy
    rates = {
        name: 100 * spread[k] / (1 + truth[name] / (LOADS[name] + 1))
        for k, name in enumerate(LOADS)
    }
    peak = Peak(100 * max(spread) / used, "given", "")
    for name, crossing in judged(rates, peak=peak).items():
        alpha: Alpha = crossing.alpha
        if alpha.low is not None and alpha.high is not None:
            assert alpha.low - 0.2 <= truth[name] <= alpha.high + 0.2


def test_the_order_of_kernels_changes_nothing() -> None:
    for names in itertools.permutations(GCC):
        crossings = judged({name: GCC[name] for name in names}, peak=EPYC_7451)
        assert {name: each.alpha.verdict for name, each in crossings.items()} == {
            "copy": "none",
            "scale": "full",
            "add": "full",
            "triad": "full",
        }

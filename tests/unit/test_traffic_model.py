"""Machines made from physics: whatever the noise, no verdict contradicts what was put in."""

from __future__ import annotations

import pytest
from guests import core_bound, memory_bound
from hypothesis import given, settings
from hypothesis import strategies as st
from traffic_runs import Guest, is_wrong, verdicts

from streamgage.analysis.traffic.verdict import judge_traffic

WRITING = ("copy", "triad", "striad")
STATES = (None, True, False)
TRUTH = st.sampled_from([0.0, 1.0])


@settings(max_examples=30, deadline=None)
@given(
    plain=TRUTH,
    gbps=st.floats(1, 1000),
    noise=st.floats(0, 0.01),
    drift=st.floats(0, 0.3),
    seed=st.integers(0, 1000),
    saturated=st.sampled_from(STATES),
)
def test_memory_is_never_judged_wrongly(
    *, plain: float, gbps: float, noise: float, drift: float, seed: int, saturated: bool | None
) -> None:
    guest = Guest(memory_bound(plain, gbps=gbps), noise, drift, blocks=20, seed=seed)
    judgement = judge_traffic(guest.run(), saturated=saturated)
    truth = {"plain": plain, "regular": plain, "forced": 1.0, "streaming": 0.0}
    for number, (kernel, how) in enumerate(guest.times):
        alpha = judgement.crossings[number].alpha
        if kernel in WRITING or kernel == "init":
            assert not is_wrong(alpha, truth[how]), (kernel, how, alpha)
        if kernel in WRITING:
            assert alpha.verdict != "cannot-tell", (kernel, how, alpha)


@settings(max_examples=20, deadline=None)
@given(plain=st.floats(0, 1), streaming=st.floats(0, 1), seed=st.integers(0, 1000), saturated=TRUTH)
def test_any_share_of_reads_is_never_judged_wrongly(
    plain: float, streaming: float, seed: int, saturated: float
) -> None:
    guest = Guest(memory_bound(plain, streaming=streaming), 0.01, blocks=20, seed=seed)
    judgement = judge_traffic(guest.run(), saturated=bool(saturated))
    truth = {"plain": plain, "regular": plain, "forced": 1.0, "streaming": streaming}
    for number, (kernel, how) in enumerate(guest.times):
        if kernel in (*WRITING, "init"):
            alpha = judgement.crossings[number].alpha
            assert not is_wrong(alpha, truth[how]), (kernel, how, alpha)


@settings(max_examples=20, deadline=None)
@given(
    late=st.floats(1.0, 2.0),
    forced=st.floats(0.93, 1.07),
    own_cost=st.floats(0, 0.35),
    seed=st.integers(0, 1000),
)
def test_slow_cores_are_never_judged_wrongly(
    late: float, forced: float, own_cost: float, seed: int
) -> None:
    places = {kernel: (max(late, forced), forced, own_cost) for kernel in WRITING}
    guest = Guest(core_bound(places), 0.01, blocks=20, seed=seed)
    judgement = judge_traffic(guest.run(), saturated=False)
    assert set(verdicts(guest, judgement, "plain").values()) <= {"full", "cannot-tell"}
    assert set(verdicts(guest, judgement, "streaming").values()) <= {"at-most"}


@pytest.mark.parametrize("scale", [1e-3, 17.0])
def test_a_faster_machine_of_the_same_kind_has_the_same_verdicts(scale: float) -> None:
    times = core_bound()
    guests = [Guest(times), Guest({key: scale * value for key, value in times.items()})]
    one, other = (judge_traffic(guest.run(), saturated=False) for guest in guests)
    for number, crossing in one.crossings.items():
        alpha = other.crossings[number].alpha
        assert alpha.verdict == crossing.alpha.verdict
        assert alpha.high == pytest.approx(crossing.alpha.high)


def test_the_order_of_records_changes_nothing() -> None:
    guest = Guest(core_bound())
    one = judge_traffic(guest.run(), saturated=False)
    run = guest.run()
    run.variants = dict(reversed(run.variants.items()))
    run.samples = {number: list(reversed(each)) for number, each in run.samples.items()}
    other = judge_traffic(run, saturated=False)
    assert other.crossings == one.crossings

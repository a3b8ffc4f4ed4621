"""Measured runs: forced reads, streaming stores, and when nothing can be told."""

from __future__ import annotations

import msgspec
import pytest
from example_records import DISTURBANCE, MEMORY, MIB, samples_of
from guests import core_bound, memory_bound
from traffic_runs import Guest, verdicts

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.verdict import TrafficJudgement, judge_traffic
from streamgage.records import AnyRecord, Disturbance, Sample
from streamgage.records.run import Run, collect

WRITING = ("copy", "triad", "striad")
STATES = (None, True, False)


def alpha_of(guest: Guest, judgement: TrafficJudgement, kernel: str, how: str) -> Alpha:
    return judgement.crossings[guest.id(kernel, how)].alpha


@pytest.mark.parametrize("saturated", STATES)
def test_a_late_read_is_a_read(saturated: bool | None) -> None:
    guest = Guest(core_bound(), noise=0.01, drift=0.1)
    judgement = judge_traffic(guest.run(), saturated=saturated)
    assert set(verdicts(guest, judgement, "plain").values()) == {"full"}
    assert set(verdicts(guest, judgement, "forced").values()) == {"full"}
    assert set(verdicts(guest, judgement, "streaming").values()) == {"at-most"}
    assert judgement.refusals == ()
    streaming = alpha_of(guest, judgement, "copy", "streaming")
    assert streaming.value == pytest.approx(0.32, abs=0.03)
    assert streaming.high == pytest.approx(0.48, abs=0.03)


def test_what_the_late_read_costs_is_told() -> None:
    guest = Guest(core_bound(), noise=0.01)
    judgement = judge_traffic(guest.run(), saturated=False)
    late = judgement.late_reads[guest.id("copy", "plain")]
    assert late.value == pytest.approx(3.56 / 3 - 1, abs=0.01)
    assert late.low < late.value < late.high
    assert guest.id("copy", "streaming") not in judgement.late_reads
    gain = judgement.streaming_gains["triad"]
    assert gain.ratio.value == pytest.approx(4.58 / 3.29, abs=0.01)
    assert gain.streaming == guest.id("triad", "streaming")


def test_forced_reads_come_out_as_one() -> None:
    judgement = judge_traffic(Guest(core_bound(), noise=0.01).run())
    assert list(judgement.forced_reads) == ["copy", "triad", "striad"]
    for check in judgement.forced_reads.values():
        assert check.ok and check.alpha is not None
        assert check.alpha.low < 1 < check.alpha.high


def test_a_forced_read_that_is_not_one_silences_all_inference() -> None:
    places = {"copy": (1.3, 1.25, 0.3), "triad": (1.0, 1.0, 0.1)}
    guest = Guest(core_bound(places))
    judgement = judge_traffic(guest.run(), saturated=True)
    assert judgement.forced_reads["copy"].ok is False
    assert judgement.forced_reads["triad"].ok is True
    for how in ("plain", "forced", "streaming"):
        assert set(verdicts(guest, judgement, how).values()) == {"cannot-tell"}
    (reason,) = judgement.refusals
    assert reason.startswith("the self-test of timing failed (copy 1.2")


def test_ordinary_stores_that_evade_the_read_are_bounded_or_judged() -> None:
    guest = Guest(memory_bound(0.0))
    judged = {state: judge_traffic(guest.run(), saturated=state) for state in STATES}
    assert set(verdicts(guest, judged[True], "plain").values()) == {"none"}
    for state in (False, None):
        assert set(verdicts(guest, judged[state], "plain").values()) == {"at-most"}


def test_a_part_is_judged_where_memory_is_the_limit() -> None:
    guest = Guest(memory_bound(0.5))
    judgement = judge_traffic(guest.run(), saturated=True)
    plain = verdicts(guest, judgement, "plain")
    assert {plain[kernel] for kernel in WRITING} == {"partial"}
    crossing = judgement.crossings[guest.id("copy", "plain")]
    assert crossing.hardware_gbps == pytest.approx(20, rel=0.01)
    unsaturated = judge_traffic(guest.run(), saturated=False)
    reason = alpha_of(guest, unsaturated, "copy", "plain").why
    assert reason is not None and "faster than with its lines certainly read" in reason


def test_kernels_with_the_same_stores_must_agree() -> None:
    guest = Guest(memory_bound({"copy": 0.1, "triad": 0.6, "striad": 0.6, "init": 0.6}))
    judgement = judge_traffic(guest.run(), saturated=True)
    plain = verdicts(guest, judgement, "plain")
    assert {plain[kernel] for kernel in WRITING} == {"cannot-tell"}
    assert any("must agree" in reason for reason in judgement.refusals)


def test_a_copy_known_to_be_memcpy_need_not_agree() -> None:
    guest = Guest(memory_bound({"copy": 0.0, "triad": 1.0, "striad": 1.0, "init": 1.0}))
    number = guest.id("copy", "plain")
    run = guest.run()
    run.variants[number] = msgspec.structs.replace(run.variants[number], calls=["memcpy"])
    judgement = judge_traffic(run, saturated=True)
    assert verdicts(guest, judgement, "plain") == {
        "copy": "none",
        "triad": "full",
        "striad": "full",
        "init": "full",
    }


def test_slow_streaming_stores_are_no_sign_of_a_read() -> None:
    guest = Guest(memory_bound(1.0, streaming=0.6))
    judgement = judge_traffic(guest.run(), saturated=True)
    assert alpha_of(guest, judgement, "copy", "streaming").verdict == "at-most"
    crossing = judgement.crossings[guest.id("copy", "streaming")]
    assert crossing.hardware_gbps is None
    low, high = crossing.hardware_low_gbps, crossing.hardware_high_gbps
    assert low is not None and high is not None and low < high


def test_twins_that_are_alike_tell_nothing() -> None:
    guest = Guest(memory_bound(1.0, streaming=0.9))
    judgement = judge_traffic(guest.run(), saturated=False)
    plain = verdicts(guest, judgement, "plain")
    assert {plain[kernel] for kernel in WRITING} == {"cannot-tell"}


def without(records: list[AnyRecord], guest: Guest, *gone: str) -> Run:
    numbers = {number for number, (_, how) in enumerate(guest.times) if how in gone}
    numbers |= {number for number, (kernel, _) in enumerate(guest.times) if kernel in gone}
    return collect(
        [
            record
            for record in records
            if getattr(record, "variant", None) not in numbers
            and getattr(record, "id", None) not in numbers
        ]
    )


def test_without_forced_reads_saturation_has_to_be_known() -> None:
    guest = Guest(memory_bound(1.0))
    run = without(guest.records(), guest, "forced")
    for saturated, verdict in ((True, "full"), (False, "cannot-tell"), (None, "cannot-tell")):
        judgement = judge_traffic(run, saturated=saturated)
        assert alpha_of(guest, judgement, "copy", "plain").verdict == verdict


def test_without_streaming_stores_the_brackets_show_what_a_read_costs() -> None:
    guest = Guest(core_bound())
    judgement = judge_traffic(without(guest.records(), guest, "streaming"), saturated=False)
    assert alpha_of(guest, judgement, "triad", "plain").verdict == "full"


def test_without_brackets_a_forced_read_is_not_checked() -> None:
    guest = Guest(memory_bound(1.0))
    run = without(guest.records(), guest, "update", "daxpy", "sdaxpy", "bracket")
    judgement = judge_traffic(run, saturated=False)
    for how in ("plain", "forced", "streaming"):
        alpha = alpha_of(guest, judgement, "copy", how)
        assert alpha.verdict == "cannot-tell" and alpha.why is not None
        assert "update and daxpy" in alpha.why


def test_the_peak_speaks_where_times_do_not() -> None:
    guest = Guest(memory_bound(0.0))
    run = without(guest.records(), guest, "update", "daxpy", "sdaxpy", "bracket", "forced")
    alpha = alpha_of(guest, judge_traffic(run, peak=Peak(23, "smbios", "")), "copy", "plain")
    assert (alpha.verdict, alpha.evidence) == ("none", "excluded")


def spoilt(*records: AnyRecord, **changes: int) -> TrafficJudgement:
    guest = Guest(core_bound(), extra=list(records))
    run = guest.run()
    assert run.memory is not None
    run.memory = msgspec.structs.replace(run.memory, **changes)
    return judge_traffic(run, saturated=True, peak=Peak(8, "given", ""))


def test_arrays_below_the_rule_are_refused() -> None:
    judgement = spoilt(array_bytes=MEMORY.rule_bytes - MIB)
    assert len(judgement.refusals) == 1 and "caches" in judgement.refusals[0]
    for number, crossing in judgement.crossings.items():
        assert crossing.hardware_gbps is None, number


def test_steal_time_is_refused() -> None:
    stolen: Disturbance = msgspec.structs.replace(DISTURBANCE, steal_seconds=0.5)
    judgement = spoilt(stolen)
    assert any("hypervisor took 1.2 %" in reason for reason in judgement.refusals)
    assert judge_traffic(Guest(core_bound()).run()).refusals == ()


def test_two_modes_are_refused_and_a_common_mode_is_none() -> None:
    guest = Guest(core_bound(), blocks=40)
    records = guest.records()
    alone, common = [], []
    for record in records:
        slow = record
        if isinstance(record, Sample) and record.block % 2:
            slow = msgspec.structs.replace(record, seconds=record.seconds * 1.3)
        common.append(slow)
        plain = isinstance(record, Sample) and record.variant == guest.id("copy", "plain")
        alone.append(slow if plain else record)
    judgement = judge_traffic(collect(alone))
    refused = alpha_of(guest, judgement, "copy", "plain")
    assert refused.verdict == "cannot-tell" and refused.why is not None
    assert "two groups" in refused.why
    assert alpha_of(guest, judgement, "triad", "plain").verdict == "full"
    assert judge_traffic(collect(common)).refusals == ()


def test_few_blocks_are_refused() -> None:
    judgement = judge_traffic(Guest(core_bound(), blocks=5).run())
    assert judgement.refusals == ("too few blocks (5): 6 are needed",)


def test_a_part_of_the_threads_is_not_judged() -> None:
    guest = Guest(core_bound())
    series = msgspec.structs.replace(
        guest.variants()[guest.id("triad", "plain")], id=99, purpose="series", threads=1
    )
    samples = samples_of(99, [0.01] * 20)
    run = collect([*guest.records(), series, *samples])
    judgement = judge_traffic(run, saturated=False)
    assert "part of the threads" in (judgement.crossings[99].alpha.why or "")
    assert alpha_of(guest, judgement, "triad", "plain").verdict == "full"


def test_nothing_gives_nothing() -> None:
    assert judge_traffic(Run()).crossings == {}


def test_any_part_of_a_run_gives_a_judgement() -> None:
    records = Guest(core_bound(), blocks=6).records()
    for length in range(0, len(records), 7):
        judge_traffic(collect(records[:length]))
        judge_traffic(collect(records[length:]))

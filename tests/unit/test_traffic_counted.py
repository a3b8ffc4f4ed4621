"""What counters of the memory controllers say, and when they are not believed."""

from __future__ import annotations

import msgspec
import pytest
from example_counters import LOST, calibration
from example_records import MEMORY
from guests import core_bound
from traffic_runs import Guest

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.traffic.rates import Crossing
from streamgage.analysis.traffic.verdict import judge_traffic
from streamgage.analysis.traffic.volumes import complete_volumes, of_one_pass
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import AnyRecord, DomainTraffic, Traffic
from streamgage.results.measure.crossing import crossed
from streamgage.results.measure.judge import judge_measure
from streamgage.show.page import words

ARRAY = 8 * MEMORY.elements
GUEST = Guest(core_bound())
TRIAD = GUEST.id("triad", "plain")
SECONDS = GUEST.times[("triad", "plain")] * 1e-9 * MEMORY.elements


def traffic(
    read: float,
    written: float,
    *,
    variant: int = TRIAD,
    block: int = 0,
    samples: int = 5,
    running: float = 1.0,
) -> Traffic:
    """Counters of so many samples; bytes in arrays a pass."""
    half = [
        DomainTraffic(
            node=node,
            bytes_read=read * ARRAY * samples / 2,
            bytes_written=written * ARRAY * samples / 2,
            bytes_total=(read + written) * ARRAY * samples / 2,
        )
        for node in (0, 1)
    ]
    return Traffic(
        variant=variant,
        block=block,
        samples=samples,
        passes=samples,
        seconds=1.5 * samples * SECONDS,
        source="perf uncore_imc",
        domains=half,
        running_share=running,
    )


def by_total(total: float, *, variant: int = TRIAD, running: float = 1.0) -> Traffic:
    """The same of a source that does not tell reads and writes apart; arrays a pass."""
    domain = DomainTraffic(bytes_read=None, bytes_written=None, bytes_total=total * ARRAY * 5)
    return msgspec.structs.replace(
        traffic(0, 0, variant=variant, running=running), source="resctrl", domains=[domain]
    )


def judged(*records: AnyRecord, variant: int = TRIAD, peak: Peak | None = None) -> Crossing:
    guest = Guest(core_bound(), extra=list(records))
    return judge_traffic(guest.run(), peak=peak).crossings[variant]


def test_three_reads_a_write_are_full_write_allocate() -> None:
    crossing = judged(*(traffic(3.0, 1.0, block=block) for block in (0, 5, 10, 15, 20, 25)))
    assert (crossing.alpha.verdict, crossing.alpha.evidence) == ("full", "measured")
    assert crossing.alpha.value == pytest.approx(1.0)
    # of the samples' time, not of the time that the counters ran
    assert crossing.hardware_gbps == pytest.approx(4 * ARRAY / SECONDS / 1e9, rel=0.01)


@pytest.mark.parametrize(
    ("read", "verdict"), [(2.0, "none"), (2.1, "none"), (2.5, "partial"), (2.95, "full")]
)
def test_the_verdict_is_that_of_the_counters(read: float, verdict: str) -> None:
    crossing = judged(traffic(read, 1.0))
    assert (crossing.alpha.verdict, crossing.alpha.evidence) == (verdict, "measured")
    assert crossing.alpha.value == pytest.approx(read - 2)


def test_counters_go_before_times() -> None:
    assert judged().alpha.evidence == "inferred" and judged().alpha.verdict == "full"
    assert judged(traffic(2.0, 1.0)).alpha.verdict == "none"


def test_counters_give_the_hardware_rate_of_any_kernel() -> None:
    update = GUEST.id("update", "regular")
    crossing = judged(traffic(1.05, 1.0, variant=update), variant=update)
    assert crossing.alpha.verdict is None
    seconds = GUEST.times[("update", "regular")] * 1e-9 * MEMORY.elements
    assert crossing.hardware_gbps == pytest.approx(2.05 * ARRAY / seconds / 1e9, rel=0.01)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (traffic(3, 1, running=0.5), "counted for only 50 % of the time"),
        (traffic(1.5, 1), "saw only 75 % of the reads"),
        (traffic(3, 0.5), "saw only 50 % of the writes"),
        (traffic(0, 0), "saw only 0 % of the reads"),
        (traffic(6, 1), "something else used the memory"),
        (traffic(3, 2), "something else used the memory"),
    ],
)
def test_counters_that_cannot_be_right_are_not_believed(record: Traffic, why: str) -> None:
    believed = judged(record)
    assert (believed.alpha.verdict, believed.alpha.evidence) == ("full", "inferred")
    guest = Guest(core_bound(), blocks=5, extra=[record])
    crossing = judge_traffic(guest.run()).crossings[TRIAD]
    assert crossing.alpha.verdict == "cannot-tell" and crossing.alpha.why is not None
    assert why in crossing.alpha.why and "too few" in crossing.alpha.why


def test_counters_above_the_peak_are_not_believed() -> None:
    believed = judged(traffic(3, 1), peak=Peak(100, "smbios", ""))
    assert believed.alpha.evidence == "measured"
    rejected = judged(traffic(3, 1), peak=Peak(15, "smbios", ""))
    assert rejected.alpha.evidence != "measured"


@pytest.mark.parametrize(("total", "verdict"), [(3.0, "none"), (4.0, "full"), (3.5, "partial")])
def test_a_total_gives_alpha_by_what_is_beyond_the_kernels_own(total: float, verdict: str) -> None:
    crossing = judged(by_total(total))
    assert (crossing.alpha.verdict, crossing.alpha.evidence) == (verdict, "measured")
    assert crossing.alpha.value == pytest.approx(total - 3)
    assert crossing.hardware_gbps == pytest.approx(total * ARRAY / SECONDS / 1e9, rel=0.01)
    assert crossing.traffic is not None
    assert (crossing.traffic.bytes_read, crossing.traffic.reads_per_write) == (None, None)
    assert crossing.traffic.bytes_total == pytest.approx(total * ARRAY)


def test_a_total_is_surer_the_less_of_an_array_the_caches_can_keep() -> None:
    small = judged(by_total(4.0)).alpha
    large = msgspec.structs.replace(MEMORY, last_level_cache_bytes=1 << 20)
    guest = Guest(core_bound(), extra=[large, by_total(4.0)])
    sure = judge_traffic(guest.run()).crossings[TRIAD].alpha
    assert small.low is not None and sure.low is not None and small.low < sure.low


@pytest.mark.parametrize(
    ("total", "why"), [(2.0, "saw only 67 % of the traffic"), (6.5, "something")]
)
def test_totals_that_cannot_be_right_are_not_believed(total: float, why: str) -> None:
    guest = Guest(core_bound(), blocks=5, extra=[by_total(total)])
    reason = judge_traffic(guest.run()).crossings[TRIAD].alpha.why
    assert reason is not None and why in reason


def test_a_lost_domain_is_refused_with_its_reason_and_never_nothing() -> None:
    lost = msgspec.structs.replace(LOST, variant=TRIAD)
    guest = Guest(core_bound(), blocks=5, extra=[lost])
    crossing = judge_traffic(guest.run()).crossings[TRIAD]
    assert crossing.alpha.verdict == "cannot-tell" and crossing.alpha.why is not None
    assert "uncore_imc_3 cannot be read any more" in crossing.alpha.why
    assert crossing.traffic is None


def test_what_was_counted_before_a_domain_was_lost_counts() -> None:
    crossing = judged(traffic(3.0, 1.0), msgspec.structs.replace(LOST, variant=TRIAD))
    assert (crossing.alpha.verdict, crossing.alpha.evidence) == ("full", "measured")
    assert crossing.traffic is not None and crossing.traffic.samples == 5


def test_writes_that_the_caches_can_keep_are_not_missed() -> None:
    # a quarter of an array is what the last-level cache holds here
    assert judged(traffic(3.0, 0.75)).alpha.evidence == "measured"
    assert judged(traffic(3.0, 0.6)).alpha.evidence == "inferred"


def test_counters_that_took_turns_are_believed_where_their_calibration_was() -> None:
    turns = traffic(3.0, 1.0, running=0.5)
    assert judged(turns).alpha.evidence == "inferred"
    assert judged(calibration(), turns).alpha.evidence == "measured"
    assert judged(calibration(), traffic(3.0, 1.0, running=0.1)).alpha.evidence == "inferred"


def test_a_rejected_source_is_not_used() -> None:
    assert judged(calibration(reason="too little"), traffic(2.0, 1.0)).alpha.verdict == "full"


def test_reads_and_writes_of_a_pass_are_told_apart() -> None:
    counted = judged(traffic(3.0, 1.0)).traffic
    assert counted is not None
    assert counted.bytes_read == pytest.approx(3 * ARRAY)
    assert counted.bytes_written == pytest.approx(ARRAY)
    assert counted.reads_per_write == pytest.approx(3.0)
    assert not counted.replayed


def test_reads_a_write_are_not_told_of_a_kernel_that_writes_nothing() -> None:
    volumes, lost = complete_volumes([traffic(1.0, 0.01), traffic(1.0, 0.02, block=5)])
    counted = of_one_pass(volumes)
    assert lost is None and counted is not None
    assert counted.bytes_written == pytest.approx(0.015 * ARRAY)
    assert counted.reads_per_write is None


def test_what_was_played_back_is_not_called_measured() -> None:
    replayed = msgspec.structs.replace(traffic(3.0, 1.0), replayed=True)
    guest = Guest(core_bound(), extra=[replayed])
    judged = judge_measure(guest.run(), UserFacts(peak_gbps=100))
    triad = next(
        each for each in judged.document.kernels if (each.kernel, each.store) == ("triad", "plain")
    )
    assert (triad.alpha.verdict, triad.alpha.evidence) == ("full", "replayed")
    assert triad.peak_share is None
    assert words(crossed(triad)).endswith(" replayed")
    assert "counters-replayed" in [finding.code for finding in judged.words.findings]

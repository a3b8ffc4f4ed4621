"""What counters of the memory controllers say, and when they are not believed."""

from __future__ import annotations

import pytest
from guests import core_bound
from made_records import MEMORY
from traffic_runs import Guest

from streamgage.analysis.peak import Peak
from streamgage.analysis.traffic import Crossing, judge_traffic
from streamgage.records import DomainTraffic, Traffic

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


def judged(*records: Traffic, variant: int = TRIAD, peak: Peak | None = None) -> Crossing:
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
        (traffic(3, 1, running=0.5), "counted for 50 % of the time"),
        (traffic(1.5, 1), "saw 75 % of the reads"),
        (traffic(3, 0.5), "saw 50 % of the writes"),
        (traffic(0, 0), "saw 0 % of the reads"),
        (traffic(6, 1), "something else used the memory"),
        (traffic(3, 2), "something else used the memory"),
    ],
)
def test_counters_that_cannot_be_right_are_not_believed(record: Traffic, why: str) -> None:
    believed = judged(record)
    assert (believed.alpha.verdict, believed.alpha.evidence) == ("full", "inferred")
    guest = Guest(core_bound(), blocks=5, extra=[record])
    crossing = judge_traffic(guest.run()).crossings[TRIAD]
    assert crossing.alpha.verdict == "cannot-tell" and crossing.alpha.reason is not None
    assert why in crossing.alpha.reason and "too few" in crossing.alpha.reason


def test_counters_above_the_peak_are_not_believed() -> None:
    believed = judged(traffic(3, 1), peak=Peak(100, "smbios", ""))
    assert believed.alpha.evidence == "measured"
    rejected = judged(traffic(3, 1), peak=Peak(15, "smbios", ""))
    assert rejected.alpha.evidence != "measured"

"""Makes invented intervals of memory traffic, and watches of them."""

from __future__ import annotations

from msgspec.structs import replace

from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.programs.traffic.on_curve import doubts_of, on_curve
from streamgage.records import (
    CalibratedKernel,
    Calibration,
    Counters,
    DomainTraffic,
    Interval,
    Machine,
    TrafficSource,
)
from streamgage.results.latency.document import Latency
from streamgage.results.traffic.document import OnCurve, TrafficResult

SOURCE = "perf uncore_imc"
COUNTERS = Counters(
    root=None,
    replayed=False,
    hypervisor=None,
    perf_event_paranoid=0,
    source=SOURCE,
    sources=[
        TrafficSource(
            source=SOURCE,
            state="available",
            reason=None,
            remedy=None,
            notes=[],
            machine="Intel server",
            total_only=False,
            counters=[],
        )
    ],
)
NO_SOURCE = Counters(
    root=None,
    replayed=False,
    hypervisor="KVM",
    perf_event_paranoid=2,
    source=None,
    sources=[
        TrafficSource(
            source="perf uncore",
            state="absent",
            reason="this is a guest of KVM, which shows no memory controller's PMU",
            remedy="the bare machine: hypervisors hide the memory controllers from guests",
            notes=[],
            machine=None,
            total_only=False,
            counters=[],
        )
    ],
)


def calibration(reason: str | None = None) -> Calibration:
    """The calibration of ``SOURCE`` by ``measure``; a reason rejects the source."""
    return Calibration(
        source=SOURCE,
        replayed=False,
        accepted=reason is None,
        reason=reason,
        idle_seconds=0.3,
        idle_read=1e7,
        idle_written=1e7,
        idle_total=2e7,
        runs=[
            CalibratedKernel(
                kernel="sum",
                store=None,
                seconds=0.05,
                expected_read=1e9,
                expected_written=0.0,
                read=1.012e9,
                written=0.0,
                total=1.012e9,
                deviation=0.012,
            )
        ],
    )


def domain(
    package: int | None, read: float | None, written: float | None, seconds: float = 1.0
) -> DomainTraffic:
    """The traffic of a package at these GB/s; ``None``: lost."""
    if read is None:
        return DomainTraffic(
            package=package,
            bytes_read=None,
            bytes_written=None,
            bytes_total=None,
            reason="its CPU went offline",
        )
    total = read + (written or 0.0)
    return DomainTraffic(
        package=package,
        bytes_read=read * seconds * 1e9 if written is not None else None,
        bytes_written=written * seconds * 1e9 if written is not None else None,
        bytes_total=total * seconds * 1e9,
    )


def interval(start: float, *domains: DomainTraffic, seconds: float = 1.0) -> Interval:
    """One interval."""
    return Interval(
        start=start, seconds=seconds, source=SOURCE, domains=list(domains), running_share=1.0
    )


def of_one(*rates: float | None, written: float = 0.0) -> list[Interval]:
    """A second at each of ``rates`` of reads, of the only package; null: it was lost."""
    return [
        interval(float(second), domain(0, rate, None if rate is None else written))
        for second, rate in enumerate(rates)
    ]


def of_two(*rates: tuple[float | None, float | None]) -> list[Interval]:
    """A second at each pair of rates of reads, of two packages, which write a third of that."""
    return [
        interval(
            float(second),
            *(
                domain(number, each, None if each is None else each / 3)
                for number, each in enumerate(pair)
            ),
        )
        for second, pair in enumerate(rates)
    ]


def watched(machine: Machine, latency: Latency) -> TrafficResult:
    """A watch of two packages for a few seconds, one of them lost, on the curve of ``latency``."""
    watch = Watch(
        source=SOURCE,
        replayed=False,
        intervals=of_two((30.0, 20.0), (31.0, 40.0), (12.0, None), (5.0, 1.0)),
        command=["./solver", "-n", "4"],
        exit_status=0,
        machine=machine,
    )
    seen = traffic_of(watch, Limits(peak_gbps=140.8, peak_detail="--peak"))
    placed = on_curve(seen.intervals, latency, "latency.json", doubts_of(seen, latency))
    assert isinstance(placed, OnCurve)
    return replace(seen, curve=placed)

"""Makes invented records of counters: sources that were found, tried, and lost."""

from __future__ import annotations

from streamgage.records import (
    CalibratedKernel,
    Calibration,
    Counters,
    DomainTraffic,
    Traffic,
    TrafficSource,
)

SOURCE = "perf uncore_imc"


def _absent(source: str, reason: str) -> TrafficSource:
    return TrafficSource(
        source=source,
        state="absent",
        reason=reason,
        remedy=None,
        notes=[],
        machine=None,
        total_only=source == "resctrl",
        counters=[],
    )


NO_SOURCE = Counters(
    root=None,
    replayed=False,
    hypervisor="KVM",
    perf_event_paranoid=2,
    source=None,
    sources=[
        _absent("perf uncore", "this is a guest of KVM, which shows no memory controller's PMU"),
        _absent("resctrl", "there is no /sys/fs/resctrl"),
    ],
)
"""What a guest finds."""

LOST = Traffic(
    variant=0,
    block=7,
    samples=1,
    passes=1,
    seconds=0.02,
    source=SOURCE,
    domains=[
        DomainTraffic(package=0, bytes_read=1e9, bytes_written=1e9, bytes_total=2e9),
        DomainTraffic(
            package=1,
            bytes_read=None,
            bytes_written=None,
            bytes_total=None,
            reason="uncore_imc_3 cannot be read any more: No such device",
        ),
    ],
    running_share=1.0,
)
"""One of two packages died."""


def calibration(*, reason: str | None = None, replayed: bool = False) -> Calibration:
    """A calibration that accepts the source or, with a reason, rejects it."""
    known = (
        ("sum", None, 4e9, 0.0),
        ("update", "regular", 2e9, 2e9),
        ("init", "streaming", 0, 4e9),
    )
    return Calibration(
        source=f"{SOURCE} (replayed)" if replayed else SOURCE,
        replayed=replayed,
        accepted=reason is None,
        reason=reason,
        idle_seconds=0.3,
        idle_read=3e7,
        idle_written=2e7,
        idle_total=5e7,
        runs=[
            CalibratedKernel(
                kernel=kernel,
                store=store,
                seconds=0.06,
                expected_read=read,
                expected_written=written,
                read=1.01 * read,
                written=1.005 * written,
                total=1.01 * read + 1.005 * written,
                deviation=0.01 if read else 0.005,
            )
            for kernel, store, read, written in known
        ],
    )

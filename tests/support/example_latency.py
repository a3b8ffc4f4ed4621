"""Makes runs of latency on invented machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from example_ladder import KIB, MIB, machine_of
from example_records import END, placement
from example_scale import places_of

from streamgage.records import (
    AnyRecord,
    IdleLatency,
    LatencyPlanRecord,
    LoadedLatency,
    LoadedWindow,
    LoadRequest,
    Machine,
)
from streamgage.records.run import Run, collect
from streamgage.results.latency.document import Latency
from streamgage.results.latency.judge import judge_latency

NANOSECONDS = ((32 * KIB, 1.5), (512 * KIB, 5.0), (8 * MIB, 25.0))
"""Working sets up to so many bytes, and what a load takes in them."""
MEMORY = 100.0
PEAK = 120.0
SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
SIZES = tuple(8 * KIB << step for step in range(14))


def idle_ns(size: int) -> float:
    """The nanoseconds of a load when nothing else runs."""
    return next((ns for most, ns in NANOSECONDS if size <= most), MEMORY)


def queueing(share: float) -> tuple[float, float]:
    """GB/s and ns of a memory that queues: latency rises towards its peak."""
    return PEAK * share, MEMORY * (1 + 0.5 * share / (1.12 - share))


def weak(share: float) -> tuple[float, float]:
    """Threads that cannot load the memory."""
    return 20.0 * share, MEMORY * (1 + 0.1 * share)


def collapsing(share: float) -> tuple[float, float]:
    """A memory that gives less under the full load."""
    gbps, ns = queueing(share)
    return (gbps if share < 1 else 0.85 * 0.9 * PEAK), ns


Load = Callable[[float], tuple[float, float]]


def latency_run(
    machine: Machine,
    *,
    load: Load | None = queueing,
    mixes: Sequence[str] = ("reads", "1:1"),
    rounds: int = 3,
) -> Run:
    """A run of so many rounds, each a little slower than the one before."""
    return collect(latency_records(machine, load=load, mixes=mixes, rounds=rounds))


def latency_records(
    machine: Machine,
    *,
    load: Load | None = queueing,
    mixes: Sequence[str] = ("reads", "1:1"),
    rounds: int = 3,
) -> list[AnyRecord]:
    """The records of such a run, including the end."""
    cpus = [0, 1, 2, 3] if load else [0]
    request = LoadRequest(mixes=list(mixes), shares=list(SHARES), seconds=0.1) if load else None
    records: list[AnyRecord] = [
        machine,
        LatencyPlanRecord(
            chain_bytes=list(SIZES),
            load=request,
            rounds=rounds,
            seed=7,
            threads=len(cpus),
            pages="2m",
        ),
        placement(*places_of(machine, cpus), kind="cpus"),
    ]
    for block in range(rounds):
        drift = 1 + 0.002 * block
        records += [_idle(size, drift, block) for size in SIZES]
        if load:
            records += [
                _loaded(mix, share, load, drift, block) for mix in mixes for share in SHARES
            ]
    return [*records, END]


def _idle(size: int, drift: float, block: int) -> IdleLatency:
    seconds = idle_ns(size) * 1e-9 * drift
    return IdleLatency(
        seconds=seconds,
        minimum=0.99 * seconds,
        maximum=1.01 * seconds,
        repeats=9,
        bytes=size,
        loads=1 << 17,
        huge_share=1.0,
        cpu=0,
        block=block,
    )


def _loaded(mix: str, share: float, load: Load, drift: float, block: int) -> LoadedLatency:
    """Of its five windows the hypervisor took most of one."""
    gbps, ns = load(share)
    slower = 0.8 if mix == "1:1" else 1.0
    return LoadedLatency(
        block=block,
        mix=mix,
        kernel="update" if mix == "1:1" else "sum",
        share=share,
        target_bytes_per_second=slower * gbps * 1e9 if 0 < share < 1 else None,
        effort=3 * share,
        generators=3 if share else 0,
        windows=[
            LoadedWindow(
                seconds=100_000 * ns * 1e-9 * drift * stolen,
                bytes=int(slower * gbps * 1e9 / drift * 100_000 * ns * 1e-9 * drift),
                loads=100_000,
            )
            for stolen in (1.0, 1.0, 20.0, 1.0, 1.0)
        ],
        moved=0,
    )


def latencies_of(
    *, load: Load | None = queueing, mixes: Sequence[str] = ("reads", "1:1"), rounds: int = 3
) -> Latency:
    """The latencies of such a run."""
    return judge_latency(latency_run(machine_of(), load=load, mixes=mixes, rounds=rounds))

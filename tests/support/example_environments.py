"""Makes invented environments for the doctor: a good one, and ways to spoil it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from example_records import MACHINE

from streamgage.machine.doctor.checks import Surroundings
from streamgage.process.other_programs import RunningProgram
from streamgage.records import (
    Activity,
    Binding,
    Cache,
    Counters,
    Machine,
    NumaNode,
    ThreadTrace,
    TrafficSource,
)

MIB = 1 << 20

BINDING = Binding(
    inherited_cpus="0-1",
    obtainable_cpus="0-1",
    runtime_threads=2,
    asked_threads=2,
    threads=[ThreadTrace(mask="0-1", cpus_seen="0"), ThreadTrace(mask="0-1", cpus_seen="1")],
    serial_seconds=0.02,
    parallel_seconds=0.0202,
    throttled_seconds=None,
)
ACTIVITY = Activity(cpus="0-1", seconds=1.0, steal_seconds=0.0, other_seconds=-0.01)
PERF = TrafficSource(
    source="perf uncore_imc",
    state="absent",
    reason="this is a guest",
    remedy="the bare machine",
    notes=["a note"],
    machine="Intel server",
    total_only=False,
    counters=[],
)
RESCTRL = TrafficSource(
    source="resctrl",
    state="absent",
    reason="it is not mounted",
    remedy="mount -t resctrl resctrl /sys/fs/resctrl",
    notes=[],
    machine=None,
    total_only=True,
    counters=[],
)
COUNTERS = Counters(
    root=None,
    replayed=False,
    hypervisor=None,
    perf_event_paranoid=2,
    source=None,
    sources=[PERF, RESCTRL],
)


def changed(record: Any, **fields: Any) -> Any:  # noqa: ANN401 - any of the records
    """The record with other values."""
    return msgspec.structs.replace(record, **fields)


def surroundings(
    *,
    machine: Machine = changed(MACHINE, huge_pages="always"),  # noqa: B008 - it cannot change
    binding: Binding = BINDING,
    activity: Activity = ACTIVITY,
    counters: Counters = COUNTERS,
    programs: Sequence[str] = ("bash", "systemd"),
    **variables: str,
) -> Surroundings:
    """A fit environment on a machine of two cores, but for what is named."""
    running = tuple(RunningProgram(100 + at, name) for at, name in enumerate(programs))
    return Surroundings(machine, binding, activity, counters, running, variables)


def ran(
    *masks: str,
    seen: Sequence[str] | None = None,
    inherited: str = "0-1",
    obtainable: str | None = "0-1",
    ratio: float = 1.0,
    runtime: int | None = None,
    throttled: float | None = None,
) -> Binding:
    """Threads with those masks, seen on the first CPUs that leave each one of its own."""
    shown = masks if seen is None else seen
    threads = [
        ThreadTrace(mask=mask, cpus_seen=cpus) for mask, cpus in zip(masks, shown, strict=True)
    ]
    return Binding(
        inherited_cpus=inherited,
        obtainable_cpus=obtainable,
        runtime_threads=len(masks) if runtime is None else runtime,
        asked_threads=len(masks),
        threads=threads,
        serial_seconds=0.02,
        parallel_seconds=0.02 * ratio,
        throttled_seconds=throttled,
    )


def two_nodes(threads_per_core: int = 1) -> Machine:
    """Eight cores on two NUMA nodes; hardware thread ``t`` of core ``c`` is CPU ``c + 8 t``."""
    threads = range(threads_per_core)
    cores = [",".join(str(core + 8 * thread) for thread in threads) for core in range(8)]
    halves = [",".join(cores[:4]), ",".join(cores[4:])]
    last = 8 * threads_per_core - 1
    machine: Machine = changed(
        MACHINE,
        cores=8,
        packages=2,
        hardware_threads=8 * threads_per_core,
        threads_per_core=threads_per_core,
        online_cpus=f"0-{last}",
        allowed_cpus=f"0-{last}",
        caches=[
            Cache(level=1, kind="data", bytes=48 << 10, instances=8, line_bytes=64, cpus=cores),
            Cache(level=3, kind="unified", bytes=16 * MIB, instances=2, line_bytes=64, cpus=halves),
        ],
        numa_nodes=[
            NumaNode(node=node, cpus=cpus, bytes=8 << 30) for node, cpus in enumerate(halves)
        ],
        huge_pages="always",
    )
    return machine

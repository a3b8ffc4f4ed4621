"""What this machine's memory can give, from an earlier run of ``measure``.

The greatest *hardware* rate of that run, since hardware is what the counters count: nominal bytes
leave out the lines that stores read. Only a whole run tells it: complete, valid, on one host, with
threads on every package and NUMA node, with arrays that no cache holds, and with all that the
machine has: threads on every core, or so many on cores of their own that the series of thread
counts shows that more would gain nothing.
"""

from __future__ import annotations

from streamgage.analysis.saturation import saturation_of
from streamgage.records import Machine, PlacementRecord
from streamgage.records.run import Run
from streamgage.results.measure.judge import Answer
from streamgage.tools.traffic.document import Ceiling
from streamgage.units import count


def why_not_a_ceiling(run: Run, machine: Machine) -> str | None:
    """Why ``run`` does not tell what the memory of ``machine`` can give; null where it may."""
    if not is_of(run, machine):
        return "it is of another machine"
    whole = run.end is not None and run.end.reason == "complete" and run.end.exit_status == 0
    if not whole or run.placement is None:
        return "it is not complete"
    if missed := _missed(run.placement, machine):
        return missed
    if run.memory is None or run.memory.array_bytes < run.memory.rule_bytes:
        return "its arrays are not four times as large as the caches"
    return _too_few_cores(run, run.placement, machine)


def _missed(placement: PlacementRecord, machine: Machine) -> str | None:
    """What is a part of the machine's memory and had no threads next to it, or was not of it."""
    if len(placement.hosts) > 1:
        return "its ranks ran on several hosts"
    if len({place.package for place in placement.threads}) < machine.packages:
        return "it did not use every package"
    nodes = {each.node for each in machine.numa_nodes if each.cpus and each.bytes}
    if nodes - {place.node for place in placement.threads}:
        return "it did not use every NUMA node"
    return None


def _too_few_cores(run: Run, placement: PlacementRecord, machine: Machine) -> str | None:
    used = placement.cores_in_use
    if used >= machine.cores:
        return None
    few = f"it used {used} of {count(machine.cores, 'core')}"
    saturation = saturation_of(run)
    if saturation is None or saturation.saturated is not True:
        return f"{few}, and does not show that more would gain nothing"
    if used < len(placement.threads):
        # Hardware threads of a core share what a core can have outstanding: that it is full tells
        # nothing of the memory.
        return f"{few}, several threads on one"
    return None


def is_of(run: Run, machine: Machine) -> bool:
    """Whether ``run`` was on ``machine``."""
    return run.machine is not None and _identity(run.machine) == _identity(machine)


def ceiling_of(answer: Answer, name: str) -> Ceiling | None:
    """The greatest hardware rate that ``answer`` tells; null where it tells none."""
    machine = answer.run.machine
    known = [each for each in answer.result.kernels if each.hardware_gbps is not None]
    if machine is None or not known:
        return None
    best = max(known, key=lambda each: each.hardware_gbps or 0.0)
    evidence = best.alpha.evidence or "exact"
    if evidence == "replayed":
        return None  # a recording tells nothing of this memory
    saturation = answer.result.saturation
    return Ceiling(
        gbps=best.hardware_gbps or 0.0,
        kernel=best.kernel,
        store=best.store,
        evidence=evidence,
        threads=best.threads,
        time=machine.time,
        file=name,
        limit=saturation.limit if saturation is not None else None,
    )


def _identity(machine: Machine) -> tuple[object, ...]:
    """What tells machines apart that may share a folder of kept runs."""
    return (machine.host, machine.processor, machine.packages, machine.cores)

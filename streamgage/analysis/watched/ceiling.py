"""What this machine's memory can give, from an earlier run of ``measure``.

The greatest *hardware* rate of that run, since hardware is what the counters count: nominal bytes
leave out the lines that stores read. Only a whole run tells it: complete, valid, with threads on
every package, and with arrays that no cache holds.
"""

from __future__ import annotations

from pathlib import PurePath

from streamgage.analysis.run import Run
from streamgage.analysis.summary import Answer
from streamgage.records import Machine
from streamgage.watched import Ceiling


def why_not_a_ceiling(run: Run, machine: Machine) -> str | None:
    """Why ``run`` does not tell what the memory of ``machine`` can give; null where it may."""
    found = run.machine
    if found is None or _identity(found) != _identity(machine):
        return "it is of another machine"
    if run.end is None or run.end.reason != "complete" or run.end.exit_status != 0:
        return "it is not complete"
    used = {place.package for place in run.placement.threads} if run.placement is not None else ()
    if len(used) < machine.packages:
        return "it did not use every package"
    if run.memory is None or run.memory.array_bytes < run.memory.rule_bytes:
        return "its arrays are not four times as large as the caches"
    return None


def ceiling_of(answer: Answer, file: PurePath) -> Ceiling | None:
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
        file=str(file),
        limit=saturation.limit if saturation is not None else None,
    )


def _identity(machine: Machine) -> tuple[object, ...]:
    """What tells machines apart that may share a folder of kept runs."""
    return (machine.host, machine.processor, machine.packages, machine.cores)

"""Finds the most that this machine's memory can give, from an earlier run of ``measure``.

It is the greatest *hardware* rate of that run, because the counters count hardware bytes. Nominal
bytes leave out the lines that stores read. Only a complete and valid run on one host shows it, with
threads on every package and NUMA node, and with arrays that no cache holds. The run also needs
threads on every core. Fewer are enough if each has its own core, and if the series of thread counts
shows that more would gain nothing.
"""

from __future__ import annotations

from streamgage.analysis.saturation import saturation_of
from streamgage.analysis.thread_places import Layout, ThreadPlaces, places_of
from streamgage.records import Machine
from streamgage.records.run import Run
from streamgage.results.measure.document import Measure
from streamgage.results.result import Result
from streamgage.results.traffic.document import Ceiling
from streamgage.units import count


def why_not_a_ceiling(run: Run, machine: Machine) -> str | None:
    """Why ``run`` does not show the most that the memory can give; ``None`` if it does."""
    if not is_of(run, machine):
        return "it comes from another machine"
    whole = run.end is not None and run.end.reason == "complete" and run.end.exit_status == 0
    if not whole or run.placement is None:
        return "it is not complete"
    places = places_of(run)
    if places is None:
        return "it is unknown where its threads ran"
    if missed := _missed(places.usual, machine):
        return missed
    if run.memory is None or run.memory.array_bytes < run.memory.rule_bytes:
        return "its arrays are not four times as large as the caches"
    return _too_few_cores(run, places, machine)


def _missed(layout: Layout, machine: Machine) -> str | None:
    """Why the threads did not use all memory of the machine; ``None`` if they did."""
    if len({place.host for place in layout}) > 1:
        return "its ranks ran on several hosts"
    if len({place.package for place in layout}) < machine.packages:
        return "it did not use every package"
    nodes = {each.node for each in machine.numa_nodes if each.cpus and each.bytes}
    if nodes - {place.node for place in layout}:
        return "it did not use every NUMA node"
    return None


def _too_few_cores(run: Run, places: ThreadPlaces, machine: Machine) -> str | None:
    used = places.cores
    if used >= machine.cores:
        return None
    few = f"it used {used} of {count(machine.cores, 'core')}"
    saturation = saturation_of(run)
    if saturation is None or saturation.saturated is not True:
        return f"{few}, and does not show that more would gain nothing"
    if used < len(places.usual):
        # Hardware threads of a core share the requests that a core can have outstanding. If these
        # are used up, that says nothing about the memory.
        return f"{few}, with several threads on some of them"
    return None


def is_of(run: Run, machine: Machine) -> bool:
    """Return whether ``run`` was on ``machine``."""
    return run.machine is not None and _identity(run.machine) == _identity(machine)


def ceiling_of(result: Result[Measure], name: str) -> Ceiling | None:
    """The greatest hardware rate in ``result``; ``None`` if it has none."""
    machine = result.document.machine
    known = [each for each in result.document.kernels if each.hardware_gbps is not None]
    if machine is None or not known:
        return None
    best = max(known, key=lambda each: each.hardware_gbps or 0.0)
    evidence = best.alpha.evidence or "exact"
    if evidence == "replayed" or evidence == "likely":  # noqa: PLR1714 - narrows the type
        return None  # a recording says nothing about this memory, and what is likely is no figure
    saturation = result.document.saturation
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
    """The properties that distinguish machines in one store."""
    return (machine.host, machine.processor, machine.packages, machine.cores)

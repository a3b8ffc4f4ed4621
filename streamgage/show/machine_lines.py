"""What machine, and what was done to it: the two lines above every table."""

from __future__ import annotations

from streamgage.analysis.arrays import common_arrays, least_huge_share, own_arrays
from streamgage.analysis.ranks import describe_threads
from streamgage.analysis.run import Run
from streamgage.cpu_list import format_cpu_list, name_nodes
from streamgage.records import Machine, MemoryRecord, PlacementRecord
from streamgage.results.measure.document import PeakResult
from streamgage.results.measure.judge import Answer
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_bytes, format_rate, format_ratio, format_share


def machine_line(answer: Answer, symbols: Symbols) -> str | None:
    """Processor, cores, NUMA domains, last-level cache, hypervisor, peak; null where unknown."""
    machine = answer.run.machine
    return None if machine is None else line_of_machine(machine, symbols, answer.result.peak)


def line_of_machine(machine: Machine, symbols: Symbols, peak: PeakResult | None = None) -> str:
    """The same of a machine, with its peak where that is given."""
    parts = [
        machine.processor or f"unknown processor ({machine.architecture})",
        f"{count(machine.cores, 'core')}, {_hardware_threads(machine)}",
        count(len(machine.numa_nodes), "NUMA domain"),
    ]
    if machine.packages > 1:
        parts.insert(1, count(machine.packages, "package"))
    caches = _last_level(machine)
    if caches:
        parts.append(caches)
    if machine.hypervisor:
        parts.append(f"{machine.hypervisor} guest")
    if peak is not None:
        parts.append(_peak(peak))
    return symbols.separator.join(parts)


def _peak(peak: PeakResult) -> str:
    """The theoretical peak and how it is known."""
    source = {
        "given": peak.detail,
        "smbios": f"{peak.detail}, from SMBIOS",
        "model": f"{peak.detail}, by its model",
    }[peak.source]
    return f"peak {format_rate(peak.gbps)} GB/s ({source})"


def _hardware_threads(machine: Machine) -> str:
    """Threads of each core, or of all where the cores differ."""
    if machine.hardware_threads != machine.cores * machine.threads_per_core:
        return count(machine.hardware_threads, "hardware thread")
    return f"{count(machine.threads_per_core, 'thread')} each"


def _last_level(machine: Machine) -> str | None:
    data = [cache for cache in machine.caches if cache.kind != "instruction"]
    if not data:
        return None
    last = max(data, key=lambda cache: cache.level)
    number = f"{last.instances} x " if last.instances > 1 else ""
    return f"L{last.level} {number}{format_bytes(last.bytes)}"


def setting_line(answer: Answer, symbols: Symbols) -> str | None:
    """Threads and their binding, arrays and their pages; null where neither is known."""
    run = answer.run
    parts = []
    if run.placement is not None:
        parts.append(_threads(run.placement))
    if run.memory is not None:
        element = f" of {run.plan.type}" if run.plan else ""
        parts.append(_arrays(run, run.memory, element))
    return symbols.separator.join(parts) or None


def _threads(placement: PlacementRecord) -> str:
    threads = describe_threads(placement)
    if not placement.bound:
        return f"{threads}, not bound"
    if len(placement.hosts) > 1:
        return f"{threads}, bound to {count(placement.cpus_in_use, 'CPU')}"
    cpus = [place.cpu for place in placement.threads]
    where = "CPU" if len(set(cpus)) == 1 else "CPUs"
    return f"{threads} bound to {where} {format_cpu_list(cpus)}"


def _arrays(run: Run, memory: MemoryRecord, element: str) -> str:
    common, own = len(common_arrays(memory)), len(own_arrays(memory))
    size = format_bytes(memory.array_bytes)
    text = f"{count(common, 'array')}{element}, {size} each"
    if own and not common:
        text = f"{count(own, 'array')} of your own kernels, up to {size} each"
    if memory.last_level_cache_bytes:
        text += f" ({format_ratio(memory.array_bytes / memory.last_level_cache_bytes)} the cache)"
    if own and common:
        text += f", and {own} of your own kernels"
    share = least_huge_share(run)
    if share is not None:
        text += f", {format_share(share)} huge pages"
    checked = sum(array.checked_pages for array in memory.arrays)
    remote = sum(array.remote_pages for array in memory.arrays)
    if not checked:
        return text
    here = "local" if memory.nodes is None else f"on {name_nodes(memory.nodes)}"
    there = "remote" if memory.nodes is None else f"not {here}"
    return text + (f", all {here}" if not remote else f", {format_share(remote / checked)} {there}")

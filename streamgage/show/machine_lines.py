"""Describes a machine in one line."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.records import Machine
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_bytes


def line_of_machine(machine: Machine, symbols: Symbols, more: Sequence[str] = ()) -> str:
    """Describe the machine in one line.

    It has the processor, cores, NUMA domains, last-level cache and hypervisor, then ``more``.
    """
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
    if machine.memory_side_caches:
        parts.append(_memory_side(machine))
    if machine.hypervisor:
        parts.append(f"{machine.hypervisor} guest")
    return symbols.separator.join([*parts, *more])


def _hardware_threads(machine: Machine) -> str:
    """The number of threads per core, or of all threads if the cores differ."""
    if machine.hardware_threads != machine.cores * machine.threads_per_core:
        return count(machine.hardware_threads, "hardware thread")
    return f"{count(machine.threads_per_core, 'thread')} each"


def _memory_side(machine: Machine) -> str:
    first = machine.memory_side_caches[0]
    number = f"{first.instances} x " if first.instances > 1 else ""
    return f"memory-side cache {number}{format_bytes(first.bytes)}"


def _last_level(machine: Machine) -> str | None:
    if not machine.last_level_caches:
        return None
    last = machine.last_level_caches[0]
    number = f"{last.instances} x " if last.instances > 1 else ""
    return f"L{last.level} {number}{format_bytes(last.bytes)}"

"""The facts about the machine and its system that a report shows."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.machine.topology.labels import format_memory
from streamgage.machine.topology.summary import summary
from streamgage.records import Machine
from streamgage.units import count, format_bytes

Fact = tuple[str, str]


def machine_facts(machine: Machine) -> Iterator[Fact]:
    """Yield every fact in the machine's record, each as a term and its value."""
    yield from ((name, text) for name, text in summary(machine) if text)
    yield "Measured", f"{machine.time}, by engine {machine.engine} ({machine.compiler})"
    if machine.page_bytes is not None:
        pages = f"{format_bytes(machine.page_bytes)}; huge pages: {machine.huge_pages or 'unknown'}"
        if machine.huge_page_bytes is not None:
            pages += f", {format_bytes(machine.huge_page_bytes)} each"
        yield "Pages", pages
    if machine.numa_balancing is not None:
        yield "NUMA balancing", "on" if machine.numa_balancing else "off"
    if machine.frequency is not None:
        found = machine.frequency
        boost = {True: ", boost on", False: ", boost off", None: ""}[found.boost]
        yield (
            "Frequency",
            f"governor {found.governor}, up to {found.limit_hertz / 1e9:.2f} of"
            f" {found.hardware_hertz / 1e9:.2f} GHz{boost}",
        )
    elif "frequency" not in machine.unknown:
        yield "Frequency", "the kernel does not control the clock here"
    if machine.memory_limit_bytes is not None:
        yield "Memory limit", format_memory(machine.memory_limit_bytes)
    if machine.cpu_quota is not None:
        yield "CPU quota", count(machine.cpu_quota, "CPU")
    modules = [each for each in machine.memory_modules if each.bytes]
    if modules:
        kinds = dict.fromkeys(
            f"{format_memory(each.bytes)} {each.kind or ''}-{each.rate or '?'}" for each in modules
        )
        yield "Memory modules", f"{len(modules)}: {', '.join(kinds)}"
    elif machine.memory_modules_reason:
        yield "Memory modules", f"not known: {machine.memory_modules_reason}"

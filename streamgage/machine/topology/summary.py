"""The lines above the tables: which machine it is, and which parts this process may use."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.machine.places import count_dies, cpus_of_no_package
from streamgage.analysis.machine.use import offline_sentence, use_sentences
from streamgage.cpu_list import count_cpus, name_cpus
from streamgage.machine.topology.labels import format_memory, processor_label
from streamgage.records import Machine
from streamgage.units import count


def not_this_system(machine: Machine) -> str | None:
    """A warning to show first if the topology is not this system's; ``None`` if it is."""
    if machine.described_by is None:
        return None
    return f"This is not the current system, but the machine that {machine.described_by} describes."


def summary(machine: Machine) -> list[tuple[str, str]]:
    """Return pairs of a name and its text, in reading order."""
    return [
        ("Processor", processor_label(machine)),
        ("Packages", _packages(machine)),
        ("Cores", _cores(machine)),
        ("CPUs", _cpus(machine)),
        ("NUMA nodes", _nodes(machine)),
        *_system(machine),
        ("Usable", " ".join(use_sentences(machine))),
    ]


def _packages(machine: Machine) -> str:
    if "packages" in machine.unknown:
        return f"not known: {machine.unknown['packages']}"
    dies = count_dies(machine)
    lone = cpus_of_no_package(machine)
    return (
        f"{machine.packages}"
        f"{f', on {dies} dies' if dies > machine.packages else ''}"
        f"{f'; the package of {name_cpus(lone)} is unknown' if lone else ''}"
    )


def _cores(machine: Machine) -> str:
    if "cores" in machine.unknown:
        return f"not known: {machine.unknown['cores']}"
    in_packages = not cpus_of_no_package(machine)
    each = _each(machine.cores, machine.packages, "package") if in_packages else ""
    return f"{machine.cores}{each}"


def _cpus(machine: Machine) -> str:
    """The number of hardware threads, also per core if all cores have equally many."""
    cores_known = "cores" not in machine.unknown
    each = _each(machine.hardware_threads, machine.cores, "core") if cores_known else ""
    parts = [f"{machine.hardware_threads}{each}"]
    offline = offline_sentence(machine)
    if offline:
        parts.append(offline)
    if machine.isolated_cpus:
        parts.append(f"isolated by the kernel's command line: {machine.isolated_cpus}")
    return "; ".join(parts)


def _each(number: int, among: int, whose: str) -> str:
    if among < 1 or number % among or (among == 1 and whose == "package"):
        return ""
    return f", {number // among} a {whose}"


def _nodes(machine: Machine) -> str:
    if "numa_nodes" in machine.unknown:
        return f"not known: {machine.unknown['numa_nodes']}"
    nodes = machine.numa_nodes
    alone = sum(1 for node in nodes if not node.cpus)
    memory = [node.bytes for node in nodes if node.bytes is not None]
    total = f", {format_memory(sum(memory))}" if memory else ""
    return f"{len(nodes)}{total}{f'; {alone} with memory but no CPUs' if alone else ''}"


def _system(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield names of the system and, if it is this system, its memory."""
    if machine.described_by is not None and not machine.unknown:
        return  # a record of an older engine, which has the names of the viewer's system
    size, available = machine.memory_bytes, machine.memory_available_bytes
    if size is not None and available is not None:
        yield "Memory", f"{format_memory(size)}, {format_memory(available)} available"
    kind = f"{machine.hypervisor} guest" if machine.hypervisor else machine.system
    where = [each for each in (machine.host, kind, machine.kernel) if each]
    if where:
        yield "System", ", ".join(where)


def caption(machine: Machine) -> str:
    """The line below a picture, such as ``node7: Example 9000; 2 cores, 2 CPUs; 2026-01-31``."""
    date = machine.time[:10]
    size = f"{count(machine.cores, 'core')}, {count(count_cpus(machine.online_cpus), 'CPU')}"
    if machine.described_by is not None:
        return f"Not this system: {machine.described_by}; {size}; {date}"
    return f"{machine.host}: {processor_label(machine)}; {size}; {date}"

"""Sentences on the parts of the machine that this process may use, and on what limits it."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.cpu_list import count_cpus, format_cpu_list, list_cpus, name_cpus
from streamgage.records import Machine
from streamgage.units import count, format_bytes


def use_sentences(machine: Machine) -> list[str]:
    """Write a sentence on the CPUs, and one on each other limit."""
    return [_cpus(machine), *_time(machine), *_memory(machine), *_unknown(machine)]


def _cpus(machine: Machine) -> str:
    who = "That machine allows" if machine.described_by else "This process may use"
    if machine.allowed_cpus == machine.online_cpus:
        number = count_cpus(machine.online_cpus)
        if number == 1:
            return f"{who} its only CPU, {machine.online_cpus}."
        if number == 2:
            return f"{who} both CPUs, {machine.online_cpus}."
        return f"{who} all {number} CPUs, {machine.online_cpus}."
    text = f"{who} {name_cpus(machine.allowed_cpus)} of {machine.online_cpus}"
    reasons = "; ".join(_barriers(machine))
    return f"{text}: {reasons}." if reasons else f"{text}."


def _barriers(machine: Machine) -> Iterator[str]:
    """Yield the reasons why some CPUs may not be used, each if it takes away further CPUs."""
    if machine.described_by:
        return
    left = set(list_cpus(machine.online_cpus))
    isolated = left & set(list_cpus(machine.isolated_cpus))
    for each in machine.cpu_sets:
        kept = left & set(list_cpus(each.cpus))
        if kept == left:
            continue
        if each.source == "cgroup":
            where = f" ({each.file})" if each.file else ""
            yield f"its cgroup's cpuset{where} allows {each.cpus}"
        else:
            yield f"its affinity mask allows {each.cpus}"
        barred = isolated & (left - kept)
        if barred:
            yield f"the kernel was started with {format_cpu_list(barred)} isolated"
        left = kept


def _time(machine: Machine) -> Iterator[str]:
    if machine.cpu_quota is not None and not machine.described_by:
        yield (
            f"Its cgroup's CPU quota grants it the time of {machine.cpu_quota:.4g}"
            f" {'CPU' if machine.cpu_quota == 1 else 'CPUs'}."
        )


def _memory(machine: Machine) -> Iterator[str]:
    if machine.described_by:
        return
    there = [node.node for node in machine.numa_nodes]
    allowed = list_cpus(machine.allowed_nodes)
    if allowed and len(allowed) < len(there):
        name = "NUMA node" if len(allowed) == 1 else "NUMA nodes"
        yield (
            f"It may only use memory of {name} {machine.allowed_nodes}"
            f" (of {format_cpu_list(there)})."
        )
    if machine.memory_limit_bytes is not None:
        left = machine.memory_limit_free_bytes
        rest = "" if left is None else f", and {format_bytes(left)} are left"
        yield f"Its cgroup limits its memory to {format_bytes(machine.memory_limit_bytes)}{rest}."


def _unknown(machine: Machine) -> Iterator[str]:
    """Yield a sentence for each limit that is unknown."""
    limits = {"cpu_quota": "its CPU time", "memory_limit_bytes": "its memory"}
    for field, what in limits.items():
        reason = machine.unknown.get(field)
        if reason is not None and not machine.described_by:
            yield f"It is unknown whether a cgroup limits {what}: {reason}."


def offline_sentence(machine: Machine) -> str | None:
    """Say which CPUs are switched off; ``None`` if none is."""
    if not machine.offline_cpus:
        return None
    number = count_cpus(machine.offline_cpus)
    return f"{count(number, 'CPU')} switched off: {machine.offline_cpus}"

"""The names of the parts of a machine."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.machine.tree import Box, PrivateCache
from streamgage.records import CoreKind, Machine
from streamgage.units import GIB, MIB, format_bytes

_KIND_NAMES = {
    "IntelCore": "P-core",
    "IntelAtom": "E-core",
    "LowPower": "LP E-core",
    "IntelLowPower": "LP E-core",
}
"""Intel's short names for the kinds of cores, by the names that the kernel and hwloc use."""


def format_memory(size: int) -> str:
    """The size of a node's memory, such as ``62.8 GiB``; it is seldom a round number."""
    if size < GIB:
        return format_bytes(size)
    return (
        f"{size / GIB:.0f} GiB"
        if size >= 100 * GIB or size % GIB < MIB
        else f"{size / GIB:.1f} GiB"
    )


def box_label(box: Box) -> str:
    """The name of a box, such as ``package 0``, ``NUMA node 1, 62.8 GiB`` or ``L3 8 MiB``."""
    if box.kind == "cache":
        size = f" {format_bytes(box.bytes)}" if box.bytes else ""
        return f"L{box.level}{size}"
    if box.kind == "node":
        size = "" if box.bytes is None else f", {format_memory(box.bytes)}"
        cached = "" if box.cached is None else f", {memory_side_cache_label(box.cached)}"
        kind = f" of {box.memory}" if box.memory else ""
        alone = "" if box.cpus else ", memory alone"
        return f"NUMA node {box.number}{size}{kind}{alone}{cached}"
    return box.kind if box.number is None else f"{box.kind} {box.number}"


def memory_side_cache_label(size: int) -> str:
    """A name such as ``memory-side cache 16 GiB``; without the size if that is unknown."""
    return f"memory-side cache {format_bytes(size)}" if size else "memory-side cache"


def cache_label(cache: PrivateCache) -> str:
    """The name of a cache, such as ``L1d 32 KiB``."""
    letter = {"data": "d", "instruction": "i", "unified": ""}[cache.kind]
    size = f" {format_bytes(cache.bytes)}" if cache.bytes else ""
    return f"L{cache.level}{letter}{size}"


def kind_label(kinds: Sequence[CoreKind], position: int) -> str:
    """The name of a kind of core: ``P-core``, the firmware's name, or ``kind 1``."""
    name = kinds[position].name
    return _KIND_NAMES.get(name, name) if name else f"kind {position}"


def processor_label(machine: Machine) -> str:
    """The processor's name, or words for an unknown one."""
    if machine.processor or machine.architecture is None:
        return machine.processor or "unknown"
    return f"unknown processor ({machine.architecture})"

"""The caches that threads use, on the scale of the working sets of each mode."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.cpu_list import list_cpus
from streamgage.records import Cache, Machine
from streamgage.results.ladder.document import LevelInUse, Mode


def levels_in_use(machine: Machine, cpus: Sequence[int], mode: Mode) -> list[LevelInUse]:
    """Each level of cache, the smallest first, with the working set that fills it.

    ``sequential``: the cache of the first CPU. ``worksharing``: all caches that the threads use,
    together. ``throughput``: the share of a thread in the cache that most of them share.
    """
    found = []
    for cache in sorted(machine.caches, key=lambda each: each.level):
        if cache.kind == "instruction":
            continue
        used = _threads_of_instances(cache, cpus[:1] if mode == "sequential" else cpus)
        if not used:
            continue
        size = {
            "sequential": cache.bytes,
            "worksharing": cache.bytes * len(used),
            "throughput": cache.bytes // max(used),
        }[mode]
        found.append(LevelInUse(mode=mode, name=f"L{cache.level}", bytes=size))
    return _one_a_level(found)


def _threads_of_instances(cache: Cache, cpus: Sequence[int]) -> list[int]:
    """How many of ``cpus`` use each instance, of those that any uses."""
    counts = [len([cpu for cpu in cpus if cpu in sharing]) for sharing in map(_set_of, cache.cpus)]
    return [count for count in counts if count]


def _set_of(cpus: str) -> set[int]:
    return set(list_cpus(cpus))


def _one_a_level(levels: Sequence[LevelInUse]) -> list[LevelInUse]:
    """Hybrid processors have caches of several sizes at a level: what their threads have together.

    With ``throughput`` and ``sequential`` the smallest counts.
    """
    merged: dict[str, LevelInUse] = {}
    for each in levels:
        before = merged.get(each.name)
        if before is None:
            merged[each.name] = each
            continue
        both = (before.bytes, each.bytes)
        size = sum(both) if each.mode == "worksharing" else min(both)
        merged[each.name] = LevelInUse(mode=each.mode, name=each.name, bytes=size)
    return list(merged.values())

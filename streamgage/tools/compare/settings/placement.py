"""How many threads ran, and where."""

from __future__ import annotations

from streamgage.cpu_list import format_cpu_list, format_cpu_order
from streamgage.records import PlacementRecord
from streamgage.store.load import Loaded
from streamgage.tools.compare.settings.setting import (
    Setting,
    Told,
    reported_of,
    run_of,
    settings_of,
    told,
)
from streamgage.units import count


def _placement(result: Loaded) -> PlacementRecord | None:
    run = run_of(result)
    return run.placement if run is not None else None


def _threads(result: Loaded) -> Told | None:
    run, reported = run_of(result), reported_of(result)
    number = run.threads() if run is not None else reported.threads if reported else None
    if run is None and reported is None:
        return told(settings_of(result).threads)
    return told(count(number, "thread")) if number else None


def _workers(result: Loaded) -> Told | None:
    return told(settings_of(result).workers)


def _ranks(result: Loaded) -> Told | None:
    placement = _placement(result)
    if placement is None:
        return None
    if not placement.ranks:
        return told("one process")
    hosts = f" on {count(len(placement.hosts), 'host')}" if len(placement.hosts) > 1 else ""
    return told(f"{count(len(placement.ranks), 'MPI rank')}{hosts}")


def _launcher(result: Loaded) -> Told | None:
    return told(settings_of(result).launcher)


def _binding(result: Loaded) -> Told | None:
    placement = _placement(result)
    if placement is None:
        return told(settings_of(result).binding)
    return told("bound" if placement.bound else "not bound")


def _cpus(result: Loaded) -> Told | None:
    placement = _placement(result)
    if placement is None:
        return told(settings_of(result).cpus)
    if not placement.bound:
        return None
    if len(placement.hosts) > 1:
        return told(count(placement.cpus_in_use, "CPU"))
    return told(format_cpu_order([place.cpu for place in placement.threads]))


def _cores(result: Loaded) -> Told | None:
    placement = _placement(result)
    if placement is None or not placement.bound:
        return None
    return told(count(placement.cores_in_use, "core"))


def _nodes(result: Loaded) -> Told | None:
    placement = _placement(result)
    if placement is None or not placement.bound or len(placement.hosts) > 1:
        return None
    return told(format_cpu_list(place.node for place in placement.threads))


def _openmp(result: Loaded) -> Told | None:
    placement = _placement(result)
    library = placement.openmp if placement is not None else None
    return told(library.rpartition("/")[2] if library else None)


SETTINGS = (
    Setting("ranks", "processes touch memory of their own and wait for each other", _ranks),
    Setting("threads", "bandwidth grows with threads, until the memory gives no more", _threads),
    Setting("workers", "ranks and threads share memory in other ways", _workers),
    Setting("launcher", "it decides where the ranks run, unless they are bound", _launcher),
    Setting("binding", "threads that wander leave their pages and caches behind", _binding),
    Setting("cores in use", "a core has only so many lines on their way at once", _cores),
    Setting("NUMA nodes in use", "each has its own memory controllers", _nodes),
    Setting("OpenMP runtime", "it starts the threads and holds them together", _openmp),
    Setting("CPUs", "which cores, and so which caches and neighbours", _cpus),
)

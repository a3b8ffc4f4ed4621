"""Settings of the placement: how many threads ran, and where."""

from __future__ import annotations

from typing import Any

from streamgage.analysis.thread_places import ThreadPlaces, places_of
from streamgage.comparison.compare.settings.setting import (
    Setting,
    SettingValue,
    read_setting,
    reported_of,
    run_of,
    setting_value,
    settings_of,
)
from streamgage.cpu_list import format_cpu_list, format_cpu_order
from streamgage.records import PlacementRecord
from streamgage.results.result import Result
from streamgage.units import count


def _placement(result: Result[Any]) -> PlacementRecord | None:
    run = run_of(result)
    return run.placement if run is not None else None


def _threads(result: Result[Any]) -> SettingValue | None:
    run, reported = run_of(result), reported_of(result)
    number = run.threads() if run is not None else reported.threads if reported else None
    if run is None and reported is None:
        return setting_value(settings_of(result).threads)
    return setting_value(count(number, "thread")) if number else None


def _ranks(result: Result[Any]) -> SettingValue | None:
    placement = _placement(result)
    if placement is None:
        return None
    if not placement.ranks:
        return setting_value("one process")
    hosts = f" on {count(len(placement.hosts), 'host')}" if len(placement.hosts) > 1 else ""
    return setting_value(f"{count(len(placement.ranks), 'MPI rank')}{hosts}")


def _binding(result: Result[Any]) -> SettingValue | None:
    placement = _placement(result)
    if placement is None:
        return setting_value(settings_of(result).binding)
    return setting_value("bound" if placement.bound else "not bound")


def _bound_places(result: Result[Any]) -> ThreadPlaces | None:
    """Where bound threads ran; ``None`` if threads were not bound."""
    run, placement = run_of(result), _placement(result)
    return places_of(run) if run is not None and placement is not None and placement.bound else None


def _on_hosts(result: Result[Any]) -> int:
    placement = _placement(result)
    return 0 if placement is None else len(placement.hosts)


def _cpus(result: Result[Any]) -> SettingValue | None:
    if _placement(result) is None:
        return setting_value(settings_of(result).cpus)
    places = _bound_places(result)
    if places is None:
        return None
    if _on_hosts(result) > 1:
        return setting_value(count(places.cpus, "CPU"))
    return setting_value(format_cpu_order([place.cpu for place in places.usual]))


def _cores(result: Result[Any]) -> SettingValue | None:
    places = _bound_places(result)
    return None if places is None else setting_value(count(places.cores, "core"))


def _nodes(result: Result[Any]) -> SettingValue | None:
    places = _bound_places(result)
    if places is None or _on_hosts(result) > 1:
        return None
    return setting_value(format_cpu_list(place.node for place in places.usual))


def _openmp(result: Result[Any]) -> SettingValue | None:
    placement = _placement(result)
    library = placement.openmp if placement is not None else None
    return setting_value(library.rpartition("/")[2] if library else None)


def _mpi(result: Result[Any]) -> SettingValue | None:
    placement = _placement(result)
    return setting_value(placement.mpi if placement is not None else None)


SETTINGS = (
    Setting("ranks", "each process uses its own memory and waits for the others", _ranks),
    Setting("threads", "bandwidth grows with threads, until it is all used", _threads),
    Setting("workers", "ranks and threads share memory in other ways", read_setting("workers")),
    Setting(
        "launcher",
        "it decides where the ranks run, unless they are bound",
        read_setting("launcher"),
    ),
    Setting("MPI library", "it decides how the ranks start together", _mpi),
    Setting("binding", "threads that move leave their pages and caches behind", _binding),
    Setting("cores in use", "a core can only have a limited number of lines in flight", _cores),
    Setting("NUMA nodes in use", "each has its own memory controllers", _nodes),
    Setting("OpenMP runtime", "it starts the threads and synchronises them", _openmp),
    Setting("CPUs", "other CPUs have other caches and neighbours", _cpus),
)

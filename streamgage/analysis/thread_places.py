"""The places of threads, from the CPUs that each sample records.

The placement record describes the threads before the first sample. Threads that may use several
CPUs do not stay there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from streamgage.cpu_list import format_cpu_list

if TYPE_CHECKING:  # imported for types only: a list of results must not load the records
    from streamgage.records import Machine, PlacementRecord, ThreadPlace
    from streamgage.records.run import Run

OFTEN = 0.1
"""The share of the samples in which unbound threads may share a CPU without being reported."""

Layout: TypeAlias = "tuple[ThreadPlace, ...]"
"""The place of each thread in a sample, in the order of the threads."""


@dataclass(frozen=True)
class ThreadPlaces:
    """The places of threads in the samples of one or more runs with the same threads."""

    usual: Layout
    """The places of all threads in most samples."""
    layouts: Mapping[Layout, int]
    """The number of samples with each layout; those of a series have fewer threads."""

    @property
    def samples(self) -> int:
        """The number of samples; 0 if a run of bound threads has none."""
        return sum(self.layouts.values())

    @property
    def cpus(self) -> int:
        """The number of CPUs that usually have a thread, on all hosts together."""
        return cpus_in(self.usual)

    @property
    def cores(self) -> int:
        """The number of cores that usually have a thread, on all hosts together."""
        return cores_in(self.usual)

    def all_cpus(self) -> str:
        """The list of all CPUs that any thread ran on in any sample."""
        seen = self.layouts or {self.usual: 0}
        return format_cpu_list(place.cpu for layout in seen for place in layout)

    def count(self, test: Callable[[Layout], bool]) -> int:
        """Count the samples whose layout passes the test."""
        return sum(samples for layout, samples in self.layouts.items() if test(layout))


def cpus_in(layout: Sequence[ThreadPlace]) -> int:
    """Count the different CPUs."""
    return len({(place.host, place.cpu) for place in layout})


def cores_in(layout: Sequence[ThreadPlace]) -> int:
    """Count the different cores; a CPU whose core is not known counts as one."""
    return len({(e.host, e.core if e.core >= 0 else -1 - e.cpu) for e in layout})


def share_a_cpu(layout: Layout) -> bool:
    """Return whether several threads are on the same CPU."""
    return cpus_in(layout) < len(layout)


def has_unknown_cores(layout: Layout) -> bool:
    """Return whether the core of any thread is unknown."""
    return any(place.core < 0 for place in layout)


def places_of(*runs: Run) -> ThreadPlaces | None:
    """The places of the threads of these runs; ``None`` if no record shows them.

    The runs must have the same number of threads. The places of bound threads are known before the
    first sample.
    """
    layouts: Counter[Layout] = Counter()
    placed = [(run, run.placement) for run in runs if run.placement is not None]
    for run, placement in placed:
        layouts.update(_layouts(run, placement))
    threads = max((len(placement.threads) for _, placement in placed), default=0)
    whole = [layout for layout in layouts if len(layout) == threads > 0]
    bound = [tuple(placement.threads) for _, placement in placed if placement.bound]
    usual = max(whole, key=layouts.__getitem__, default=next(iter(bound), ()))
    return ThreadPlaces(usual, layouts) if usual else None


def _layouts(run: Run, placement: PlacementRecord) -> Counter[Layout]:
    """Count the samples of a run with each layout."""
    at = _known_places(run.machine, placement)
    lists = Counter(tuple(sample.cpus) for sample in run.timed_samples())
    found: Counter[Layout] = Counter()
    for cpus, samples in lists.items():
        if 0 < len(cpus) <= len(placement.threads):
            layout = zip(placement.threads, cpus, strict=False)
            found[tuple(_moved_to(thread, cpu, at) for thread, cpu in layout)] += samples
    return found


def _number(known: int | None) -> int:
    """The number as placements write it, with -1 for an unknown one."""
    return -1 if known is None else known


_Place = tuple[int, int, int]
"""The core, the package and the NUMA node of a CPU."""
_UNKNOWN: _Place = (-1, -1, -1)


def _known_places(
    machine: Machine | None, placement: PlacementRecord
) -> Mapping[tuple[str | None, int], _Place]:
    """The known places by host and CPU.

    For hosts after the first, only the CPUs of the placement are known.
    """
    first = placement.threads[0].host if placement.threads else None
    of_machine = {
        (first, each.cpu): (each.core, _number(each.package), _number(each.node))
        for each in (machine.threads if machine is not None else ())
    }
    of_threads = {
        (each.host, each.cpu): (each.core, each.package, each.node) for each in placement.threads
    }
    return of_machine | of_threads


def _moved_to(
    thread: ThreadPlace, cpu: int, at: Mapping[tuple[str | None, int], _Place]
) -> ThreadPlace:
    if thread.cpu == cpu:
        return thread
    core, package, node = at.get((thread.host, cpu), _UNKNOWN)
    return replace(thread, cpu=cpu, core=core, package=package, node=node)

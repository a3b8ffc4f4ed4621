"""The places of threads, from the CPUs that every sample names.

The placement record of a run describes the threads before the first sample. Threads that may use
several CPUs do not stay there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from streamgage.cpu_list import format_cpu_list

if TYPE_CHECKING:  # what only lists results loads no records
    from streamgage.records import Machine, PlacementRecord, ThreadPlace
    from streamgage.records.run import Run

OFTEN = 0.1
"""Share of the samples in which threads that are not bound may meet without a word."""

Layout: TypeAlias = "tuple[ThreadPlace, ...]"
"""The place of each thread in a sample, in the order of the threads."""


@dataclass(frozen=True)
class ThreadPlaces:
    """The places of threads in the samples of a run, or of several runs of the same kind."""

    usual: Layout
    """The places of all threads in most samples."""
    layouts: Mapping[Layout, int]
    """Samples with each layout; samples of a series of thread counts have fewer threads."""

    @property
    def samples(self) -> int:
        """The number of samples; 0 if a run of bound threads has none."""
        return sum(self.layouts.values())

    @property
    def cpus(self) -> int:
        """CPUs that usually have a thread, those of all hosts together."""
        return cpus_in(self.usual)

    @property
    def cores(self) -> int:
        """Cores that usually have a thread, those of all hosts together."""
        return cores_in(self.usual)

    def all_cpus(self) -> str:
        """Every CPU that a thread was on in any sample."""
        seen = self.layouts or {self.usual: 0}
        return format_cpu_list(place.cpu for layout in seen for place in layout)

    def count(self, test: Callable[[Layout], bool]) -> int:
        """Samples whose layout passes the test."""
        return sum(samples for layout, samples in self.layouts.items() if test(layout))


def cpus_in(layout: Sequence[ThreadPlace]) -> int:
    """Different CPUs."""
    return len({(place.host, place.cpu) for place in layout})


def cores_in(layout: Sequence[ThreadPlace]) -> int:
    """Different cores; a CPU whose core is not known counts as one."""
    return len({(e.host, e.core if e.core >= 0 else -1 - e.cpu) for e in layout})


def share_a_cpu(layout: Layout) -> bool:
    """Return whether two threads or more are on one CPU."""
    return cpus_in(layout) < len(layout)


def has_unknown_cores(layout: Layout) -> bool:
    """Return whether the core of a thread is not known."""
    return any(place.core < 0 for place in layout)


def places_of(*runs: Run) -> ThreadPlaces | None:
    """The places of the threads of these runs; ``None`` if no record shows them.

    The runs are of the same number of threads. Bound threads are known before they have a sample.
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
    """Samples of a run with each layout."""
    at = _known_places(run.machine, placement)
    lists = Counter(tuple(sample.cpus) for sample in run.timed_samples())
    found: Counter[Layout] = Counter()
    for cpus, samples in lists.items():
        if 0 < len(cpus) <= len(placement.threads):
            layout = zip(placement.threads, cpus, strict=False)
            found[tuple(_moved_to(thread, cpu, at) for thread, cpu in layout)] += samples
    return found


def _number(known: int | None) -> int:
    """The number as a placement writes it: -1 if it is unknown."""
    return -1 if known is None else known


_Place = tuple[int, int, int]
"""Core, package and NUMA node of a CPU."""
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

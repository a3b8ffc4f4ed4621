"""Where threads ran, from the CPUs of their samples."""

from __future__ import annotations

from collections.abc import Sequence

from example_ranks import placed
from example_records import MEMORY, PLAN, place, placement, samples_of
from example_scale import machine_of

from streamgage.analysis.thread_places import cores_in, places_of, share_a_cpu
from streamgage.records import AnyRecord
from streamgage.records.run import Run, collect

MACHINE = machine_of(2, 2, smt=2)
"""CPUs 0, 1, 4 and 5 on node 0; CPU 4 is of the core of CPU 0."""
FREE = placement(place(1, mask="0-7"), place(1, mask="0-7"), kind="none", bound=False)
"""Two threads that were both seen on CPU 1 before the first sample."""


def run_of(placed: AnyRecord, *lists: Sequence[int], role: str = "timed") -> Run:
    samples = [each for cpus in lists for each in samples_of(0, [0.01], cpus=cpus, role=role)]
    return collect([MACHINE, PLAN, placed, MEMORY, *samples])


def test_threads_are_where_their_samples_were_and_not_where_they_were_seen_first() -> None:
    places = places_of(run_of(FREE, (1, 0), (1, 0), (1, 1)))
    assert places is not None
    assert [each.cpu for each in places.usual] == [1, 0]
    assert (places.cpus, places.cores, places.all_cpus()) == (2, 2, "0-1")
    assert (places.count(share_a_cpu), places.samples) == (1, 3)


def test_cores_and_nodes_are_those_of_the_cpus_of_the_samples() -> None:
    places = places_of(run_of(FREE, (0, 4), (0, 4), (2, 1)))
    assert places is not None
    assert (places.cpus, places.cores) == (2, 1)
    assert [each.node for each in places.usual] == [0, 0]
    assert places.count(lambda layout: cores_in(layout) < 2) == 2
    far = places_of(run_of(FREE, (2, 1)))
    assert far is not None and [each.node for each in far.usual] == [1, 0]


def test_samples_of_several_runs_count_together() -> None:
    places = places_of(run_of(FREE, (0, 0)), run_of(FREE, (0, 1), (0, 1)))
    assert places is not None
    assert [each.cpu for each in places.usual] == [0, 1]
    assert (places.count(share_a_cpu), places.samples) == (1, 3)


def test_unbound_threads_without_a_timed_sample_were_not_seen() -> None:
    assert places_of(run_of(FREE, (0, 1), role="warmup")) is None
    assert places_of(collect([MACHINE, PLAN])) is None


def test_bound_threads_are_known_without_a_sample() -> None:
    places = places_of(run_of(placement(place(0), place(3))))
    assert places is not None
    assert (places.all_cpus(), places.samples) == ("0,3", 0)


def test_samples_with_fewer_threads_do_not_say_where_all_were() -> None:
    places = places_of(run_of(FREE, (3,), (3,), (0, 1)))
    assert places is not None
    assert [each.cpu for each in places.usual] == [0, 1]
    assert (places.all_cpus(), places.samples) == ("0-1,3", 3)


def test_a_cpu_of_another_host_that_was_not_seen_before_has_no_known_core() -> None:
    places = places_of(run_of(placed("node7", "node8"), (0, 5)))
    assert places is not None
    assert [(each.host, each.cpu, each.core) for each in places.usual] == [
        ("node7", 0, 0),
        ("node8", 5, -1),
    ]

"""Checks of where the threads ran, compared with the request."""

from __future__ import annotations

from collections import Counter

from streamgage.analysis.finding import PassedCheck, Severity
from streamgage.analysis.thread_places import (
    OFTEN,
    ThreadPlaces,
    cores_in,
    cpus_in,
    has_unknown_cores,
    places_of,
    share_a_cpu,
)
from streamgage.cpu_list import count_cpus, format_cpu_list
from streamgage.records import PlacementRecord
from streamgage.records.run import Run
from streamgage.results.measure.facts.placement import (
    FewerCpus,
    Moved,
    NodeThreads,
    NotBound,
    Placed,
    SmtSharing,
    UnevenNuma,
    of_samples,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.results.measure.findings.repeated_runs import unbound_runs
from streamgage.results.measure.headline import is_of
from streamgage.units import count


def not_bound(context: Context) -> Outcome:
    """Threads that may run on more than one CPU."""
    run = context.run
    placement = run.placement
    if run.reported is not None:
        return unbound_runs(context)
    if placement is None:
        return None
    free = [place for place in placement.threads if count_cpus(place.mask) != 1]
    if free or not placement.bound:
        return NotBound(
            severity="warning",
            threads=len(placement.threads),
            free=len(free),
            as_asked=placement.kind == "none" and not placement.bound,
            masks=sorted({place.mask for place in free}),
        )
    threads = count(len(placement.threads), "thread")
    cpus = format_cpu_list(place.cpu for place in placement.threads)
    to = f"to CPU {cpus}" if count_cpus(cpus) == 1 else f"each to one of CPUs {cpus}"
    return PassedCheck("not-bound", f"{threads} bound, {to}")


def moved(context: Context) -> Outcome:
    """Threads that changed their CPU inside a sample, or were not on the one they are bound to."""
    run = context.run
    samples = run.timed_samples()
    if run.placement is None or not samples:
        return None
    hit = [sample for sample in samples if sample.moved]
    if not hit:
        return PassedCheck("moved", f"no thread moved during {count(len(samples), 'timed sample')}")
    bound = run.placement.kind != "none" or run.placement.bound
    return Moved(
        severity=_severity_of_moves(context, len(hit) / len(samples)) if bound else "note",
        bound=bound,
        hit=len(hit),
        samples=len(samples),
        switches=sum(sample.switches for sample in hit),
    )


def _severity_of_moves(context: Context, share: float) -> Severity:
    """The severity of moves in that ``share`` of the samples.

    Even a few count if they are the headline's.
    """
    if share > OFTEN:
        return "spoiled"
    shown = context.headline
    mine = [
        sample.moved
        for each in context.run.shown()
        if shown is not None and is_of(each, shown)
        for sample in context.run.samples.get(each.id, ())
    ]
    return "warning" if shown is None or any(mine) else "note"


def smt_sharing(context: Context) -> Outcome:
    """Several threads on one core."""
    run = context.run
    placement, places = run.placement, places_of(run)
    if placement is None or places is None:
        return None
    if not placement.bound:
        return _smt_sharing_unbound(placement, places)
    threads_on = Counter(
        (place.host or "", place.core) for place in places.usual if place.core >= 0
    )
    if not threads_on:
        return None  # the cores are not known
    shared = sorted({core for (_, core), number in threads_on.items() if number > 1})
    if not shared:
        return PassedCheck(
            "smt-sharing", f"each thread had a core of its own ({count(len(threads_on), 'core')})"
        )
    return SmtSharing(
        severity="warning",
        placed=_placed(placement),
        threads=len(placement.threads),
        cores=len(threads_on),
        shared=format_cpu_list(shared),
    )


def _smt_sharing_unbound(placement: PlacementRecord, places: ThreadPlaces) -> Outcome:
    if not places.samples or places.count(has_unknown_cores):
        return None
    hit = places.count(lambda layout: cores_in(layout) < cpus_in(layout))
    if hit <= OFTEN * places.samples:
        seen = of_samples(hit, places.samples)
        return PassedCheck("smt-sharing", f"two threads were on CPUs of one core in {seen}")
    return SmtSharing(
        severity="warning", placed=_placed(placement), hit=hit, samples=places.samples
    )


def _placed(placement: PlacementRecord) -> Placed:
    if placement.kind in ("none", "cpus"):
        return placement.kind
    return "threads" if placement.ranks is None else "ranks"


def fewer_cpus(context: Context) -> Outcome:
    """Fewer threads than asked for, or fewer CPUs than threads."""
    run = context.run
    placement, places = run.placement, places_of(run)
    if placement is None:
        return None
    threads = len(placement.threads)
    if threads < placement.asked_threads:
        return FewerCpus(
            severity="warning",
            placed=_placed(placement),
            asked=placement.asked_threads,
            threads=threads,
        )
    if places is None:
        return None
    if not placement.bound:
        return _fewer_cpus_unbound(placement, places)
    cpus = places.cpus
    if cpus < threads:
        return FewerCpus(
            severity="spoiled",
            placed=_placed(placement),
            asked=placement.asked_threads,
            threads=threads,
            cpus=cpus,
        )
    return PassedCheck(
        "fewer-cpus", f"{count(threads, 'thread')} ran as asked, on {count(cpus, 'CPU')}"
    )


def _fewer_cpus_unbound(placement: PlacementRecord, places: ThreadPlaces) -> Outcome:
    threads = len(placement.threads)
    if not places.samples:
        return None
    hit = places.count(share_a_cpu)
    if hit <= OFTEN * places.samples:
        seen = of_samples(hit, places.samples)
        return PassedCheck(
            "fewer-cpus", f"{count(threads, 'thread')} ran as asked; two were on one CPU in {seen}"
        )
    return FewerCpus(
        severity="spoiled",
        placed=_placed(placement),
        asked=placement.asked_threads,
        threads=threads,
        hit=hit,
        samples=places.samples,
    )


def _has_several_hosts(run: Run) -> bool:
    """The nodes of all but the first are not in the records."""
    return run.placement is not None and len(run.placement.hosts) > 1


def _memory_is_bound(run: Run) -> bool:
    return run.memory is not None and run.memory.nodes is not None


def uneven_numa(context: Context) -> Outcome:
    """NUMA nodes in use that have different numbers of threads."""
    run = context.run
    if run.placement is None or run.machine is None:
        return None
    if sum(bool(node.cpus) for node in run.machine.numa_nodes) < 2 or _has_several_hosts(run):
        return None
    places = places_of(run)
    if places is None or not run.placement.bound or _memory_is_bound(run):
        return None  # none of these says what memory the threads of a node use
    threads_on = Counter(place.node for place in places.usual if place.node >= 0)
    if not threads_on:
        return None  # the nodes are not known
    if len(set(threads_on.values())) == 1:
        return PassedCheck(
            "uneven-numa", f"threads are even over {count(len(threads_on), 'NUMA node')}"
        )
    return UnevenNuma(
        severity="warning",
        nodes=[
            NodeThreads(node=node, threads=number) for node, number in sorted(threads_on.items())
        ],
    )

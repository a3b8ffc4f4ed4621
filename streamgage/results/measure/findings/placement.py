"""Checks of where the threads ran, compared with the request."""

from __future__ import annotations

from collections import Counter

from streamgage.analysis.finding import Finding, Passed, Severity
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
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.results.measure.findings.repeated_runs import unbound_runs
from streamgage.results.measure.headline import is_of
from streamgage.units import count, format_share

_PATH_OF_A_CORE = (
    "Threads of one core share its path to memory and its caches, so together they seldom move"
    " more bytes than one thread, and may move fewer."
)


def not_bound(context: Context) -> Outcome:
    """Threads that may run on more than one CPU."""
    run = context.run
    placement = run.placement
    if run.reported is not None:
        return unbound_runs(context)
    if placement is None:
        return None
    free = [place for place in placement.threads if count_cpus(place.mask) != 1]
    threads = count(len(placement.threads), "thread")
    if placement.kind == "none" and not placement.bound:
        return Finding(
            code="not-bound",
            severity="warning",
            reason="threads were not bound to CPUs",
            text=f"The {threads} were not bound to CPUs, as --cpus none asks. The system may move"
            " them, two may share a core, and pages may lie far from the thread that uses"
            " them, so runs differ. Leave --cpus none out to bind one thread to each core.",
        )
    if free or not placement.bound:
        masks = some(sorted({place.mask for place in free}))
        return Finding(
            code="not-bound",
            severity="warning",
            reason=f"{len(free)} of {threads} could not be bound",
            text=f"{len(free)} of {threads} could not be bound to one CPU"
            + (f" (they may run on {masks})" if masks else "")
            + ": the system may move them, so runs differ. See whether a launcher or container"
            " changes the binding, or name the CPUs with --cpus.",
        )
    cpus = format_cpu_list(place.cpu for place in placement.threads)
    to = f"to CPU {cpus}" if count_cpus(cpus) == 1 else f"each to one of CPUs {cpus}"
    return Passed("not-bound", f"{threads} bound, {to}")


def moved(context: Context) -> Outcome:
    """Threads that changed their CPU inside a sample, or were not on the one they are bound to."""
    run = context.run
    samples = run.timed_samples()
    if run.placement is None or not samples:
        return None
    hit = [sample for sample in samples if sample.moved]
    if not hit:
        return Passed("moved", f"no thread moved during {count(len(samples), 'timed sample')}")
    seen = (
        f"In {len(hit)} of {count(len(samples), 'timed sample')}"
        f" ({format_share(len(hit) / len(samples))}) a thread changed its CPU"
    )
    switches = sum(sample.switches for sample in hit)
    beside = (
        f", with {count(switches, 'involuntary context switch', 'involuntary context switches')}"
        if switches
        else ""
    )
    if run.placement.kind == "none" and not run.placement.bound:
        return Finding(
            code="moved",
            severity="note",
            reason="unbound threads moved between CPUs",
            text=f"{seen}{beside}. Unbound threads are moved now and then, and each move costs them"
            " the contents of their caches. Leave --cpus none out to bind them.",
        )
    return Finding(
        code="moved",
        severity=_severity_of_moves(context, len(hit) / len(samples)),
        reason=f"threads moved in {format_share(len(hit) / len(samples))} of the samples",
        text=f"{seen} or was not on its own{beside}: these samples include the move. Something"
        " else changes the binding of this process: look for a launcher or a resource"
        " manager.",
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
        return _smt_sharing_unbound(run, places)
    threads_on = Counter(
        (place.host or "", place.core) for place in places.usual if place.core >= 0
    )
    if not threads_on:
        return None  # the cores are not known
    shared = sorted({core for (_, core), number in threads_on.items() if number > 1})
    if not shared:
        return Passed(
            "smt-sharing", f"each thread had a core of its own ({count(len(threads_on), 'core')})"
        )
    return Finding(
        code="smt-sharing",
        severity="warning",
        reason="several threads shared a core",
        text=f"{count(len(placement.threads), 'thread')} ran on"
        f" {count(len(threads_on), 'core')}: {'core' if len(shared) == 1 else 'cores'}"
        f" {format_cpu_list(shared)} had more than one."
        f" {_PATH_OF_A_CORE} {_one_a_core(run, len(threads_on))}",
    )


def _smt_sharing_unbound(run: Run, places: ThreadPlaces) -> Outcome:
    if not places.samples or places.count(has_unknown_cores):
        return None
    hit = places.count(lambda layout: cores_in(layout) < cpus_in(layout))
    seen = _of_samples(hit, places)
    if hit <= OFTEN * places.samples:
        return Passed("smt-sharing", f"two threads were on CPUs of one core in {seen}")
    return Finding(
        code="smt-sharing",
        severity="warning",
        reason=f"threads met on one core in {format_share(hit / places.samples)} of the samples",
        text=f"In {seen} two threads or more were on CPUs of one core. {_PATH_OF_A_CORE}"
        f" {_one_a_core(run, 0)}",
    )


def _of_samples(hit: int, places: ThreadPlaces) -> str:
    """``8 of 44 timed samples (18 %)``."""
    of_all = count(places.samples, "timed sample")
    return f"{hit} of {of_all} ({format_share(hit / places.samples)})"


def _one_a_core(run: Run, cores: int) -> str:
    placement = run.placement
    if placement is not None and placement.kind == "none":
        return "Leave --cpus none out to have one thread bound to each core."
    if placement is not None and placement.kind == "cpus":
        return "Name one CPU of each core with --cpus, or leave --cpus out."
    if placement is not None and placement.ranks is not None:
        return f"{_as_many_as(cores, placement)}, to have one thread a core."
    return f"Use --threads {cores}, or leave --threads out, to have one thread a core."


def fewer_cpus(context: Context) -> Outcome:
    """Fewer threads than asked for, or fewer CPUs than threads."""
    run = context.run
    placement, places = run.placement, places_of(run)
    if placement is None:
        return None
    threads = len(placement.threads)
    if threads < placement.asked_threads:
        return Finding(
            code="fewer-cpus",
            severity="warning",
            reason=f"{threads} of {count(placement.asked_threads, 'thread')} asked for ran",
            text=f"{count(placement.asked_threads, 'thread')} were asked for but {threads} ran:"
            f" the figures are those of {count(threads, 'thread')}. Look for"
            " OMP_THREAD_LIMIT, a launcher or a container that limits them, or ask for fewer"
            " with --threads.",
        )
    if places is None:
        return None
    if not placement.bound:
        return _fewer_cpus_unbound(placement, places)
    cpus = places.cpus
    if cpus < threads:
        return Finding(
            code="fewer-cpus",
            severity="spoiled",
            reason=f"{count(threads, 'thread')} shared {count(cpus, 'CPU')}",
            text=f"{count(threads, 'thread')} shared {count(cpus, 'CPU')}: threads that take turns"
            " on a CPU wait for each other, and the figures come out too low."
            f" {_as_many_as(cpus, placement)}, or allow the process more CPUs.",
        )
    return Passed("fewer-cpus", f"{count(threads, 'thread')} ran as asked, on {count(cpus, 'CPU')}")


def _as_many_as(cpus: int, placement: PlacementRecord) -> str:
    if placement.ranks is None:
        return f"Use --threads {cpus}"
    return f"Use so many ranks (--mpi) of so many threads (--threads) that they come to {cpus}"


def _fewer_cpus_unbound(placement: PlacementRecord, places: ThreadPlaces) -> Outcome:
    threads = len(placement.threads)
    if not places.samples:
        return None
    hit = places.count(share_a_cpu)
    seen = _of_samples(hit, places)
    if hit <= OFTEN * places.samples:
        return Passed(
            "fewer-cpus", f"{count(threads, 'thread')} ran as asked; two were on one CPU in {seen}"
        )
    return Finding(
        code="fewer-cpus",
        severity="spoiled",
        reason=f"threads met on one CPU in {format_share(hit / places.samples)} of the samples",
        text=f"In {seen} two threads or more were on one CPU: threads that take turns on a CPU"
        " wait for each other, and the figures come out too low."
        f" {'Leave --cpus none out to bind' if placement.kind == 'none' else 'Bind'}"
        " each to one of its own, or use fewer --threads.",
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
        return Passed("uneven-numa", f"threads are even over {count(len(threads_on), 'NUMA node')}")
    spread = ", ".join(f"{number} on node {node}" for node, number in sorted(threads_on.items()))
    nearest = min(threads_on.values()) * len(threads_on)
    return Finding(
        code="uneven-numa",
        severity="warning",
        reason="threads are uneven over the NUMA nodes",
        text=f"The threads are uneven over the NUMA nodes ({spread}): all wait for the fullest"
        f" node, and the memory of the others is not fully used. Use --threads {nearest}, or"
        " name equally many CPUs of each node with --cpus.",
    )

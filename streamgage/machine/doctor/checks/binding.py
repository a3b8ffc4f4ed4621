"""Checks where threads run if streamgage does not bind them.

The threads' affinity masks and the CPUs on which they ran decide. Times only confirm the verdict,
because another program can lengthen a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from streamgage.cpu_list import format_cpu_list, list_cpus, name_cpus
from streamgage.machine.doctor.checks.narrowing import how_to_widen, narrowed_by
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, State
from streamgage.process.launch.started_by import known_launcher
from streamgage.units import count

CODE = "binding"
_SLOWED = 1.5
"""If all threads at once take more than this many times as long as one, they disturb each other."""


def binding(surroundings: Surroundings) -> Check:
    """The most important problem with the threads' binding."""
    for look in _LOOKS:
        found = look(surroundings)
        if found is not None:
            return found
    threads = len(surroundings.binding.threads)
    return Check(
        code=CODE,
        state="passed",
        seen=f"{count(threads, 'thread')} ran on {_seen(surroundings)} and may use all of"
        f" {_cpus(surroundings.united)}; {_times(surroundings)}",
    )


def _one_core(surroundings: Surroundings) -> Check | None:
    """Check whether all threads run on one core of several."""
    if surroundings.cores(surroundings.united) > 1 or surroundings.machine.cores < 2:
        return None
    threads = len(surroundings.binding.threads)
    own = surroundings.binding.runtime_threads
    by_itself = f"; OpenMP by itself starts {own}" if own != threads else ""
    return _found(
        surroundings,
        "spoils",
        f"{_all(threads)} may run on {_cpus(surroundings.united)} alone, one core of"
        f" {surroundings.machine.cores}; {_times(surroundings)}{by_itself}",
        "threads that share a core take turns, and one core cannot fill the memory's bandwidth",
    )


def _taking_turns(surroundings: Surroundings) -> Check | None:
    """Check whether threads take turns: more threads than CPUs, in all or with one mask."""
    for mask, threads in _threads_on(surroundings).items():
        cpus = len(list_cpus(mask))
        if threads > cpus:
            return _found(
                surroundings,
                "spoils",
                f"{count(threads, 'thread')} share {count(cpus, 'CPU')} ({mask});"
                f" {_times(surroundings)}",
                "threads that share a CPU take turns and wait for each other",
                _fewer_threads(surroundings),
            )
    return None


def _sharing_cores(surroundings: Surroundings) -> Check | None:
    """Check whether threads share cores, as hardware threads of one core."""
    for mask, threads in _threads_on(surroundings).items():
        cores = surroundings.cores(set(list_cpus(mask)))
        if threads > cores:
            return _found(
                surroundings,
                "advice",
                f"{count(threads, 'thread')} on {count(cores, 'core')} ({name_cpus(mask)}):"
                " hardware threads of one core share it",
                "threads of one core share its path to memory and its caches",
                _fewer_threads(surroundings),
            )
    return None


def _uneven(surroundings: Surroundings) -> Check | None:
    """Check whether the threads are bound unevenly to NUMA domains."""
    home = {
        cpu: node.node for node in surroundings.machine.numa_nodes for cpu in list_cpus(node.cpus)
    }
    nodes = [
        {home.get(cpu) for cpu in list_cpus(each.mask)} for each in surroundings.binding.threads
    ]
    if len(set(home.values())) < 2 or any(len(each) != 1 for each in nodes):
        return None
    threads = Counter(node for each in nodes for node in each if node is not None)
    if len(set(threads.values())) < 2:
        return None
    spread = ", ".join(f"{number} on node {node}" for node, number in sorted(threads.items()))
    return _found(
        surroundings,
        "advice",
        f"threads are uneven over the NUMA nodes ({spread})",
        "all threads wait for those of the fullest node, and the memory of the other nodes is"
        " used less than it could be",
        ["export OMP_PLACES=cores with as many threads on each node, or leave it to streamgage"],
    )


def _met(surroundings: Surroundings) -> Check | None:
    """Check whether threads ran on fewer CPUs than there are threads, though there was room."""
    seen = {cpu for thread in surroundings.binding.threads for cpu in list_cpus(thread.cpus_seen)}
    threads = len(surroundings.binding.threads)
    if len(seen) >= threads:
        return None
    return _found(
        surroundings,
        "advice",
        f"{count(threads, 'thread')} that may use {_cpus(surroundings.united)} ran on"
        f" {_cpus(seen)} alone; {_times(surroundings)}",
        "the system may put two unbound threads on one CPU, mostly because other CPUs are busy"
        " (streamgage measure binds each thread to a core; other programs need OMP_PROC_BIND)",
        ["export OMP_PROC_BIND=true OMP_PLACES=cores"],
    )


def _slowed(surroundings: Surroundings) -> Check | None:
    """Check whether more threads gain nothing although there are enough CPUs."""
    if len(surroundings.binding.threads) < 2 or _ratio(surroundings) <= _SLOWED:
        return None
    throttled = surroundings.binding.throttled_seconds or 0.0
    stopped = f"; the CPU quota stopped them for {throttled:.2f} CPU-seconds" if throttled else ""
    return _found(
        surroundings,
        "advice",
        f"{count(len(surroundings.binding.threads), 'thread')} ran on {_seen(surroundings)}, but"
        f" {_times(surroundings)}{stopped}",
        "affinity masks do not show a CPU quota, hardware threads that look like cores, or CPUs"
        " that other programs use, too",
        ["see the lines on quota, load and steal; then look again"],
    )


def _confined(surroundings: Surroundings) -> Check | None:
    """Check whether the threads may use only some of the machine's CPUs."""
    united, online = surroundings.united, surroundings.online
    if united >= online:
        return None
    return _found(
        surroundings,
        "advice",
        f"{count(len(surroundings.binding.threads), 'thread')} ran on {_seen(surroundings)};"
        f" {_cpus(united)} may be used, {surroundings.cores(united)} of"
        f" {count(surroundings.machine.cores, 'core')}; {_times(surroundings)}",
        "figures are those of these CPUs and not of the machine",
    )


_LOOKS: tuple[Callable[[Surroundings], Check | None], ...] = (
    _one_core,
    _taking_turns,
    _sharing_cores,
    _uneven,
    _met,
    _slowed,
    _confined,
)


def _found(
    surroundings: Surroundings,
    state: State,
    seen: str,
    why: str,
    remedies: list[str] | None = None,
) -> Check:
    """Make the check. Without ``remedies`` it names ways to widen the binding."""
    narrowing = narrowed_by(surroundings)
    if remedies is None:
        remedies = how_to_widen(surroundings, narrowing) if narrowing is not None else []
    source = {
        "openmp": "variables of OpenMP restrict the CPUs",
        "launcher": f"{_launcher_of(surroundings)} restricts the CPUs: see launcher",
        "mask": "the process was started with that mask",
        "cpuset": "the cpuset restricts the CPUs: see cpuset",
        None: "",
    }[narrowing]
    seen = f"{seen} ({source})" if source else seen
    return Check(code=CODE, state=state, seen=seen, why=why, remedies=remedies)


def _launcher_of(surroundings: Surroundings) -> str:
    found = known_launcher(surroundings.variables)
    return found.name if found is not None else "the launcher"


def _threads_on(surroundings: Surroundings) -> dict[str, int]:
    """The number of threads that may run only on the CPUs of each mask."""
    everything = format_cpu_list(surroundings.united)
    masks = [thread.mask for thread in surroundings.binding.threads]
    sets = {mask: set(list_cpus(mask)) for mask in [everything, *masks]}
    return {mask: sum(sets[each] <= cpus for each in masks) for mask, cpus in sets.items()}


def _fewer_threads(surroundings: Surroundings) -> list[str] | None:
    """Return the remedy if OMP_NUM_THREADS is more than the available cores."""
    cores = surroundings.cores(surroundings.obtainable)
    said = surroundings.variables.get("OMP_NUM_THREADS")
    if said is None or len(surroundings.binding.threads) <= cores:
        return None
    return [f"export OMP_NUM_THREADS={cores}"]


def _ratio(surroundings: Surroundings) -> float:
    proof = surroundings.binding
    return proof.parallel_seconds / proof.serial_seconds if proof.serial_seconds > 0 else 1.0


def _times(surroundings: Surroundings) -> str:
    if len(surroundings.binding.threads) < 2:
        return "one thread, so nothing to compare with"
    return f"all computing at once took {_ratio(surroundings):.2f}x the time of one alone"


def _all(threads: int) -> str:
    return "the thread" if threads == 1 else f"all {threads} threads"


def _seen(surroundings: Surroundings) -> str:
    return _cpus(
        {cpu for thread in surroundings.binding.threads for cpu in list_cpus(thread.cpus_seen)}
    )


def _cpus(cpus: set[int]) -> str:
    return f"{'CPU' if len(cpus) == 1 else 'CPUs'} {format_cpu_list(cpus)}"

"""Which packages' memory a run uses."""

from __future__ import annotations

from streamgage.records.run import Run

_FEW_REMOTE = 0.01
"""Share of remote pages below which the memory of other packages is not in use."""


def packages_in_use(run: Run) -> frozenset[int] | None:
    """Logical numbers of the packages whose memory the arrays lie in; null: all of them.

    Pages lie beside the thread that touched them first, so bound threads use the memory of their
    own packages. All is used where threads are not bound, where the machine interleaves memory over
    packages (fewer NUMA nodes than packages), where pages are bound to nodes, and where they are
    not known to be local: a peak that is too high misleads less than one that is too low.
    """
    machine, placement = run.machine, run.placement
    if machine is None or placement is None or placement.kind == "none" or _is_bound(run):
        return None
    nodes = sum(bool(node.cpus) for node in machine.numa_nodes)
    used = frozenset(place.package for place in placement.threads)
    if nodes < machine.packages or len(used) >= machine.packages or min(used, default=-1) < 0:
        return None
    return used if _are_local(run) else None


def words_for(used: frozenset[int] | None) -> str:
    """What to add to a peak that is not of the whole machine; empty where it is."""
    if used is None:
        return ""
    return " of the package in use" if len(used) == 1 else f" of the {len(used)} packages in use"


def _is_bound(run: Run) -> bool:
    return run.memory is not None and run.memory.nodes is not None


def _are_local(run: Run) -> bool:
    arrays = run.memory.arrays if run.memory is not None else []
    checked = sum(array.checked_pages for array in arrays)
    remote = sum(array.remote_pages for array in arrays)
    return checked > 0 and remote <= _FEW_REMOTE * checked

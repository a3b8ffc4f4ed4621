"""Checks of the arrays' pages: where they lie, and how large they are."""

from __future__ import annotations

from streamgage.analysis.arrays import least_huge_share
from streamgage.analysis.finding import Finding, Passed
from streamgage.cpu_list import name_nodes
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count, format_share

_FEW_REMOTE = 0.01
_MANY_REMOTE = 0.1
"""Share of the pages above which the figures are of two kinds of memory."""
_ENOUGH_HUGE = 0.9


def remote_pages(context: Context) -> Outcome:
    """Pages on another node than the thread that uses them."""
    run = context.run
    if run.memory is None:
        return None
    checked = sum(array.checked_pages for array in run.memory.arrays)
    remote = sum(array.remote_pages for array in run.memory.arrays)
    if not checked:
        return None
    if run.memory.nodes is not None:
        return _elsewhere(run.memory.nodes, checked, remote)
    if remote <= _FEW_REMOTE * checked:
        return Passed("remote-pages", f"{checked - remote} of {checked} checked pages are local")
    unbound = run.placement is not None and run.placement.kind == "none"
    return Finding(
        code="remote-pages",
        severity="spoiled" if remote > _MANY_REMOTE * checked else "warning",
        reason=f"{format_share(remote / checked)} of the pages are on another NUMA node",
        text=f"{remote} of {checked} checked pages ({format_share(remote / checked)}) lie on"
        " another NUMA node than the thread that uses them: their traffic crosses the link"
        " between the nodes, which is slower and shared. "
        + (
            "Leave --cpus none out, so that threads stay where they touched their pages first."
            if unbound
            else "The near node may have been full, or numactl set another policy: free memory"
            " there, or start without numactl."
        ),
    )


def _elsewhere(nodes: list[int], checked: int, remote: int) -> Outcome:
    """Pages that are not on the nodes to which memory was bound."""
    where = name_nodes(nodes)
    if remote <= _FEW_REMOTE * checked:
        return Passed(
            "remote-pages", f"{checked - remote} of {checked} checked pages are on {where}"
        )
    return Finding(
        code="remote-pages",
        severity="spoiled" if remote > _MANY_REMOTE * checked else "warning",
        reason=f"{format_share(remote / checked)} of the pages are not on {where}",
        text=f"{remote} of {checked} checked pages ({format_share(remote / checked)}) are not on"
        f" {where}, to which memory was bound: the figures are not of that memory alone. Something"
        " moved them, such as migratepages or a change of the cpuset: measure again without it.",
    )


def pages_unchecked(context: Context) -> Outcome:
    """Pages whose node is not known, if there are several."""
    machine, memory = context.run.machine, context.run.memory
    if machine is None or memory is None or len(machine.numa_nodes) < 2:
        return None
    checked = sum(array.checked_pages for array in memory.arrays)
    if checked:
        return Passed("pages-unchecked", f"the node of {count(checked, 'page')} was checked")
    why = f" ({memory.pages_reason.rstrip('.')})" if memory.pages_reason else ""
    placed = (
        "Some may lie on another node than the thread that uses them, which would lower the"
        " figures. Each thread touched its part first, which normally places it on the thread's"
        " node"
        if memory.nodes is None
        else f"The kernel bound them to {name_nodes(memory.nodes)}, and no page was checked"
        " afterwards"
    )
    return Finding(
        code="pages-unchecked",
        severity="note",
        reason="no page could be checked for its NUMA node",
        text=f"No page could be checked for its NUMA node{why}. {placed}. To check them, allow the"
        " process the system call move_pages.",
    )


def huge_pages(context: Context) -> Outcome:
    """Arrays without the huge pages that they asked for."""
    run = context.run
    machine, memory = run.machine, run.memory
    if machine is None or memory is None or (run.plan is not None and not run.plan.huge_pages):
        return None
    least = least_huge_share(run)
    if least is None or (machine.huge_page_bytes and memory.array_bytes < machine.huge_page_bytes):
        return None
    if least >= _ENOUGH_HUGE:
        return Passed(
            "no-huge-pages", f"{format_share(least)} of every array, or more, is in huge pages"
        )
    remedy = {
        "never": "Transparent huge pages are off; as root: echo madvise >"
        " /sys/kernel/mm/transparent_hugepage/enabled.",
        "unavailable": "This kernel has no transparent huge pages.",
    }.get(
        machine.huge_pages or "unknown",
        "Memory is perhaps fragmented; as root: echo 1 > /proc/sys/vm/compact_memory, then"
        " measure again.",
    )
    return Finding(
        code="no-huge-pages",
        severity="warning" if least < 0.5 else "note",
        reason=f"only {format_share(least)} of an array is in huge pages",
        text=f"Only {format_share(least)} of an array is in huge pages: looking up many small"
        " pages costs time, and the figures may be some percent below what the memory gives."
        f" {remedy}",
    )


def numa_balancing(context: Context) -> Outcome:
    """Automatic NUMA balancing on a machine with several nodes."""
    machine = context.run.machine
    if machine is None or machine.numa_balancing is None or len(machine.numa_nodes) < 2:
        return None
    if not machine.numa_balancing:
        return Passed("numa-balancing", "automatic NUMA balancing is off")
    return Finding(
        code="numa-balancing",
        severity="note",
        reason="automatic NUMA balancing is on",
        text="Automatic NUMA balancing is on: the kernel unmaps pages now and then to see who"
        " uses them, and may move them, which disturbs samples. As root: sysctl"
        " kernel.numa_balancing=0.",
    )

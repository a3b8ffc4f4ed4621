"""Checks of the arrays' pages: where they lie, and how large they are."""

from __future__ import annotations

from streamgage.analysis.arrays import least_huge_share
from streamgage.analysis.finding import PassedCheck
from streamgage.cpu_list import name_nodes
from streamgage.results.measure.facts.pages import (
    NoHugePages,
    NumaBalancing,
    PagesUnchecked,
    RemotePages,
)
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
    nodes = run.memory.nodes
    if remote <= _FEW_REMOTE * checked:
        where = "local" if nodes is None else f"on {name_nodes(nodes)}"
        return PassedCheck(
            "remote-pages", f"{checked - remote} of {checked} checked pages are {where}"
        )
    return RemotePages(
        severity="spoiled" if remote > _MANY_REMOTE * checked else "warning",
        checked=checked,
        remote=remote,
        nodes=nodes,
        unbound=run.placement is not None and run.placement.kind == "none",
    )


def pages_unchecked(context: Context) -> Outcome:
    """Pages whose node is not known, if there are several."""
    machine, memory = context.run.machine, context.run.memory
    if machine is None or memory is None or len(machine.numa_nodes) < 2:
        return None
    checked = sum(array.checked_pages for array in memory.arrays)
    if checked:
        return PassedCheck("pages-unchecked", f"the node of {count(checked, 'page')} was checked")
    return PagesUnchecked(severity="note", nodes=memory.nodes, said_why=memory.pages_reason or None)


def huge_pages(context: Context) -> Outcome:
    """Arrays without the huge pages that they asked for."""
    run = context.run
    machine, memory = run.machine, run.memory
    if machine is None or memory is None or (run.plan is not None and run.plan.pages == "4k"):
        return None
    least = least_huge_share(run)
    if least is None or (machine.huge_page_bytes and memory.array_bytes < machine.huge_page_bytes):
        return None
    if least >= _ENOUGH_HUGE:
        return PassedCheck(
            "no-huge-pages", f"{format_share(least)} of every array, or more, is in huge pages"
        )
    return NoHugePages(
        severity="warning" if least < 0.5 else "note", share=least, setting=machine.huge_pages
    )


def numa_balancing(context: Context) -> Outcome:
    """Automatic NUMA balancing on a machine with several nodes."""
    machine = context.run.machine
    if machine is None or machine.numa_balancing is None or len(machine.numa_nodes) < 2:
        return None
    if not machine.numa_balancing:
        return PassedCheck("numa-balancing", "automatic NUMA balancing is off")
    return NumaBalancing(severity="note")

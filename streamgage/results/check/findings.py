"""The findings of a check."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.advice import advice
from streamgage.analysis.finding import Finding
from streamgage.results.check.document import Check
from streamgage.results.document import other_load
from streamgage.results.fleet.causes import in_words


def wrong_results(check: Check) -> Finding | None:
    """A kernel computed something wrong."""
    if check.verdict != "wrong":
        return None
    return Finding(
        code="invalid",
        severity="error",
        reason="a result was wrong",
        text=f"{check.name} computed wrong results. Drain the node, and test the memory and the"
        f" {'processor' if check.last.device is None else 'device'}.",
    )


def slow_node(check: Check) -> Finding | None:
    """The node is slow."""
    if check.verdict != "slow":
        return None
    why = f" ({in_words(check.causes)})" if check.causes else ""
    what_to_do = (
        f"Look at its memory: {advice('check', '--examine')} measures each part by itself."
        if check.last.device is None
        else "Look at its clocks, its power and its temperature: `nvidia-smi -q` shows them."
    )
    return Finding(
        code="slow-node",
        severity="note",
        reason=f"{check.name} is slow",
        text=f"{check.name} is slow{why}. {what_to_do}",
    )


def disturbed_node(check: Check) -> Finding | None:
    """Something disturbed the run."""
    why = check.last.disturbance
    if why is None:
        return None
    return Finding(
        code="disturbed-node",
        severity="spoiled",
        reason=why,
        text=f"Something disturbed the check: {why}. Such a run cannot show that a node is slow:"
        " remove the cause, and check again.",
    )


CHECKS: tuple[tuple[str, Callable[[Check], Finding | None]], ...] = (
    ("other-load", other_load),
    ("invalid", wrong_results),
    ("disturbed-node", disturbed_node),
    ("slow-node", slow_node),
)
"""In the order of display, most important first."""

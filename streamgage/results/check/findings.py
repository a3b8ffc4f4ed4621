"""The findings of a check."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

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
        grade="sound",
        severity="note",
        reason=f"{check.name} is slow",
        text=f"{check.name} is slow{why}. {what_to_do}",
    )


def disturbed_node(check: Check) -> Finding | None:
    """Something disturbed the run."""
    why = check.last.disturbance
    if why is None:
        return None
    if check.verdict == "fine":
        return Finding(
            code="disturbed-node",
            severity="warning",
            reason=f"{why}, so its figures may be too low",
            text=f"Something disturbed the check: {why}. Its figures may be too low. The node"
            " reaches its limits all the same.",
        )
    return Finding(
        code="disturbed-node",
        severity="spoiled",
        reason=why,
        text=f"Something disturbed the check: {why}. Such a run cannot show that a node is slow:"
        " remove the cause, and check again.",
    )


def load_of_others(check: Check) -> Finding | None:
    """Others used the CPUs. That makes a node slower, so one that is fine is fine."""
    found = other_load(check)
    if found is None or check.verdict != "fine":
        return found
    return replace(found, severity="warning")


CHECKS: tuple[tuple[str, Callable[[Check], Finding | None]], ...] = (
    ("other-load", load_of_others),
    ("invalid", wrong_results),
    ("disturbed-node", disturbed_node),
    ("slow-node", slow_node),
)
"""In the order of display, most important first."""

"""The possible outcomes of a check."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgage.analysis.finding import Finding, Passed
from streamgage.results.measure.findings.context import Context

Outcome = Finding | Passed | None
"""``None``: the records do not hold enough to judge, or the question does not arise."""

Check = Callable[[Context], Outcome]


def some(texts: Sequence[str], most: int = 3) -> str:
    """The first texts as a list in words, with the number of the rest."""
    shown = ", ".join(texts[:most])
    return shown if len(texts) <= most else f"{shown} and {len(texts) - most} more"

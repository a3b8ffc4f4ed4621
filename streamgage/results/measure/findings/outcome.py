"""The possible outcomes of a check."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.finding import PassedCheck
from streamgage.results.measure.facts import Fact
from streamgage.results.measure.findings.context import Context

Outcome = Fact | PassedCheck | None
"""``None``: the records do not hold enough to judge, or the question does not arise."""

Check = Callable[[Context], Outcome]

"""The trust in a result: a verdict that follows only from its findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from streamgage.analysis.finding import Finding, Severity, by_weight

Verdict = Literal["quotable", "with-care", "not-quotable"]
_VERDICTS: dict[Severity, Verdict] = {
    "error": "not-quotable",
    "spoiled": "not-quotable",
    "warning": "with-care",
}
"""The verdict for the severity of the most important finding. Other severities are quotable."""
WORDS: dict[Verdict, str] = {
    "quotable": "quotable",
    "with-care": "with care",
    "not-quotable": "not quotable",
}


USABLE = 0.05
"""Up to this ratio of half the interval to the figure, no word of caution is needed."""
_USELESS = 0.5
"""Above this ratio the figure only shows an order of magnitude: its bounds may be a factor of three
apart. Below it the bounds, which stand next to the figure, say enough."""


def severity_of_width(width: float) -> Severity | None:
    """The severity of bounds this far from their figure, as a share.

    ``None`` if they are close enough.
    """
    if width <= USABLE:
        return None
    return "spoiled" if width > _USELESS else "warning"


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """A reason not to quote a result as it is: the code of a finding, and its words."""

    code: str
    text: str


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Whether to quote a result, to quote it together with the reasons, or to measure again.

    The figures of a guest are quotable as those of that guest.
    """

    verdict: Verdict
    reasons: list[Reason]
    """The reasons, the most important first; empty if the result is quotable."""

    @property
    def words(self) -> str:
        """The verdict in words: ``not quotable: other programs used 64 % of the CPUs; ...``."""
        reasons = "; ".join(each.text for each in self.reasons)
        return f"{WORDS[self.verdict]}: {reasons}" if reasons else WORDS[self.verdict]


def trust_of(findings: Iterable[Finding]) -> Trust:
    """Derive the verdict from the findings of a result."""
    bad = [each for each in by_weight(findings) if each.severity in _VERDICTS]
    return Trust(
        verdict=_VERDICTS[bad[0].severity] if bad else "quotable",
        reasons=[Reason(code=each.code, text=each.brief) for each in bad],
    )

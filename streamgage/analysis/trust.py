"""The trust in a result: one verdict, which follows from its findings alone."""

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
"""The verdict by the severity of the most important finding; other severities are quotable."""
WORDS: dict[Verdict, str] = {
    "quotable": "quotable",
    "with-care": "with care",
    "not-quotable": "not quotable",
}


USABLE = 0.05
"""Half of the interval over the figure, up to which it needs no word of caution."""
_USELESS = 0.5
"""Above it the figure says little more than its order of magnitude: the bounds may be a factor of
three apart. Below it the bounds say all, and stand next to the figure."""


def severity_of_width(width: float) -> Severity | None:
    """The severity of bounds this far (a share) from their figure; ``None`` if close enough."""
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
    """The most important first; empty if it is quotable."""

    @property
    def words(self) -> str:
        """``not quotable: other programs used 64 % of the CPUs; ...``."""
        reasons = "; ".join(each.text for each in self.reasons)
        return f"{WORDS[self.verdict]}: {reasons}" if reasons else WORDS[self.verdict]


def trust_of(findings: Iterable[Finding]) -> Trust:
    """The verdict that the findings of a result come to."""
    bad = [each for each in by_weight(findings) if each.severity in _VERDICTS]
    return Trust(
        verdict=_VERDICTS[bad[0].severity] if bad else "quotable",
        reasons=[Reason(code=each.code, text=each.brief) for each in bad],
    )

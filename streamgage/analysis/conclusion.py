"""Conclusions: sentences that say more than a figure, none firmer than the run behind it.

Every kind of result and every command that concludes something from results words it here. What a
sentence may say depends on two things: whether its own figures decide it (intervals, the number of
rounds), which its author knows, and the verdict on the run, which ``no_firmer`` applies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from streamgage.analysis.finding import Finding
from streamgage.analysis.grade import Grade
from streamgage.analysis.trust import Trust

_IF_SO = "If that had no influence: "
_SENTENCE_END = re.compile(r"\. (?=[A-Z0-9])")
_CAPITAL = re.compile(r"[A-Z](?=[a-z])|A(?= )")
"""A capital letter at the start of a word that is no abbreviation."""


class Conclusion(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence, and how firm it is."""

    grade: Grade
    text: str


def sound(text: str) -> Conclusion:
    """Make a conclusion that its figures decide."""
    return Conclusion(grade="sound", text=text)


def undecided(text: str) -> Conclusion:
    """Make a sentence on a question that the figures leave open."""
    return Conclusion(grade="undecided", text=text)


def fact(text: str) -> Conclusion:
    """Make a sentence that concludes nothing from figures."""
    return Conclusion(grade="fact", text=text)


def texts(conclusions: Iterable[Conclusion]) -> list[str]:
    """The sentences, without their grades."""
    return [each.text for each in conclusions]


def supports(*trusts: Trust | None) -> bool:
    """Return whether runs with this trust support a conclusion; ``None`` is a run that does."""
    return all(each is None or each.verdict != "not-quotable" for each in trusts)


def no_firmer(conclusions: Iterable[Conclusion], *trusts: Trust | None) -> list[Conclusion]:
    """Return the conclusions, none firmer than the runs with this trust allow.

    If one of these is not quotable, the reason comes first, and each conclusion becomes what would
    follow without it.
    """
    listed = list(conclusions)
    if supports(*trusts) or all(each.grade == "fact" for each in listed):
        return listed
    bad = next(each for each in trusts if each is not None and not supports(each))
    reason = Conclusion(grade="none", text=why_none(bad))
    conditional = [
        each if each.grade == "fact" else Conclusion(grade="none", text=if_so(each.text))
        for each in listed
    ]
    return [reason, *conditional]


def why_none(trust: Trust) -> str:
    """``No conclusion: other programs used 64 % of the CPUs.``."""
    return f"No conclusion: {_without_capital(trust.reasons[0].text.rstrip('.'))}."


def if_so(text: str) -> str:
    """``If that had no influence: triad still rises at 2 threads; the cores are the limit.``.

    It is one sentence, so that no part of it stands in the indicative by itself.
    """
    parts = [_without_capital(part) for part in _SENTENCE_END.split(text)]
    return _IF_SO + "; ".join(parts)


def _without_capital(text: str) -> str:
    start = _CAPITAL.match(text)
    return text if start is None else f"{text[0].lower()}{text[1:]}"


def hedged(text: str, *trusts: Trust | None) -> str:
    """The text, or what would follow if the reasons not to quote these runs had no influence."""
    return text if not text or supports(*trusts) else if_so(text)


def finding_no_firmer(finding: Finding, trust: Trust) -> Finding:
    """Return the finding, no firmer than a run with this trust allows.

    A finding on the run itself, such as who disturbed it, holds in any case, and so does one that
    says what is unknown.
    """
    if finding.grade != "sound" or supports(trust):
        return finding
    reason = finding.reason and if_so(finding.reason)
    return replace(finding, grade="none", text=if_so(finding.text), reason=reason)

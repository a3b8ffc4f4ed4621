"""One side of a comparison: a result, or several results of one set-up that are pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec

from streamgage.analysis.statistics.evidence import believable, within_reason
from streamgage.analysis.trust import Trust
from streamgage.comparison.compare.document import ComparedResult, ComparedSide
from streamgage.comparison.compare.settings import host_of, machine_of, tool_of
from streamgage.results.comparable import Conventions, Figure, pooled
from streamgage.results.result import Result

Figures = dict[tuple[str, ...], Figure]
"""The figures of a side by their keys, which name what is compared with what."""
_REPORTED_ELSEWHERE = ("invalid", "unfinished")
"""Codes of findings that ``valid`` and ``partial`` report already."""


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a comparison.

    ``label`` is ``A`` for the first, which the others are compared with.
    """

    label: str
    results: Sequence[Result[Any]]
    _figures: dict[Conventions, Figures] = field(default_factory=dict, init=False, repr=False)

    @property
    def name(self) -> str:
        """The names of its results, separated by commas."""
        return ", ".join(each.name for each in self.results)

    def figures(self, conventions: Conventions) -> Figures:
        """The figures under these conventions; several results are pooled."""
        if conventions not in self._figures:
            self._figures[conventions] = self._pooled(conventions)
        return self._figures[conventions]

    def _pooled(self, conventions: Conventions) -> Figures:
        found: dict[tuple[str, ...], list[Figure]] = {}
        for result in self.results:
            for figure in result.kind.comparable(result, conventions):
                if figure is not None and within_reason(figure.seconds):
                    sound = replace(figure, evidence=believable(figure.evidence))
                    found.setdefault(figure.key, []).append(sound)
        of = len(self.results)
        return {key: pooled(figures, of, self.label) for key, figures in found.items()}

    def is_same_as(self, other: Side) -> bool:
        """Return whether it has exactly the same results."""
        return self.contents.keys() == other.contents.keys()

    @property
    def trusts(self) -> list[Trust]:
        """How far each of its results can be trusted; the reasons name the result."""
        return [
            msgspec.structs.replace(
                each.trust,
                reasons=[
                    msgspec.structs.replace(
                        reason, text=f"{self.label} ({each.name}) is not quotable: {reason.text}"
                    )
                    for reason in each.trust.reasons
                ],
            )
            for each in self.results
        ]

    @cached_property
    def contents(self) -> dict[bytes, str]:
        """The names of its results by their content."""
        return {content_of(each): each.name for each in self.results}

    def compared_side(self) -> ComparedSide:
        """The side as the comparison's document describes it."""
        return ComparedSide(
            label=self.label,
            name=self.name,
            kind=self.results[0].kind.name,
            results=[_compared_result(each) for each in self.results],
        )


def _compared_result(result: Result[Any]) -> ComparedResult:
    machine = machine_of(result)
    return ComparedResult(
        name=result.name,
        host=host_of(result),
        date=machine.time if machine is not None else None,
        tool=tool_of(result),
        partial=why_incomplete(result),
        trust=result.trust_verdict,
        trust_reasons=[each.text for each in result.trust.reasons],
        errors=[
            each.text
            for each in result.words.findings
            if each.severity == "error" and each.code not in _REPORTED_ELSEWHERE
        ],
    )


def content_of(result: Result[Any]) -> bytes:
    """What identifies a result: only the same result has the same content."""
    return msgspec.json.encode(result.kind.identity(result.document))


def why_incomplete(result: Result[Any]) -> str | None:
    """Why a result is not complete, in a sentence; ``None`` if it is complete.

    A document without records says so in its findings.
    """
    if result.partial is not None:
        return result.partial
    if any(each.code == "unfinished" for each in result.words.findings):
        return "Its findings say that it was stopped early."
    return None


def label(number: int) -> str:
    """The label of a side: ``A`` to ``Z``, then ``A2`` and so on."""
    turn, place = divmod(number, 26)
    return chr(ord("A") + place) + (str(turn + 1) if turn else "")

"""Whether the shapes that were chosen still held."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from streamgage.analysis.finding import Finding
from streamgage.analysis.grade import Grade
from streamgage.records.quantities import Share, Some
from streamgage.results.measure.facts.base import Fact, some
from streamgage.units import format_share

Chosen = Literal["given", "known", "raced", "device"]
"""How the shapes were chosen; those of a device are raced in every run."""


class SlowerVariant(msgspec.Struct, frozen=True, kw_only=True):
    """A variant that was slower than what it is compared with, by a share of the bandwidth."""

    variant: str
    loss: Share


def by(slower: list[SlowerVariant]) -> str:
    """``copy streaming (by 12 %)``."""
    return some([f"{each.variant} (by {format_share(each.loss)})" for each in slower])


class SlowerShape(Fact, frozen=True, kw_only=True, tag="slower-shape"):
    """Tuned variants were slower than the default shape in this very run."""

    grade: ClassVar[Grade] = "sound"
    slower: Annotated[list[SlowerVariant], Some]
    chosen: Chosen

    def finding(self) -> Finding:
        """The finding, in words."""
        remedy = {
            "given": "Leave --shape out to search for the quickest one.",
            "known": "Search for shapes again with --retune: this machine has changed since.",
            "raced": "The search had the opposite result a moment before: search again with"
            " --retune at a quieter time, or use the default one.",
            "device": "Use the default one, or measure again: every run searches for the shapes of"
            " a device.",
        }[self.chosen]
        return self.said(
            reason=f"tuned shapes were slower than the default: {by(self.slower)}",
            text=f"Slower than the same kernel in the default shape: {by(self.slower)}. {remedy}",
        )

"""The costs of kinds of store, and stores that differ from the loop's source."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import field

from streamgage.analysis.finding import Finding
from streamgage.analysis.grade import Grade
from streamgage.records.quantities import Amount, Positive, Some
from streamgage.results.measure.facts.base import Fact, some
from streamgage.results.measure.facts.shapes import SlowerVariant, by
from streamgage.units import format_share, listed

MOST_BY_STORES = 1.5
"""Copy and Scale move two words, or three where the store reads its line first."""
Evidence = Literal["measured", "replayed", "inferred", "excluded", "likely"]


class LateVariant(msgspec.Struct, frozen=True, kw_only=True):
    """A variant that takes longer than with its lines prefetched for writing, by that share."""

    kernel: str
    store: str
    excess: Amount


class LateReads(Fact, frozen=True, kw_only=True, tag="late-read"):
    """Ordinary stores waited for the lines they overwrite."""

    grade: ClassVar[Grade] = "sound"
    variants: Annotated[list[LateVariant], Some]
    """Those that lose most first."""

    def finding(self) -> Finding:
        """The finding, in words."""
        first = self.variants[0]
        seen = some(
            [f"{each.kernel} {each.store} ({format_share(each.excess)})" for each in self.variants]
        )
        return self.said(
            reason=f"the reads of stores come late ({first.kernel}: {format_share(first.excess)})",
            text="Ordinary stores wait for the lines that they overwrite: they take longer than"
            f" with the same lines prefetched for writing, {seen}. The read starts with the store,"
            " too late to overlap as loads do. In a program, streaming stores or a prefetch for"
            " writing ahead of the store (PREFETCHW, prfm pstl1keep, dcbtst) recover that time.",
        )


class StreamingSlower(Fact, frozen=True, kw_only=True, tag="streaming-slower"):
    """Streaming stores were slower than ordinary ones, each in its quickest shape."""

    grade: ClassVar[Grade] = "sound"
    slower: Annotated[list[SlowerVariant], Some]
    """Kernels."""
    avoid_a_read: bool
    """Whether some of them overwrite what they do not read."""

    def finding(self) -> Finding:
        """The finding, in words."""
        why = (
            "They avoid a read, but a core has few buffers for them, so a few threads move less."
            if self.avoid_a_read
            else "These loops need what they overwrite, so there is no read to avoid, and a core"
            " has few buffers for streaming stores."
        )
        return self.said(
            reason=f"streaming stores are slower here: {by(self.slower)}",
            text="Streaming stores are slower than ordinary ones, each in its quickest shape:"
            f" {by(self.slower)}. {why} Use ordinary stores for such loops with as many threads as"
            " here.",
        )


class LibraryCalls(msgspec.Struct, frozen=True, kw_only=True):
    """A kernel whose loop the compiler replaced, and the functions that it calls."""

    kernel: str
    calls: list[str]


class CopyIsCall(Fact, frozen=True, kw_only=True, tag="copy-memcpy"):
    """Plain loops became calls of the library, or a table of another benchmark looks so."""

    replaced: list[LibraryCalls] = field(default_factory=list)
    """By the object code; empty of another benchmark."""
    read_as_loops: list[str] = field(default_factory=list)
    """Those of the kernels that read every line overwritten, as a loop does."""
    evidence: Evidence | None = None
    """For that, or for what the stores of the table read."""
    ratio: Positive | None = None
    """Of another benchmark: the rate of Copy over that of Scale."""
    unexplained: bool = False
    """Whether stores alone cannot make that ratio."""
    loops: list[str] | None = None
    """The kernels whose stores read what Copy's do not, or the other way round, where that is
    known."""

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.ratio is not None:
            return self._unlike_scale(self.ratio)
        seen = some([f"{each.kernel} calls {' and '.join(each.calls)}" for each in self.replaced])
        like_loops = (
            f" Here {' and '.join(self.read_as_loops)} read every line overwritten, as a loop does"
            f" ({self.evidence})."
            if self.read_as_loops
            else ""
        )
        return self.said(
            reason=f"the compiler replaced plain loops: {seen}",
            text=f"The compiler replaced plain loops by library calls: {seen} (from the object"
            " code). Such a call chooses its stores by the size of the arrays, mostly streaming"
            " ones for large arrays, so these rows need not be comparable with the"
            f" others.{like_loops} With gcc, -fno-tree-loop-distribute-patterns keeps the loop.",
        )

    def _unlike_scale(self, ratio: float) -> Finding:
        more, way = (ratio - 1, "above") if ratio > 1 else (1 - ratio, "below")
        return self.said(
            reason=f"Copy is {format_share(more)} {way} Scale: do not compare them",
            text=f"Copy is {format_share(more)} {way} Scale, though both move the same:"
            f" {self._meaning(ratio)}. Compare Copy with no other row, and quote Triad.",
            grade="sound",
        )

    def _meaning(self, ratio: float) -> str:
        """The meaning of a Copy that runs at ``ratio`` times the rate of Scale."""
        if self.unexplained:
            slower = "Scale" if ratio > 1 else "Copy"
            return (
                f"a read before the store explains at most {format_share(MOST_BY_STORES - 1)} of"
                f" difference, so something else slowed {slower} down, such as a loop that was not"
                " vectorised or not run in parallel, or a slow library call"
            )
        if self.loops:
            known = f"({self.evidence or 'inferred'} from the rates)"
            named = listed([name.capitalize() for name in self.loops])
            if ratio > 1:
                return (
                    f"Copy was probably memcpy with streaming stores, and {named} ordinary loops"
                    f" {known}"
                )
            return f"{named} probably had streaming stores, and Copy did not {known}"
        if ratio > 1:
            return (
                "Copy was perhaps memcpy with streaming stores, or the arithmetic and not the"
                " memory held Scale back; the rates do not show which"
            )
        return (
            "perhaps Scale, Add and Triad had streaming stores and Copy did not, or Copy was a"
            " library call that is slow here; the rates do not show which"
        )

"""Alpha, the part of the lines stored that the store reads, and why it is that."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.traffic.reason import Reason, in_words
from streamgage.records.quantities import Difference


class Alpha(msgspec.Struct, frozen=True, kw_only=True):
    """Lines read because of a store, per line stored that the kernel does not itself read."""

    verdict: Literal["full", "none", "partial", "at-most", "cannot-tell"] | None = None
    value: Difference | None = None
    low: Difference | None = None
    high: Difference | None = None
    evidence: Literal["measured", "replayed", "inferred", "excluded", "likely"] | None = None
    """``measured``: counted by hardware. ``replayed``: counters were played back from a recording,
    so nothing of it was measured. ``likely``: the evidence speaks for it by 3:1 or more, too little
    for a figure to quote."""
    reasons: list[Reason] = []
    """Why, where there is more to say: the first, and those that it rests on."""

    @property
    def why(self) -> str | None:
        """The reasons in words; ``None`` where there are none."""
        return in_words(self.reasons) if self.reasons else None

    def consistent(self) -> None:
        """Raise ``ValueError`` where a reason lacks one of its values."""
        if self.reasons:
            in_words(self.reasons)


def refuse(*reasons: Reason) -> Alpha:
    """The alpha "cannot tell", with the reasons."""
    return Alpha(verdict="cannot-tell", reasons=list(reasons))

"""Alpha, the share of the stored lines that stores read first, and the reasons for it."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.traffic.reason import Reason, in_words
from streamgage.records.quantities import Difference


class Alpha(msgspec.Struct, frozen=True, kw_only=True):
    """The lines read because of stores, per stored line that the kernel does not itself read."""

    verdict: Literal["full", "none", "partial", "at-most", "cannot-tell"] | None = None
    value: Difference | None = None
    low: Difference | None = None
    high: Difference | None = None
    evidence: Literal["measured", "replayed", "inferred", "excluded", "likely"] | None = None
    """How it is known. ``measured``: counted by hardware. ``replayed``: the counters were played
    back from a recording, so nothing was measured. ``likely``: the evidence supports it by 3:1 or
    more, which is too little for a figure to quote."""
    reasons: list[Reason] = []
    """The reasons, if there is more to say: the first one, and those that it rests on."""

    @property
    def why(self) -> str | None:
        """The reasons in words; ``None`` if there are none."""
        return in_words(self.reasons) if self.reasons else None

    def consistent(self) -> None:
        """Raise ``ValueError`` if a reason lacks one of its values."""
        if self.reasons:
            in_words(self.reasons)


def refuse(*reasons: Reason) -> Alpha:
    """Make the alpha "cannot tell" with these reasons."""
    return Alpha(verdict="cannot-tell", reasons=list(reasons))

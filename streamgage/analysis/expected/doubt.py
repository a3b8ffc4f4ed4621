"""Why hardware that others published figures of may not be the same as that in use."""

from __future__ import annotations

from collections.abc import Iterable

from streamgage.analysis.coded import Coded
from streamgage.units import listed


class Doubt(Coded):
    """The doubts about a published value, each with its words."""

    MASKED = "masked", "the processor's name is masked"
    SEVERAL_MAKERS = "several-makers", "several makers sell processors with this core"
    NO_MAKER = "no-maker", "the maker of the computer is not known"
    NO_PACKAGES = "no-packages", "the number of processors is not known"
    NO_SIZE = "no-size", "the size of the memory is not known"
    STORES_UNSAID = (
        "stores-unsaid",
        "the source does not say which stores its program had",
    )
    GUEST_UNSAID = "guest-unsaid", "the source does not say whether it was a guest"


def in_words(doubts: Iterable[Doubt]) -> str:
    """All of them as a list in words; empty where there are none."""
    words = [each.words for each in doubts]
    return listed(words) if words else ""

"""Reasons why published figures may be about other hardware than that in use."""

from __future__ import annotations

from collections.abc import Iterable

from streamgage.analysis.worded_code import WordedCode
from streamgage.units import listed


class Doubt(WordedCode):
    """A doubt whether a published value applies to the hardware in use, with its words."""

    MASKED = "masked", "the processor's name is masked"
    SEVERAL_MAKERS = "several-makers", "several makers sell processors with this core"
    NO_MAKER = "no-maker", "the maker of the computer is not known"
    NO_PACKAGES = "no-packages", "the number of processors is not known"
    NO_SIZE = "no-size", "the size of the memory is not known"
    STORES_UNSAID = (
        "stores-unsaid",
        "the source does not say which stores its program used",
    )
    GUEST_UNSAID = "guest-unsaid", "the source does not say whether it was a guest"


def in_words(doubts: Iterable[Doubt]) -> str:
    """Join the doubts to a list in words; empty if there are none."""
    words = [each.words for each in doubts]
    return listed(words) if words else ""

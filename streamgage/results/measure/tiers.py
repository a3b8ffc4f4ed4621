"""The order of importance, in which things are measured: this is its only definition.

The first tier has what the first screen shows; the second one what explains it: the kernels by
which write-allocates are judged, and regular stores. Everything else comes after these, and the
search for access shapes last.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.traffic.bracket import BRACKETS
from streamgage.records import Tier
from streamgage.results.measure.headline import KERNELS, STORES

SHOWN = ("copy", "triad", "sum")
"""The kernels that most readers want; if missing, the first others replace them."""
MOST_SHOWN = 3
STREAMING = "streaming"
EXPLAINING = "regular"
"""The stores of the kernels that explain others."""


def shown_kernels(kernels: Sequence[str], first: str | None) -> list[str]:
    """Choose the kernels of the first screen from ``kernels``; ``first`` is always one of them."""
    wanted = [each for each in SHOWN if each in kernels]
    wanted += [each for each in kernels if each not in wanted]
    if first is not None and first not in wanted[:MOST_SHOWN]:
        wanted.insert(0, first)
    return wanted[:MOST_SHOWN]


def tiers_of(kernels: Sequence[str], stores: Sequence[str] | None) -> list[Tier]:
    """The tiers of a plan with these kernels and stores (``None``: the customary ones)."""
    headline = next((each for each in (*KERNELS, *kernels) if each in kernels), None)
    shown = shown_kernels(kernels, headline)
    if not shown:
        return []
    explaining = [
        neighbour for each in shown for neighbour in BRACKETS.get(each, ()) if neighbour is not None
    ]
    return [
        Tier(kernels=shown, stores=_shown_stores(stores)),
        Tier(kernels=list(dict.fromkeys((*explaining, *shown))), stores=[EXPLAINING]),
    ]


def _shown_stores(stores: Sequence[str] | None) -> list[str]:
    """The first ordinary ones, as the headline takes them, and streaming ones."""
    asked = [*STORES, STREAMING] if stores is None else list(stores)
    ordinary = [each for each in STORES if each in asked][:1]
    return [*ordinary, *(each for each in asked if each == STREAMING)] or asked

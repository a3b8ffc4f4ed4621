"""What a figure of a node is a figure of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal

PartKind = Literal["NUMA node", "core"]
_OF_PARTS = "triad"
"""The kernel that parts of a node run."""
_SHOWN_FIRST = "triad"


@dataclass(frozen=True, eq=False)
class Quantity:
    """A kernel on a whole node, or on a part of it.

    There is one object of each, so that a fleet of many thousand nodes is looked up fast.
    """

    kernel: str
    part: PartKind | None = None
    number: int = 0

    @cached_property
    def name(self) -> str:
        """``copy``, or ``triad, core 3``."""
        return self.kernel if self.part is None else f"{self.kernel}, {self.part} {self.number}"

    @cached_property
    def is_first(self) -> bool:
        """Whether it is what people ask for first."""
        return self.part is None and self.kernel == _SHOWN_FIRST


@cache
def of_node(kernel: str) -> Quantity:
    """The figure of a whole node."""
    return Quantity(kernel)


@cache
def of_part(part: PartKind, number: int) -> Quantity:
    """The figure of a NUMA node, or of a core."""
    return Quantity(_OF_PARTS, part, number)


def important_first(quantities: Iterable[Quantity]) -> tuple[Quantity, ...]:
    """Triad of the whole node, then the others as they come."""
    return _important_first(tuple(quantities))


@lru_cache(maxsize=256)
def _important_first(quantities: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    return tuple(sorted(quantities, key=lambda each: not each.is_first))

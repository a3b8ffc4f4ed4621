"""The facts of which the findings of a run are made, a type for each code."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

from streamgage.results.measure.facts import (  # noqa: F401 - each has some of the types
    counters,
    device,
    limits,
    measurement,
    memory,
    output,
    own,
    pages,
    placement,
    process,
    ranks,
    shapes,
    states,
    stores,
    surroundings,
    traffic,
)
from streamgage.results.measure.facts.base import Fact

__all__ = ["FACTS", "AnyFact", "Fact"]

FACTS: tuple[type[Fact], ...] = tuple(Fact.__subclasses__())
"""All types there are."""
if TYPE_CHECKING:
    AnyFact: TypeAlias = Fact
else:
    AnyFact = Union[FACTS]  # noqa: UP007 - of a tuple

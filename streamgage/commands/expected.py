"""List bandwidths that others publish for processors and GPUs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, overload

from streamgage.advice import advice
from streamgage.analysis.expected.table import known_values, values_for
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.api.answers import PagedAnswer
from streamgage.comparison.expected import page_of
from streamgage.errors import UsageError
from streamgage.options.declaration import Display, Form, command
from streamgage.show.formats import formats_of
from streamgage.units import count, shortened

if TYPE_CHECKING:
    from streamgage.show.page import Page

_MOST_CHARACTERS = 60
EXAMPLES = (
    ("streamgage expected", "Every published value, with its source."),
    ("streamgage expected grace", "Values for hardware with this word in its name."),
    (
        "streamgage expected 'AMD EPYC 7742 64-Core Processor' --format json",
        "Values for a processor, named as lscpu does, as JSON.",
    ),
)


class ExpectedValues(Sequence[ExpectedValue], PagedAnswer):
    """Published bandwidths, each with its source and its hardware."""

    def __init__(self, values: Sequence[ExpectedValue]) -> None:
        """Keep the values in the order of the list."""
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[ExpectedValue]:
        return iter(self.values)

    @overload
    def __getitem__(self, place: int) -> ExpectedValue: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ExpectedValue]: ...
    def __getitem__(self, place: int | slice) -> ExpectedValue | Sequence[ExpectedValue]:
        return self.values[place]

    @property
    def document(self) -> list[ExpectedValue]:
        """The values as typed documents: what ``--format json`` prints."""
        return self.values

    @cached_property
    def page(self) -> Page:
        """The page of the list, for any format."""
        return page_of(self.values)

    def __repr__(self) -> str:
        return f"<{count(len(self), 'published value')}>"


@command(Display(formats_of({"tables"}), format="How to print the list."))
def expected(processor: Annotated[str | None, Form("PROCESSOR")] = None) -> ExpectedValues:
    """List the bandwidths that others publish, with their sources.

    Args:
        processor: Only hardware with these words in its name, or a processor by the name that the
            system gives it; default: all that is known.

    Raises:
        UsageError: the list has nothing about this hardware.
        StreamgageError: the list is damaged, or of a newer streamgage.
    """
    found = list(known_values()) if processor is None else values_for(processor)
    if processor is not None and not (processor.strip() and found):
        shown = shortened(processor, _MOST_CHARACTERS)
        raise UsageError(
            f"No published value is known for {shown!r}: {advice('expected')} lists what is known."
        )
    return ExpectedValues(found)

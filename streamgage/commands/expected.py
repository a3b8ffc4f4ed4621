"""Show the peak of a processor, device or cloud server, and the bandwidths that others publish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, overload

from streamgage.advice import advice
from streamgage.analysis.expected.table import known_values, values_for
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.named_hardware import servers_named, servers_with
from streamgage.api.answers import PagedAnswer
from streamgage.comparison.expected import Expected, expected_of, page_of
from streamgage.errors import UsageError
from streamgage.options.declaration import Display, Form, command
from streamgage.options.question import Question
from streamgage.options.values import Rate, given_rate
from streamgage.show.formats import formats_of
from streamgage.units import count, shortened

if TYPE_CHECKING:
    from streamgage.show.page import Page

_MOST_CHARACTERS = 60
ANSWERS = Question.GOOD
EXAMPLES = (
    ("streamgage expected", "Every published value, with its source."),
    ("streamgage expected grace", "The peak of Grace, and what others measured on it."),
    (
        "streamgage expected 'EPYC 9654' --rate 387",
        "The peak of a processor, and the share of it that 387 GB/s are.",
    ),
    ("streamgage expected m7i.metal", "A type of cloud server: its peak, and what it reached."),
    (
        "streamgage expected 'AMD EPYC 7742 64-Core Processor' --format json",
        "A processor, named as lscpu does, as JSON.",
    ),
)


class ExpectedValues(Sequence[ExpectedValue], PagedAnswer):
    """Published bandwidths, each with its source and its hardware; and the peak of a name."""

    def __init__(self, document: Expected) -> None:
        """Keep the document, whose values are in the order of the list."""
        self._document = document

    @property
    def values(self) -> list[ExpectedValue]:
        """The published values."""
        return self._document.values

    @property
    def peak_gbps(self) -> float | None:
        """The theoretical peak of one processor or device; ``None`` if it is not known."""
        return None if self._document.peak is None else self._document.peak.gbps

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
    def document(self) -> Expected:
        """The answer as a typed document: what ``--format json`` prints."""
        return self._document

    @cached_property
    def page(self) -> Page:
        """The page of the list, for any format."""
        return page_of(self._document)

    def __repr__(self) -> str:
        return f"<{count(len(self), 'published value')}>"


@command(Display(formats_of({"tables"}), format="How to print the list."))
def expected(
    name: Annotated[str | None, Form("NAME")] = None, *, rate: Rate | None = None
) -> ExpectedValues:
    """Show the peak of a processor, device or cloud server.

    Args:
        name: A processor or device by its usual name, or as the system names it; a type of cloud
            server; or words of a published value's hardware. Default: all published values.
        rate: GB/s to compare with the peak.

    Raises:
        UsageError: nothing is known of this hardware, or a rate has no name.
        StreamgageError: a list is damaged, or of a newer streamgage.
    """
    gbps = given_rate(rate)
    if name is None:
        if gbps is not None:
            raise UsageError(
                "--rate needs the hardware that it is of: name it, such as"
                f" {advice('expected', 'EPYC 9654', '--rate', 387)}."
            )
        return ExpectedValues(expected_of(None, None, known_values(), []))
    values = values_for(name) if name.strip() else []
    servers = (servers_named(name) or servers_with(name)) if name.strip() else []
    found = expected_of(name, gbps, values, servers)
    if not (values or servers or found.peak or found.members):
        shown = shortened(name, _MOST_CHARACTERS)
        raise UsageError(
            f"Nothing is known of {shown!r}: {advice('expected')} lists what others published."
        )
    return ExpectedValues(found)

"""Show the peak of a processor, device or cloud server, and the bandwidths that others publish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Unpack, overload

from streamgage.advice import advice
from streamgage.analysis.cloud.servers import OPERATIONS, PACKAGE, known_servers
from streamgage.analysis.expected.table import known_values, values_for
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.named_hardware import servers_named, servers_with
from streamgage.api.answers import PagedAnswer
from streamgage.api.cloud import FORMATS as CLOUD_FORMATS
from streamgage.api.cloud import CloudComparison
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.runs import BaseRun
from streamgage.comparison.expected import Expected, expected_of, page_of
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Default, Display, Form, Mode, command
from streamgage.options.drawing import CURVES
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import Rate, given_rate
from streamgage.show.formats import formats_of
from streamgage.store.load import newest_of
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
    (
        "streamgage expected --cloud",
        "Show where your newest result of measure stands among cloud servers.",
    ),
    (
        "streamgage expected --cloud -o cloud.svg",
        "Draw it as a picture, with a dot for each server type.",
    ),
    (
        "streamgage expected --cloud --result 12 --operation copy",
        "Place another result, by its rate of copying.",
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


_DOTS = CURVES.replace("Draw the curves", "draw a dot for each type").format(data="csv")
_AMONG_CLOUD_SERVERS = Mode(
    "cloud",
    "compares a result of measure",
    Display(CLOUD_FORMATS, data="csv"),
    own=("result", "operation", "store"),
)


class CloudOptions(StoreOptions, total=False):
    """Options of the comparison with cloud servers.

    Args:
        result: With --cloud: a result of `streamgage measure`; default: the newest stored one. In
            Python a result of ``measure``, too.
        operation: With --cloud: the rate to compare: {words}. Read is the rate of sum, write that
            of init; for copy each copied byte counts once.
        **StoreOptions
    """

    result: Named | BaseRun[Any] | None
    operation: Annotated[str, Form("NAME", words=OPERATIONS), Default("read")]


@overload
def expected(
    name: str | None = None, *, rate: Rate | None = None, cloud: Literal[False] = False
) -> ExpectedValues: ...
@overload
def expected(*, cloud: Literal[True], **options: Unpack[CloudOptions]) -> CloudComparison: ...
@command(
    Display(
        formats_of({"tables"}),
        format="How to print the answer.",
        output=f"Write the answer to FILE, not to stdout. With --cloud: {_DOTS}.",
        modes=(_AMONG_CLOUD_SERVERS,),
    )
)
def expected(
    name: Annotated[str | None, Form("NAME")] = None,
    *,
    rate: Rate | None = None,
    cloud: bool = False,
    **options: Unpack[CloudOptions],
) -> ExpectedValues | CloudComparison:
    """Show the peak of hardware, and what others reach.

    With ``cloud``: where this machine's memory stands among cloud servers. Their figures are by
    Spare Cores, in a separate package (streamgage-cloud, CC BY-SA 4.0).

    Args:
        name: A processor or device by its usual name, or as the system names it; a type of cloud
            server; or words of a published value's hardware. Default: all published values.
        rate: GB/s to compare with the peak.
        cloud: Show where a result of this machine stands among thousands of types of cloud servers.
        **CloudOptions

    Raises:
        UsageError: nothing is known of this hardware, or a rate has no name. With ``cloud``: there
            is no such result, or the package with the figures is not installed.
        StreamgageError: a list is damaged, or of a newer streamgage.
    """
    if cloud:
        return _among_cloud_servers(options)
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


def _among_cloud_servers(options: CloudOptions) -> CloudComparison:
    """Compare a result. Raises ``UsageError`` if there is none, or no list of servers."""
    from streamgage.comparison.cloud.judge import cloud_of

    result = options["result"]
    operation = next((each for each in OPERATIONS if each == options["operation"]), None)
    if operation is None:
        wrong = shortened(options["operation"])
        raise UsageError(f"--operation {wrong!r} is not known: use {', '.join(OPERATIONS)}.")
    servers = known_servers()
    if not servers:
        raise UsageError(
            f"--cloud needs the package {PACKAGE}, which is not installed: install it from the"
            " folder cloud of streamgage's source, `pip install ./cloud`."
        )
    notes = Notes(options["progress"])
    place = place_of(options["store"])
    if result is None:
        loaded = newest_of("measure", place, notes)
    else:
        loaded = loaded_from(result, place, notes)
    found = cloud_of(servers, operation, loaded)
    return CloudComparison(found, servers, tuple(notes.sentences))

"""Compare a machine with cloud servers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack, get_args

from streamgage.analysis.world.servers import PACKAGE, Operation, ServerType, known_servers
from streamgage.api.answers import BaseAnswer, PagedAnswer
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.runs import BaseRun
from streamgage.comparison.world.document import OwnPlace, World, WorldGroup
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, Form, command
from streamgage.options.drawing import CURVES
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.show.formats import formats_of, suffixes_of
from streamgage.store.load import newest_of
from streamgage.units import count, shortened

if TYPE_CHECKING:
    from streamgage.show.page import Page
    from streamgage.show.picture_file import Width

FORMATS = formats_of(())
_OPERATIONS: tuple[str, ...] = get_args(Operation)
ANSWERS = Question.GOOD
EXAMPLES = (
    ("streamgage world", "Show where your newest result of measure stands, in figures."),
    ("streamgage world -o world.svg", "Draw it as a picture, with a dot for each server type."),
    ("streamgage world 12 --operation copy", "Place another result, by its rate of copying."),
)


class WorldComparison(BaseAnswer[World], PagedAnswer):
    """A machine among cloud servers that others measured."""

    _forms: ClassVar = suffixes_of(FORMATS)

    def __init__(
        self, document: World, servers: Sequence[ServerType], notes: tuple[str, ...] = ()
    ) -> None:
        """Keep the document, and the ``servers`` that it compares with."""
        super().__init__(document, notes)
        self._servers = servers

    @property
    def yours(self) -> OwnPlace | None:
        """The figure of your machine; ``None`` if there is none."""
        return self.document.yours

    @property
    def groups(self) -> list[WorldGroup]:
        """Groups of servers: all of them first, then those more and more like your machine."""
        return list(self.document.groups)

    @cached_property
    def page(self) -> Page:
        """The page of the comparison, for any format."""
        from streamgage.comparison.world.page import page_of

        return page_of(self.document, self._servers)

    @property
    def nothing_to_draw(self) -> str | None:
        """``None``, because there always is a picture."""
        return None

    def picture(self, file: Path, width: Width | None = None) -> bytes:
        """The picture that the command draws, by the suffix of ``file``."""
        from streamgage.show.picture import draw

        return draw(self.page, file, width)

    def __repr__(self) -> str:
        return f"<among {count(len(self._servers), 'cloud server type')}>"


@command(Display(FORMATS, output=CURVES.replace("curves", "dots").format(data="csv"), data="csv"))
def world(
    result: Named | BaseRun[Any] | None = None,
    *,
    operation: Annotated[str, Form("NAME", words=_OPERATIONS)] = "read",
    **options: Unpack[StoreOptions],
) -> WorldComparison:
    """Show where this memory stands among cloud servers.

    The figures of the servers are by Spare Cores, in a separate package (streamgage-cloud,
    CC BY-SA 4.0).

    Args:
        result: A result of `streamgage measure`; default: the newest stored one. In Python a result
            of ``measure``, too.
        operation: The rate to compare: {words}. Read is the rate of sum, write that of init; for
            copy each copied byte counts once.
        **StoreOptions

    Raises:
        UsageError: there is no such result, or the package with the figures is not installed.
        StreamgageError: the list of servers is damaged, or of a newer version.
    """
    from streamgage.comparison.world.judge import world_of

    chosen = next((each for each in get_args(Operation) if each == operation), None)
    if chosen is None:
        raise UsageError(
            f"--operation {shortened(operation)!r} is not known: use {', '.join(_OPERATIONS)}."
        )
    servers = known_servers()
    if not servers:
        raise UsageError(
            f"world needs the package {PACKAGE}, which is not installed: install it from the folder"
            " cloud of streamgage's source, `pip install ./cloud`."
        )
    notes = Notes(options["progress"])
    place = place_of(options["store"])
    if result is None:
        loaded = newest_of("measure", place, notes)
    else:
        loaded = loaded_from(result, place, notes)
    found = world_of(servers, chosen, loaded)
    return WorldComparison(found, servers, tuple(notes.sentences))

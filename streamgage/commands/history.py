"""Lists the stored results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict, Unpack, overload

from streamgage.api.answers import AS_FILE, PagedAnswer
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, Flag, Form, command
from streamgage.options.place import Source, StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import KERNEL, Number, whole_number
from streamgage.results.kinds import KINDS, NAMED
from streamgage.results.summary import Entry
from streamgage.show.formats import formats_of
from streamgage.store import Filter
from streamgage.store.history import moment, page_of, stored_results
from streamgage.units import count

if TYPE_CHECKING:
    from streamgage.api.series import AnyRun
    from streamgage.comparison.changes import Changes, SpeedChange
    from streamgage.show.page import Page

Moment = Annotated[str | date | timedelta, Form("TIME")]
"""A date such as ``"2026-11-22"``, an age such as ``"7d"``, or Python's dates and durations."""
MOST = 1_000_000_000
ANSWERS = Question.EARLIER
EXAMPLES = (
    (
        "streamgage history",
        "The newest results, with their numbers.",
    ),
    (
        "streamgage history --kernel copy --since 7d",
        "The results of the last seven days that have copy.",
    ),
    (
        "streamgage history --changes --machine node7",
        "When node7 became slower or faster, and what changed with it.",
    ),
    (
        "streamgage history --all --format csv -o history.csv",
        "All results, for a program.",
    ),
)


class History(Sequence[Entry], PagedAnswer):
    """Stored results, newest first; their documents are not read."""

    def __init__(
        self,
        entries: Sequence[Entry],
        wanted: Filter,
        place: Source,
        *,
        more: bool,
        changes: Changes | None = None,
    ) -> None:
        """``wanted`` is the filter that chose the entries; ``more`` says that older ones exist.

        ``changes``: when their figures changed; ``None`` if that was not asked for.
        """
        self.entries = list(entries)
        self.more = more
        self.changes = changes
        self._wanted = wanted
        self._place = place

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        return self.entries[place]

    def load(self, place: int = 0) -> AnyRun:
        """Load the whole result at this place of the list; 0 is the newest."""
        from streamgage.commands.load import load

        return load(self.entries[place].id, store=self._place)

    @property
    def document(self) -> list[Entry] | list[SpeedChange]:
        """The entries, or the changes, as typed documents: what ``--format json`` prints."""
        return self.entries if self.changes is None else self.changes.found

    @cached_property
    def page(self) -> Page:
        """The page of the list, or of the changes, for any format."""
        if self.changes is None:
            return page_of(self.entries, self._wanted.kernel)
        from streamgage.comparison.changes import page_of_changes

        return page_of_changes(self.changes)

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints; empty if no result matches."""
        return super().printed(form, file, details) if self.entries or form != "table" else ""

    @property
    def notes_after(self) -> tuple[str, ...]:
        """Sentences that the command prints on stderr after the answer."""
        if self.changes is not None and self.entries:
            return tuple(self.changes.notes)
        if self.more:
            return (f"These are the newest {len(self)}: --all lists all, --most N lists up to N.",)
        if self.entries:
            return ()
        return ("No stored result matches: leave an option out to see more.",)

    def __repr__(self) -> str:
        return f"<{count(len(self), 'stored result')}>"


class FilterOptions(TypedDict, total=False):
    """Options that choose stored results.

    Args:
        machine: Only results whose host or processor has TEXT in its name.
        kernel: Only results that have this kernel.
        kind: Only results of one command, such as scale or 'measure --runs': {words}.
        since: Only results started then or later: 2026-11-22, 7d (7 days ago), 12h, 2w.
        until: Only results started before then.
    """

    machine: Annotated[str | None, Form("TEXT")]
    kernel: Annotated[str | None, KERNEL]
    kind: Annotated[str | None, Form("KIND", words=tuple(each.command for each in KINDS))]
    since: Moment | None
    until: Moment | None


class Options(FilterOptions, StoreOptions, total=False):
    """Options that ``history`` shares with other commands."""


@command(Display(formats_of({"tables"}), format="How to print the list."))
def history(
    *,
    most: Annotated[Number | None, Flag("--all", "List all of them.")] = 20,
    changes: bool = False,
    **options: Unpack[Options],
) -> History:
    """List the stored results, newest first.

    Args:
        **FilterOptions
        most: List at most N. In Python ``None`` lists all.
        changes: Instead, say when all figures of a machine changed, and which settings changed
            then. All results count, not only the newest.
        **StoreOptions

    Raises:
        UsageError: nothing is stored, or an option cannot be read.
    """
    number = whole_number("--most", most, 1, MOST)
    wanted = filter_of(options, most=None if number is None or changes else number + 1)
    store = place_of(options["store"])
    if changes:
        from streamgage.comparison.changes import changes_in

        note = Notes(options["progress"])
        found = stored_results(wanted, store, note)
        changed = changes_in(found, store, note)
        return History(found, wanted, options["store"], more=False, changes=changed)
    found = stored_results(wanted, store, Notes(options["progress"]))
    more = number is not None and len(found) > number
    return History(found[:number] if more else found, wanted, options["store"], more=more)


def filter_of(options: FilterOptions, *, most: int | None = None) -> Filter:
    """Make the filter. Raises ``UsageError`` for an option that cannot be read."""
    kind = options.get("kind")
    if kind is not None and kind not in NAMED:
        known = ", ".join(each.command for each in KINDS)
        raise UsageError(f"--kind {kind!r} is not known: use {known}.")
    return Filter(
        machine=options.get("machine"),
        kernel=options.get("kernel"),
        kind=None if kind is None else NAMED[kind],
        since=moment("--since", _as_text(options.get("since"))),
        until=moment("--until", _as_text(options.get("until"))),
        most=most,
    )


def _as_text(moment: Moment | None) -> str | None:
    """Return the time as text of the command line, which ``moment`` then reads or refuses."""
    if moment is None or isinstance(moment, str):
        return moment
    if isinstance(moment, timedelta):
        from datetime import UTC, datetime

        with suppress(OverflowError):
            return (datetime.now(UTC) - moment).isoformat()
    return moment.isoformat() if isinstance(moment, date) else str(moment)

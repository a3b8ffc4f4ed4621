"""The results that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, overload

from streamgage.api.notes import Notes
from streamgage.api.rows import Rows, rows_of
from streamgage.api.storing import OWN, Own, file_of
from streamgage.api.text import Text
from streamgage.api.values import Number, PathLike, whole_number
from streamgage.errors import UsageError
from streamgage.results.kinds import NAMES
from streamgage.results.summary import Entry
from streamgage.store import Filter
from streamgage.store.history import listed, moment
from streamgage.store.history_formats import HistoryFormat, data_of, render

if TYPE_CHECKING:
    import pandas

    from streamgage.api.series import AnyRun

Moment = str | date | timedelta
"""``"2026-11-22"``, ``"7d"`` (ago), a date or a time, or how long ago."""
MOST = 1_000_000_000
_AS_FILE = Path("table.txt")


class History(Sequence[Entry]):
    """What is known of kept results without reading them, the newest first."""

    def __init__(
        self, entries: Sequence[Entry], kernel: str | None, more: bool, place: Own | Path
    ) -> None:
        """``more``: there are older ones; ``place``: the store they are in."""
        self.entries = list(entries)
        self.more = more
        self._kernel = kernel
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
        """The whole result at that place of the list; 0: the newest."""
        from streamgage.commands.load import load

        return load(self.entries[place].id, store=self._place)

    @property
    def rates(self) -> Rows:
        """The headline figures of each, with the columns of ``--format csv``."""
        return rows_of(data_of(self.entries, self._kernel), "Kept results")

    def table(self) -> Text:
        """What the command prints, 100 characters wide."""
        return Text(self._text(HistoryFormat.TABLE) if self.entries else "")

    def to_json(self) -> str:
        """What ``--format json`` prints."""
        return self._text(HistoryFormat.JSON)

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` where pandas is not installed."""
        return self.rates.to_pandas()

    def _text(self, form: HistoryFormat) -> str:
        return render(self.entries, self._kernel, form, file=_AS_FILE)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{len(self)} kept results>"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def history(
    *,
    machine: str | None = None,
    kernel: str | None = None,
    kind: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    most: Number | None = 20,
    store: PathLike | Own = OWN,
    progress: bool = True,
) -> History:
    """List the results that are kept, the newest first: ``streamgage history``.

    Args:
        machine: only where the host or processor has this text.
        kernel: only those of this kernel.
        kind: only those of this command, such as ``scale``.
        since: started then or later.
        until: started before then.
        most: the newest so many; ``None``: all.
        store: the store's file; default: the user's own.
        progress: print sentences such as what was taken into the store first.

    Raises:
        UsageError: nothing is kept, or an option cannot be read.
    """
    number = whole_number("--most", most, 1, MOST)
    wanted = filter_of(
        machine=machine,
        kernel=kernel,
        kind=kind,
        since=since,
        until=until,
        most=None if number is None else number + 1,
    )
    found = listed(wanted, file_of(store), Notes(progress))
    more = number is not None and len(found) > number
    place = file_of(store) or OWN
    return History(found[:number] if more else found, kernel, more, place)


def filter_of(
    *,
    machine: str | None = None,
    kernel: str | None = None,
    kind: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    most: int | None = None,
) -> Filter:
    """The filter. Raises ``UsageError`` for what cannot be read."""
    if kind is not None and kind not in NAMES:
        raise UsageError(f"--kind {kind!r} is not known: use {', '.join(NAMES)}.")
    return Filter(
        machine=machine,
        kernel=kernel,
        kind=kind,
        since=moment("--since", _as_text(since)),
        until=moment("--until", _as_text(until)),
        most=most,
    )


def _as_text(given: Moment | None) -> str | None:
    """As the command line has it; what is no moment is refused as such a text is."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, timedelta):
        from datetime import UTC, datetime

        with suppress(OverflowError):
            return (datetime.now(UTC) - given).isoformat()
    return given.isoformat() if isinstance(given, date) else str(given)

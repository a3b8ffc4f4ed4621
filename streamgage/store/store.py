"""The store: results are added whole or not at all, and found by their properties."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType

import msgspec

from streamgage.advice import advice
from streamgage.records.address import StorePlace
from streamgage.records.content import digest_of
from streamgage.records.foreign import MOST_BYTES, UnreadableError, converted, unpacked
from streamgage.records.plain_text import one_line
from streamgage.records.quantities import ByteCount, FileName
from streamgage.records.reader import Note
from streamgage.results.summary import Entry, Summary, SummaryRate
from streamgage.store.connect import open_database
from streamgage.store.database import Row, StoreError
from streamgage.store.layout import columns
from streamgage.store.place import option_of

_SUMMARY = tuple(columns(Summary))
_RATE = tuple(columns(SummaryRate))
_RUN = ("id", "added", *_SUMMARY)
_TIME = "coalesce(started, added)"
_MANY = 500
"""The most numbers in one statement; SQLite accepts some thousands."""
_MOST_NOTES = 3
_TRUTH: dict[object, bool] = {0: False, 1: True}
_WithRates = tuple[Row, list[dict[str, object]]]
"""A row of ``runs``, with its rows of ``rates``."""


class _File(msgspec.Struct, frozen=True):
    """A row of ``files``."""

    name: FileName
    length: ByteCount
    packed: bytes


@dataclass(frozen=True)
class Filter:
    """Which results to select. ``None`` selects any; a text matches any part, in either case."""

    machine: str | None = None
    """A part of the name of the host or the processor."""
    kernel: str | None = None
    kind: str | None = None
    since: str | None = None
    until: str | None = None
    """The start lies at or after ``since`` and before ``until``: ISO 8601 in UTC."""
    most: int | None = None
    """Select at most this many, the newest ones."""


class Store:
    """An open store; as a context manager it is closed at the end.

    All methods raise ``StoreError`` where the database cannot be read or written.
    """

    def __init__(self, place: StorePlace, *, create: bool) -> None:
        """Open the store at ``place``; with ``create``, make it if there is none.

        See ``open_database``.
        """
        self.place = place
        self._database = open_database(place, create=create)
        self._select = (
            f"SELECT {', '.join(_RUN)}, (SELECT {self._database.total_bytes} FROM files"
            " WHERE run = runs.id) FROM runs"
        )

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._database.close()

    def add(self, summary: Summary, files: Mapping[str, bytes]) -> int:
        """Store a result with the files that it was made from, and return its number.

        If the same files are stored already, the number of that result is returned.
        """
        digest = digest_of(files)
        packed = [
            (_plain(os.fsencode(name).decode("utf-8", "replace")), len(each), zlib.compress(each))
            for name, each in files.items()
        ]
        with self._database.transaction():
            known = self._number(digest)
            if known is not None:
                return known
            added = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            number = self._database.number_of_new(
                _insert("runs", "digest", "added", *_SUMMARY),
                (digest, added, *_values(summary, _SUMMARY)),
            )
            if number is None:
                known = self._number(digest)
                if known is None:
                    raise StoreError(f"Another program changes {self.place}: try again.")
                return known
            self._database.run(
                _insert("rates", "run", *_RATE),
                [(number, *_values(each, _RATE)) for each in summary.rates],
            )
            self._database.run(
                _insert("files", "run", "name", "bytes", "content"),
                [(number, *each) for each in packed],
            )
            return number

    def find(self, files: Mapping[str, bytes]) -> int | None:
        """The number of the result that was made from these files; ``None`` if there is none."""
        return self._number(digest_of(files))

    def _number(self, digest: bytes) -> int | None:
        rows = self._database.rows("SELECT id FROM runs WHERE digest = ?", (digest,))
        return int(rows[0][0]) if rows else None

    def entries(self, note: Note, wanted: Filter = Filter()) -> list[Entry]:
        """Return the results that ``wanted`` selects, newest first.

        A result that cannot be read is left out, and ``note`` is called.
        """
        where, values = _conditions(wanted, self._database.like)
        limit = "" if wanted.most is None else f" LIMIT {wanted.most:d}"
        rows = self._database.rows(
            f"{self._select}{where} ORDER BY {_TIME} DESC, id DESC{limit}", values
        )
        found = self._with_rates(rows)
        entries, damaged = [], []
        for row, rates in found:
            try:
                entries.append(self._entry(row, rates))
            except StoreError as error:
                damaged.append(error)
        for each in damaged[:_MOST_NOTES]:
            note(f"Left out: {each}")
        if len(damaged) > _MOST_NOTES:
            note(f"{len(damaged)} results were left out in all.")
        return entries

    def entry(self, number: int) -> Entry:
        """Return the result with that number, which must be one of ``numbers``."""
        found = self._with_rates(self._database.rows(f"{self._select} WHERE id = ?", (number,)))
        if not found:  # the index of a damaged store has the number, but the table does not
            raise self._damaged(number, UnreadableError("it is in no table"))
        return self._entry(*found[0])

    def numbers(self) -> list[int]:
        """Return the numbers of all results, ascending."""
        return [row[0] for row in self._database.rows("SELECT id FROM runs ORDER BY id")]

    def newest(self, place: int = 0, kind: str | None = None) -> int | None:
        """Return the number of the newest result, or of the one ``place`` results before it.

        ``None`` if there are not as many. ``kind``: count only results of that kind.
        """
        where, values = _conditions(Filter(kind=kind), self._database.like)
        rows = self._database.rows(
            f"SELECT id FROM runs{where} ORDER BY {_TIME} DESC, id DESC LIMIT 1 OFFSET {place:d}",
            values,
        )
        return int(rows[0][0]) if rows else None

    def files(self, number: int) -> dict[str, bytes]:
        """The files that a result was made from, by name; empty if there is no such result."""
        rows = self._database.rows(
            "SELECT name, bytes, content FROM files WHERE run = ? ORDER BY name", (number,)
        )
        try:
            names = _File.__struct_fields__
            files = [converted(dict(zip(names, row, strict=True)), _File) for row in rows]
            if sum(each.length for each in files) > MOST_BYTES:
                raise UnreadableError(f"its files are longer than {MOST_BYTES >> 20} MiB")
            return {each.name: unpacked(each.packed, each.length) for each in files}
        except UnreadableError as error:
            raise self._damaged(number, error) from error

    def number_of_file(self, name: str) -> int | None:
        """The number of the newest result made from a file of that name, or ``None``."""
        [(number,)] = self._database.rows("SELECT max(run) FROM files WHERE name = ?", (name,))
        return None if number is None else int(number)

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove results, all or none. Numbers that are not in the store are ignored."""
        with self._database.transaction():
            # A fixed order: two programs that remove the same results wait for each other at most.
            self._database.run("DELETE FROM runs WHERE id = ?", [(n,) for n in sorted(numbers)])

    def _with_rates(self, rows: Sequence[Row]) -> list[_WithRates]:
        rates: dict[object, list[dict[str, object]]] = {row[0]: [] for row in rows}
        numbers = list(rates)
        for first in range(0, len(numbers), _MANY):
            some = numbers[first : first + _MANY]
            found = self._database.rows(
                f"SELECT run, {', '.join(_RATE)} FROM rates WHERE run IN ({_marks(some)})"
                " ORDER BY rowid",
                some,
            )
            for run, *values in found:
                if run not in rates:
                    continue  # the index of a damaged store leads to the rates of another run
                fields = dict(zip(_RATE, values, strict=True))
                fields["tuned"] = _TRUTH.get(fields["tuned"], fields["tuned"])
                rates[run].append(fields)
        return [(row, rates[row[0]]) for row in rows]

    def _damaged(self, number: object, error: UnreadableError) -> StoreError:
        return StoreError(
            f"Run {number} in the store {self.place} is damaged ({error}):"
            f" {advice('results rm', number, store=option_of(self.place))} removes it."
        )

    def _entry(self, row: Sequence[object], rates: list[dict[str, object]]) -> Entry:
        fields = dict(zip((*_RUN, "bytes"), row, strict=True))
        try:
            found: Entry = converted({**fields, "rates": rates}, Entry)
        except UnreadableError as error:
            raise self._damaged(row[0], error) from error
        texts = {name: getattr(found, name) for name in _SUMMARY}
        return msgspec.structs.replace(
            found, **{name: one_line(text) for name, text in texts.items() if isinstance(text, str)}
        )


def _plain(name: str) -> str:
    """The name in the form that ``FileName`` requires."""
    return re.sub(r"[\x00-\x1f\x7f]", "\N{REPLACEMENT CHARACTER}", name)


def _insert(table: str, *columns: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({_marks(columns)})"


def _values(stored: Summary | SummaryRate, names: Sequence[str]) -> list[object]:
    """The values for a database: booleans as numbers, and texts without the character NUL."""
    found = [getattr(stored, name) for name in names]
    return [
        int(each)
        if isinstance(each, bool)
        else each.replace("\0", "\N{REPLACEMENT CHARACTER}")
        if isinstance(each, str)
        else each
        for each in found
    ]


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _conditions(wanted: Filter, like: str) -> tuple[str, list[object]]:
    """The ``WHERE`` clause and its values; empty if every result is wanted."""
    found: list[tuple[str, list[object]]] = []
    if wanted.machine is not None:
        found.append(
            (
                f"(host {like} ? ESCAPE '\\' OR processor {like} ? ESCAPE '\\')",
                [_within(wanted.machine)] * 2,
            )
        )
    if wanted.kernel is not None:
        found.append(("id IN (SELECT run FROM rates WHERE kernel = ?)", [wanted.kernel]))
    if wanted.kind is not None:
        found.append(("kind = ?", [wanted.kind]))
    if wanted.since is not None:
        found.append((f"{_TIME} >= ?", [wanted.since]))
    if wanted.until is not None:
        found.append((f"{_TIME} < ?", [wanted.until]))
    if not found:
        return "", []
    values = [value for _, each in found for value in each]
    return f" WHERE {' AND '.join(text for text, _ in found)}", values


def _within(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"

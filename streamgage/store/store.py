"""Results in a store: added whole or not at all, found by what they are of."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec

from streamgage.records.plain_text import one_line
from streamgage.results.summary import Entry, Summary, SummaryRate
from streamgage.store.database import StoreError, open_database, told, transaction
from streamgage.store.migrations import columns

_SUMMARY = tuple(columns(Summary))
_RATE = tuple(columns(SummaryRate))
_RUN = ("id", "added", *_SUMMARY)
_TIME = "coalesce(started, added)"
_SELECT = (
    f"SELECT {', '.join(_RUN)},"
    " (SELECT coalesce(sum(bytes), 0) FROM files WHERE run = runs.id) FROM runs"
)
_MANY = 500
"""Numbers in one statement; SQLite takes some thousands."""


@dataclass(frozen=True)
class Filter:
    """Which results; null: any. Texts are parts of what is searched, in any case of letters."""

    machine: str | None = None
    """In the host's or the processor's name."""
    kernel: str | None = None
    kind: str | None = None
    since: str | None = None
    until: str | None = None
    """Start, ISO 8601 in UTC: not before ``since``, before ``until``."""
    most: int | None = None
    """The newest so many."""


class Store:
    """A store that is open; as a context manager it is closed at the end.

    All methods raise ``StoreError`` where the database cannot be read or written.
    """

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open the store at ``path``; ``create`` it where there is none. See ``open_database``."""
        self.path = path
        self._connection = open_database(path, create=create)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def add(self, summary: Summary, files: Mapping[str, bytes]) -> int:
        """Keep a result with what it was made from; its number.

        Where the same files are kept already, that is the number of the result that has them.
        """
        digest = _digest(files)
        packed = [
            (os.fsencode(name).decode("utf-8", "replace"), len(each), zlib.compress(each))
            for name, each in files.items()
        ]
        with told(self.path), transaction(self._connection):
            known = self._number(digest)
            if known is not None:
                return known
            added = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            row = (digest, added, *(getattr(summary, name) for name in _SUMMARY))
            names = ", ".join(("digest", "added", *_SUMMARY))
            number = self._connection.execute(
                f"INSERT INTO runs ({names}) VALUES ({_marks(row)})", row
            ).lastrowid
            assert number is not None
            rates = [(number, *(getattr(each, name) for name in _RATE)) for each in summary.rates]
            self._connection.executemany(
                f"INSERT INTO rates (run, {', '.join(_RATE)}) VALUES ({_marks(('', *_RATE))})",
                rates,
            )
            self._connection.executemany(
                "INSERT INTO files (run, name, bytes, content) VALUES (?, ?, ?, ?)",
                [(number, *each) for each in packed],
            )
            return number

    def find(self, files: Mapping[str, bytes]) -> int | None:
        """The number of the result that was made from these files; null where there is none."""
        with told(self.path):
            return self._number(_digest(files))

    def _number(self, digest: bytes) -> int | None:
        found = self._connection.execute("SELECT id FROM runs WHERE digest = ?", (digest,))
        row = found.fetchone()
        return None if row is None else int(row[0])

    def entries(self, wanted: Filter = Filter()) -> list[Entry]:
        """The results that ``wanted`` lets through, the newest first."""
        where, values = _conditions(wanted)
        limit = "" if wanted.most is None else f" LIMIT {wanted.most:d}"
        with told(self.path):
            rows = self._connection.execute(
                f"{_SELECT}{where} ORDER BY {_TIME} DESC, id DESC{limit}",
                values,
            ).fetchall()
            return self._with_rates(rows)

    def entry(self, number: int) -> Entry | None:
        """The result of that number; null where there is none."""
        with told(self.path):
            rows = self._connection.execute(f"{_SELECT} WHERE id = ?", (number,)).fetchall()
            return next(iter(self._with_rates(rows)), None)

    def numbers(self) -> list[int]:
        """Of all results, ascending."""
        with told(self.path):
            return [row[0] for row in self._connection.execute("SELECT id FROM runs ORDER BY id")]

    def newest(self, place: int = 0, kind: str | None = None) -> int | None:
        """The number of the result that was started last, or ``place`` before it."""
        where, values = _conditions(Filter(kind=kind))
        with told(self.path):
            row = self._connection.execute(
                f"SELECT id FROM runs{where} ORDER BY {_TIME} DESC, id DESC"
                f" LIMIT 1 OFFSET {place:d}",
                values,
            ).fetchone()
        return None if row is None else int(row[0])

    def files(self, number: int) -> dict[str, bytes]:
        """What a result was made from, by name; empty where there is no such result."""
        with told(self.path):
            rows = self._connection.execute(
                "SELECT name, content FROM files WHERE run = ? ORDER BY name", (number,)
            ).fetchall()
        try:
            return {name: zlib.decompress(content) for name, content in rows}
        except (zlib.error, TypeError) as error:
            raise StoreError(
                f"Run {number} in the store {self.path} is damaged ({error}): `streamgage rm"
                f" {number}` removes it."
            ) from error

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove results, all or none; numbers that are of none are left aside."""
        with told(self.path), transaction(self._connection):
            self._connection.executemany(
                "DELETE FROM runs WHERE id = ?", [(number,) for number in numbers]
            )

    def _with_rates(self, rows: Sequence[Sequence[object]]) -> list[Entry]:
        rates: dict[object, list[SummaryRate]] = {row[0]: [] for row in rows}
        numbers = list(rates)
        for first in range(0, len(numbers), _MANY):
            some = numbers[first : first + _MANY]
            found = self._connection.execute(
                f"SELECT run, {', '.join(_RATE)} FROM rates WHERE run IN ({_marks(some)})"
                " ORDER BY rowid",
                some,
            )
            for run, *values in found:
                fields = dict(zip(_RATE, values, strict=True))
                fields["tuned"] = bool(fields["tuned"])
                rates[run].append(SummaryRate(**fields))
        return [self._entry(row, rates[row[0]]) for row in rows]

    def _entry(self, row: Sequence[object], rates: list[SummaryRate]) -> Entry:
        fields = dict(zip((*_RUN, "bytes"), row, strict=True))
        try:
            found = msgspec.convert({**fields, "rates": rates}, type=Entry)
        except msgspec.ValidationError as error:
            raise StoreError(
                f"Run {row[0]} in the store {self.path} is damaged ({error}): `streamgage rm"
                f" {row[0]}` removes it."
            ) from error
        texts = {name: getattr(found, name) for name in _SUMMARY}
        return msgspec.structs.replace(
            found, **{name: one_line(text) for name, text in texts.items() if isinstance(text, str)}
        )


def _digest(files: Mapping[str, bytes]) -> bytes:
    """SHA-256 over the contents, whatever their names are: over the records where there are any.

    The document next to records is made from them.
    """
    import hashlib  # which loads OpenSSL: nothing that only reads needs it

    records = [content for name, content in files.items() if name.endswith(".jsonl")]
    each = sorted(hashlib.sha256(content).digest() for content in records or files.values())
    return hashlib.sha256(b"".join(each)).digest()


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _conditions(wanted: Filter) -> tuple[str, list[object]]:
    """``WHERE`` with its values; empty where anything goes."""
    found: list[tuple[str, list[object]]] = []
    if wanted.machine is not None:
        found.append(
            (
                "(host LIKE ? ESCAPE '\\' OR processor LIKE ? ESCAPE '\\')",
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

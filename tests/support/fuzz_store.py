"""Fuzzes the reading of stores (atheris): bytes of the file changed, and values of its rows.

    python tests/support/fuzz_store.py [libFuzzer's options] [CORPUS ...]

A damaged store is listed, shown, compared, reported, exported, imported and emptied, or refused
with one sentence; anything else that is raised is a fault.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import atheris
import msgspec

with atheris.instrument_imports(include=["streamgage.records", "streamgage.store"]):
    from streamgage.errors import StreamgageError
    from streamgage.store import Filter, Store
    from streamgage.store.export import (
        FIGURE_COLUMNS,
        SAMPLE_COLUMNS,
        as_csv,
        export_document,
        figure_rows,
        results_to_export,
        sample_rows,
    )
    from streamgage.store.history import page_of as history_of
    from streamgage.store.load import load_all
    from streamgage.store.transfer import export_files, import_results, remove_results

from example_records import as_lines, good_records
from example_results import every_kind, ignore
from mutants import instead_of, mutated

from streamgage.api.report_file import ReportFormat
from streamgage.api.report_file import page_of as report_of
from streamgage.comparison.compare.comparison import comparison
from streamgage.comparison.compare.page import page_of as compared_page
from streamgage.results.kinds import result_of
from streamgage.results.summarise import summary_of
from streamgage.show.formats import FORMATS, ResultToWrite
from streamgage.store.destination import document_file

_PAGE_BYTES = 512
"""The least that SQLite has: more of the file is its tree than unused."""
_TABLES = ("runs", "rates", "files")


def _seed(path: Path) -> bytes:
    """A store with the records of a run, twice, and the documents of two series."""
    with closing(sqlite3.connect(path)) as empty:
        empty.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        empty.execute("VACUUM")
    measured, *series = every_kind()
    with Store(path, create=True) as store:
        for records in (good_records()[:60], good_records()[:70]):
            summary = summary_of(measured, partial=True)
            store.add(summary, {"records.jsonl": as_lines(records)})
        for each in series[-3:-1]:
            files = document_file(each.document)
            store.add(summary_of(result_of(each.document), partial=False), files)
    return path.read_bytes()


class Target:
    """Writes what the fuzzer gives to a file in ``folder``, and uses it as a store."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder."""
        self.path = folder / "fuzzed.sqlite"
        self.folder = folder

    def __call__(self, data: bytes) -> None:
        """Do everything with it, one by one; in the end it is emptied."""
        for use in self._uses():
            self._write(data)
            try:
                use()
            except StreamgageError as error:
                assert "\n" not in str(error)

    def _write(self, data: bytes) -> None:
        for each in self.folder.glob("*.sqlite*"):
            each.unlink()
        self.path.write_bytes(data)

    def _uses(self) -> Iterator[Callable[[], object]]:
        yield self._listed
        yield partial(self._shown, ["last"])
        yield partial(self._shown, ["1", "2"])
        yield partial(self._shown, ["3", "last-1"])
        yield self._exported
        yield lambda: list(export_files(["1", "3"], self.folder / "out", self.path, ignore))
        yield lambda: list(import_results([self.path], self.folder / "other.sqlite", ignore))
        yield lambda: remove_results(["1", "last"], self.path, ignore)

    def _listed(self) -> None:
        with Store(self.path, create=False) as store:
            entries = store.entries(ignore)
            store.entries(ignore, Filter("node", "triad", "measure", "2026", "2027", 3))
        page = history_of(entries, None)
        for each in FORMATS:
            if not each.needs:
                each.write(ResultToWrite(entries, lambda: page))

    def _shown(self, names: list[str]) -> None:
        loaded = load_all(names, self.path, ignore)
        for each in loaded:
            assert each.page.title
        report_of(loaded, ReportFormat.MD, "")
        if len(loaded) > 1 and loaded[0].kind == loaded[1].kind:
            compared_page(comparison([[each] for each in loaded]))

    def _exported(self) -> None:
        with results_to_export([], Filter(), self.path, ignore) as found:
            as_csv(FIGURE_COLUMNS, figure_rows(found))
            msgspec.json.encode(export_document(found, ignore))
            as_csv(SAMPLE_COLUMNS, sample_rows(found))


class StoreChanger:
    """Changes a store: bytes of its file, or a value of a row, also within packed files."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder to change it in."""
        self.path = folder / "changed"

    def __call__(self, data: bytes, most: int, seed: int) -> bytes:
        """``data`` with something changed."""
        source = random.Random(seed)
        if source.random() < 0.5:
            return self._bytes(data, most, source)
        self.path.write_bytes(data)
        try:
            with closing(sqlite3.connect(self.path)) as database:
                database.execute("PRAGMA synchronous = OFF")
                database.execute("PRAGMA ignore_check_constraints = ON")
                self._row(database, source)
                database.commit()
        except (sqlite3.Error, UnicodeError, OverflowError):
            return self._bytes(data, most, source)
        made = self.path.read_bytes()
        return made if len(made) <= most else self._bytes(data, most, source)

    def _bytes(self, data: bytes, most: int, source: random.Random) -> bytes:
        """Some bytes anywhere, a page in place of another, or what libFuzzer does."""
        how = source.random()
        changed = bytearray(data)
        if how < 0.2 or len(data) < 2 * _PAGE_BYTES:
            return atheris.Mutate(data, most)
        if how < 0.4:
            pages = len(data) // _PAGE_BYTES
            to, of = (source.randrange(pages) * _PAGE_BYTES for _ in range(2))
            changed[to : to + _PAGE_BYTES] = data[of : of + _PAGE_BYTES]
        elif how < 0.5:
            del changed[source.randrange(len(data)) :]
        else:
            # Most of what SQLite believes is at the start of a page.
            page = source.randrange(len(data) // _PAGE_BYTES) * _PAGE_BYTES
            for _ in range(source.choice((1, 1, 2, 8))):
                span = source.choice((16, 100, _PAGE_BYTES))
                changed[page + source.randrange(span)] = source.choice((0, 1, 2, 127, 128, 255, 13))
        return bytes(changed)

    def _row(self, database: sqlite3.Connection, source: random.Random) -> None:
        table = source.choice(_TABLES)
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        rows = database.execute(f"SELECT * FROM {table}").fetchall()
        if not rows:
            return
        row = source.choice(rows)
        number = source.randrange(len(columns))
        column, old = columns[number], row[number]
        new = _instead(old, source) if column != "content" else _packed(old, source)
        same = " AND ".join(f"{name} IS ?" for name in columns)
        how = source.choice(("UPDATE", "UPDATE", "UPDATE OR REPLACE", "DELETE"))
        if how == "DELETE":
            database.execute(f"DELETE FROM {table} WHERE {same}", row)
        else:
            database.execute(f"{how} {table} SET {column} = ? WHERE {same}", (new, *row))
        if column == "content" and isinstance(new, bytes) and source.random() < 0.9:
            with suppress(zlib.error):
                length = len(zlib.decompress(new))
                database.execute("UPDATE files SET bytes = ? WHERE content IS ?", (length, new))


def _instead(old: object, source: random.Random) -> object:
    new = source.choice([*instead_of(old), b"\xff\x00", "\ud800", 1 << 62, -1])
    return new if isinstance(new, int | float | str | bytes) else None


def _packed(old: object, source: random.Random) -> object:
    """A packed file in which a value is changed, or that is packed wrongly."""
    if not isinstance(old, bytes) or source.random() < 0.2:
        return _instead(old, source)
    try:
        lines = zlib.decompress(old).splitlines()
        number = source.randrange(len(lines))
        value = json.loads(lines[number])
    except (ValueError, RecursionError, zlib.error):
        return old[: source.randrange(len(old) + 1)]
    mutated(value, source)
    lines[number] = json.dumps(value).encode()
    return zlib.compress(b"\n".join([*lines, b""]))


def main() -> None:
    """Run until the options say to stop."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "seeds").mkdir()
        (folder / "seeds" / "store").write_bytes(_seed(folder / "seed.sqlite"))
        target, change = Target(folder), StoreChanger(folder)
        atheris.Setup([*sys.argv, str(folder / "seeds")], target, custom_mutator=change)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

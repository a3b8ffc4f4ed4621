"""Changes texts, JSON and stores at places that a random source draws."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from example_records import as_lines, good_records
from example_results import every_kind
from mutants import instead_of, mutated

from streamgage.results.kinds import result_of
from streamgage.results.summarise import summary_of
from streamgage.store import Store
from streamgage.store.destination import document_file

Fallback = Callable[[bytes], bytes]
"""Changes bytes in which nothing can be found to change."""

_NUMBERS = (
    *("0", "-0", "-1", "1e999", "-1e999", "nan", "inf", "1e308", "1e-308", "5e-324", "0x1F", "1_0"),
    *(
        "9" * 19,
        "18446744073709551616",
        "-9223372036854775809",
        "9" * 5000,
        "1.7976931348623157e308",
    ),
    *(
        "1,000.5",
        "1.000,5",
        "\u0661\u0662",
        "\u00b2",
        "1e",
        "1.",
        ".5",
        "--1",
        "1e5e5",
        "1/2",
        "00012",
    ),
    *("2147483648", "4294967296", "1e15", "0.0000001", "131072", "1048577", "10000000"),
)
_LETTERS = (
    "\x00\x07\x1b\r\n\t\x85\u2028\u202e\u0301\ufeff\ufffd"
    "'\"`<>&|;:,=%{}[]()*+?\\/ #-@~$^!\u0661é漢😀"
)


def hostile_number(source: random.Random) -> str:
    """A number that is hard to read, or to calculate with."""
    if source.random() < 0.5:
        return source.choice(_NUMBERS)
    digits = str(source.getrandbits(source.choice((8, 33, 64, 70, 200))))
    end = source.choice(("", "e", "e9", "e400", "%"))
    return f"{source.choice(('', '-', '1.', '0.'))}{digits}{end}"


def changed_text(text: str, source: random.Random, times: int = 1) -> str:
    """A text with letters, words, numbers or lines changed, moved, repeated or gone."""
    for _ in range(times):
        how = source.random()
        if how < 0.3 or "\n" not in text:
            text = _letters(text, source)
        elif how < 0.6:
            text = _word(text, source)
        else:
            text = _line(text, source)
    return text


def _letters(text: str, source: random.Random) -> str:
    at = source.randrange(len(text) + 1)
    end = min(len(text), at + source.choice((0, 0, 1, 2, 8)))
    new = source.choice(
        ("", source.choice(_LETTERS), text[at : at + 5] * 3, hostile_number(source))
    )
    return text[:at] + new + text[end:]


def _word(text: str, source: random.Random) -> str:
    words = text.split(" ")
    place = source.randrange(len(words))
    words[place] = source.choice(
        (
            hostile_number(source),
            "",
            words[source.randrange(len(words))],
            words[place] * 2,
            "x" * 3000,
        )
    )
    return " ".join(words)


def _line(text: str, source: random.Random) -> str:
    lines = text.split("\n")
    place, other = (source.randrange(len(lines)) for _ in range(2))
    match source.randrange(7):
        case 0:
            del lines[place]
        case 1:
            lines.insert(other, lines[place])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            del lines[place:]
        case 4:
            lines[place] = _word(lines[place], source)
        case 5:
            lines[place:place] = lines[place : place + 20] * source.choice((2, 30))
        case _:
            lines[place] += "\r"
    return "\n".join(lines)


def changed_json(content: bytes, source: random.Random) -> bytes:
    """A text of JSON with a value changed, or with bytes changed where it is none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return changed_text(content.decode("utf-8", "replace"), source).encode("utf-8", "replace")
    mutated(value, source)
    return json.dumps(value, separators=(",", ":")).encode()


def changed_lines(
    content: bytes, source: random.Random, otherwise: Fallback | None = None
) -> bytes:
    """Lines of JSON with a value changed, or with a line moved, repeated or gone."""
    lines = content.splitlines()
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        if not lines:
            break
        number = source.randrange(len(lines))
        if source.random() < 0.1 and len(lines) > 1:
            how = source.randrange(3)
            moved = lines[number] if how == 0 else lines.pop(number)
            if how:
                lines.insert(source.randrange(len(lines) + how - 1), moved)
            continue
        try:
            value = json.loads(lines[number])
        except (ValueError, RecursionError):
            if otherwise is not None:
                return otherwise(content)
            lines[number] = changed_json(lines[number], source)
            continue
        mutated(value, source)
        lines[number] = json.dumps(value, separators=(",", ":")).encode()
    return b"\n".join(lines) + b"\n"


PAGE_BYTES = 512
"""The least that SQLite has: more of the file is its tree than unused."""
_TABLES = ("runs", "rates", "files")


def store_with_results(path: Path) -> bytes:
    """A store with the records of a run, twice, and the documents of two series."""
    with closing(sqlite3.connect(path)) as empty:
        empty.execute(f"PRAGMA page_size = {PAGE_BYTES}")
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


@cache
def _seed() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return store_with_results(Path(folder) / "store.sqlite")


def changed_store(source: random.Random) -> bytes:
    """A store with results, in which one to four things are changed."""
    data = _seed()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(source.choice((1, 1, 2, 4))):
            data = store_with_change(data, source, Path(folder) / "changed")
    return data


def store_with_change(
    data: bytes, source: random.Random, path: Path, otherwise: Fallback | None = None
) -> bytes:
    """A store with bytes of its file changed, or a value of a row, also within packed files.

    ``path``: where it is changed.
    """
    if source.random() >= 0.5:
        path.write_bytes(data)
        try:
            with closing(sqlite3.connect(path)) as database:
                database.execute("PRAGMA synchronous = OFF")
                database.execute("PRAGMA ignore_check_constraints = ON")
                _change_row(database, source)
                database.commit()
            return path.read_bytes()
        except (sqlite3.Error, UnicodeError, OverflowError):
            pass
    return _with_other_bytes(data, source, otherwise)


def _with_other_bytes(data: bytes, source: random.Random, otherwise: Fallback | None) -> bytes:
    """Some bytes anywhere, a page in place of another, or what ``otherwise`` does."""
    how = source.random()
    changed = bytearray(data)
    if len(data) < 2 * PAGE_BYTES or (how < 0.2 and otherwise is not None):
        return data[: len(data) // 2] if otherwise is None else otherwise(data)
    if how < 0.4:
        pages = len(data) // PAGE_BYTES
        to, of = (source.randrange(pages) * PAGE_BYTES for _ in range(2))
        changed[to : to + PAGE_BYTES] = data[of : of + PAGE_BYTES]
    elif how < 0.5:
        del changed[source.randrange(len(data)) :]
    else:
        # Most of what SQLite believes is at the start of a page.
        page = source.randrange(len(data) // PAGE_BYTES) * PAGE_BYTES
        for _ in range(source.choice((1, 1, 2, 8))):
            span = source.choice((16, 100, PAGE_BYTES))
            changed[page + source.randrange(span)] = source.choice((0, 1, 2, 127, 128, 255, 13))
    return bytes(changed)


def _change_row(database: sqlite3.Connection, source: random.Random) -> None:
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

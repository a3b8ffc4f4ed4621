"""The layout of a store.

It follows from the types of what is stored. A store with another layout is refused. Conversions
from one layout to the next will begin with the first release.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache

import msgspec

from streamgage.results.summary import Summary, SummaryRate

APPLICATION_ID = 0x53474147
"""``SGAG``, as ``PRAGMA application_id``. It shows ``file`` and streamgage that a database is a
store."""


@cache
def columns(stored: type[msgspec.Struct]) -> Mapping[str, str]:
    """The columns for the fields of ``stored``, each with its type in SQL.

    A list has no column, because its items have a table of their own.
    """
    fields = msgspec.inspect.type_info(stored).fields  # type: ignore[attr-defined]
    found = {each.name: _column(each.type) for each in fields}
    return {name: column for name, column in found.items() if column is not None}


def _column(field: msgspec.inspect.Type) -> str | None:
    match field:
        case msgspec.inspect.Metadata(type=bare):
            return _column(bare)
        case msgspec.inspect.UnionType(types=types):
            (known,) = (each for each in types if not isinstance(each, msgspec.inspect.NoneType))
            column = _column(known)
            return None if column is None else column.removesuffix(" NOT NULL")
        case msgspec.inspect.StrType() | msgspec.inspect.LiteralType():
            return "TEXT NOT NULL"
        case msgspec.inspect.IntType() | msgspec.inspect.BoolType():
            return "INTEGER NOT NULL"
        case msgspec.inspect.FloatType():
            return "REAL NOT NULL"
    return None


def _defined(stored: type[msgspec.Struct]) -> str:
    return ", ".join(f"{name} {column}" for name, column in columns(stored).items())


LAYOUT = f"""
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  digest BLOB NOT NULL UNIQUE,
  added TEXT NOT NULL,
  {_defined(Summary)}
);
CREATE INDEX runs_by_time ON runs (coalesce(started, added));
CREATE INDEX runs_by_host ON runs (host);
CREATE TABLE rates (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  {_defined(SummaryRate)}
);
CREATE INDEX rates_by_run ON rates (run);
CREATE INDEX rates_by_kernel ON rates (kernel, run);
CREATE TABLE files (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;
"""
"""The statements that make the tables. ``files.content`` is compressed by zlib (RFC 1950).
``runs.digest`` is a digest of the contents, so that the same result is stored only once."""
VERSION = zlib.crc32(LAYOUT.encode()) & 0x7FFFFFFF
"""The layout's number, as ``PRAGMA user_version``: another layout has another number."""

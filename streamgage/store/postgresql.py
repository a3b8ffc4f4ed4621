"""A store in a PostgreSQL database, for the results of a whole site.

Its tables are in the schema ``streamgage``, next to whatever else the database holds. They are the
tables of ``LAYOUT``, with PostgreSQL's names for the types.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import reduce
from typing import TYPE_CHECKING, Any, LiteralString

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.installation import require
from streamgage.records.address import FORM, Address
from streamgage.records.plain_text import one_line
from streamgage.store.database import (
    ELSEWHERE,
    WAIT_SECONDS,
    Database,
    EmptyStoreError,
    Row,
    StoreError,
)
from streamgage.store.layout import APPLICATION_ID, LAYOUT

if TYPE_CHECKING:
    import psycopg

SCHEMA = "streamgage"
PACKAGE = "psycopg[binary]"
_OPTIONS: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
    "fallback_application_name": "streamgage",
}
"""Defaults for parameters that the address lacks: a lost server is noticed within a minute."""
_REFUSED = re.compile(r"(?:FATAL: *|fe_sendauth: )(.*)")
_FAILED = re.compile(r"connection (?:failed|is bad): (?:connection to server [^:]*: )?")
_DIFFERENT = (
    ("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    ("TABLE rates (", "TABLE rates (rowid BIGINT GENERATED ALWAYS AS IDENTITY,"),
    (" WITHOUT ROWID", ""),
    (" INTEGER", " BIGINT"),
    (" REAL", " DOUBLE PRECISION"),
    (" BLOB", " BYTEA"),
    (" TEXT", ' TEXT COLLATE "C"'),  # sorted and compared byte by byte, as SQLite does
)
"""Replacements for the words of ``LAYOUT`` that only SQLite knows."""


LAYOUT_HERE = reduce(lambda text, words: text.replace(*words), _DIFFERENT, LAYOUT)
_MADE_BY = "streamgage layout "
_MARK = f"{_MADE_BY}{zlib.crc32(LAYOUT_HERE.encode())}"
"""The comment on the table ``runs``. It holds a number, which is different for another layout."""
_TABLES = ["files", "rates", "runs"]
_FOUND = f"""
SELECT relname, relkind = 'r', obj_description(pg_class.oid, 'pg_class')
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '{SCHEMA}' AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname
"""
_MAY_MAKE = f"""
SELECT coalesce((SELECT has_schema_privilege(oid, 'CREATE, USAGE') FROM pg_namespace
                 WHERE nspname = '{SCHEMA}'),
                has_database_privilege(current_database(), 'CREATE'))
"""
_READ_ONLY = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean"
_MAY_ADD = f"""
SELECT bool_and(has_table_privilege('{SCHEMA}.' || name, 'INSERT'))
FROM unnest(ARRAY{_TABLES}) AS name
"""
_LOST = "The connection to the store {place} was lost ({why}): check its server, and try again."
_NOT_ALLOWED = (
    "The server does not allow this in the store {place} ({why}): ask its owner for the right, or"
    f" {ELSEWHERE}."
)
_SENTENCES = {
    "22": "The store {place} cannot hold a value of this result ({why}).",
    "23": "The store {place} cannot hold a value of this result ({why}).",
    "54": "The store {place} cannot hold a value of this result ({why}).",
    "25006": f"The store {{place}} cannot be written: {ELSEWHERE}.",
    "40": "Another program changed the store {place} at the same time: try again.",
    "42501": _NOT_ALLOWED,
    "42P01": _NOT_ALLOWED,  # tables in a schema that this user may not read
    "08": _LOST,
    "57P01": _LOST,
    "57P02": _LOST,
    "53100": f"The disk of the store {{place}} is full: make room, or {ELSEWHERE}.",
    "55P03": (f"Another program has held the store {{place}} for {WAIT_SECONDS:.0f} s: try again."),
}
"""Messages by the code of an error, or by its class (PostgreSQL 15, appendix A)."""
_ANY = f"The store {{place}} cannot be used ({{why}}): {ELSEWHERE}."


class PostgresqlDatabase(Database):
    """A PostgreSQL database."""

    begin = "BEGIN"  # many programs may write at once
    like = "ILIKE"
    total_bytes = f"CAST(least(coalesce(sum(bytes), 0), {(1 << 63) - 1}) AS BIGINT)"

    def __init__(self, address: Address) -> None:
        """Connect to the server. This makes nothing, and the tables need not exist."""
        self._address = address
        self._connection = _connected(address)
        try:
            self.run(f"SET search_path TO {SCHEMA}")
            self.run(f"SET lock_timeout TO '{WAIT_SECONDS:.0f}s'")
        except BaseException:
            self.close()
            raise

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """See ``Database``."""
        with self._errors():
            return self._connection.execute(_marked(statement), values, binary=True).fetchall()

    def run(self, statement: str, values: Iterable[Sequence[object]] = ((),)) -> None:
        """See ``Database``."""
        with self._errors(), self._connection.cursor() as cursor:
            rows = list(values)
            if len(rows) == 1:
                cursor.execute(_marked(statement), rows[0])
            elif rows:
                cursor.executemany(_marked(statement), rows)

    def number_of_new(self, statement: str, values: Sequence[object]) -> int | None:
        """See ``Database``."""
        found = self.rows(f"{statement} ON CONFLICT DO NOTHING RETURNING id", values)
        return int(found[0][0]) if found else None

    def roll_back(self) -> None:
        """See ``Database``."""
        with suppress(StoreError):  # a lost connection has ended the transaction already
            self.run("ROLLBACK")

    def close(self) -> None:
        """See ``Database``."""
        self._connection.close()

    def has_tables(self) -> bool:
        """Return whether the tables exist.

        Raises ``UsageError`` if its schema holds any other tables.
        """
        found = self.rows(_FOUND)
        mark = next((comment or "" for name, _, comment in found if name == "runs"), "")
        if mark.startswith(_MADE_BY) and mark != _MARK:
            raise UsageError(
                f"The store {self._address} was made by another version of streamgage, which stores"
                f" other facts: use that version, or {ELSEWHERE}."
            )
        if found and (mark != _MARK or [name for name, table, _ in found if table] != _TABLES):
            raise UsageError(
                f"The schema {SCHEMA} of {self._address} has tables that no store of"
                f" streamgage has: {ELSEWHERE}."
            )
        return bool(found)

    def make_tables(self) -> None:
        """Make the tables, unless another program has just made them."""
        with self.transaction():
            self.rows(f"SELECT pg_advisory_xact_lock({APPLICATION_ID})")
            if self.has_tables():
                return
            self.require_right_to_write(made=False)
            if not self.rows(f"SELECT 1 FROM pg_namespace WHERE nspname = '{SCHEMA}'"):
                self.run(f"CREATE SCHEMA {SCHEMA}")
            for statement in LAYOUT_HERE.strip().split(";"):
                if statement:
                    self.run(statement)
            self.run(f"COMMENT ON TABLE runs IS '{_MARK}'")

    def require_right_to_write(self, *, made: bool) -> None:
        """Raise ``StoreError`` or ``UsageError`` if nothing can be added.

        ``made``: the tables exist.
        """
        [(barred,)] = self.rows(_READ_ONLY)
        if barred:
            raise self._error("25006", "")
        if not made:
            self._require_right_to_make()
            return
        [(allowed,)] = self.rows(_MAY_ADD)
        if not allowed:
            raise self._error("42501", "this user may only read its tables")

    def _require_right_to_make(self) -> None:
        [(allowed, name, user, encoding)] = self.rows(
            f"SELECT ({_MAY_MAKE}), current_database(), current_user,"
            " current_setting('server_encoding')"
        )
        if not allowed:
            raise StoreError(
                f"This user may not make tables in {self._address}: let the owner of the database"
                f" run GRANT CREATE ON DATABASE {_quoted(name)} TO {_quoted(user)}, or {ELSEWHERE}."
            )
        if encoding != "UTF8":
            raise UsageError(
                f"The database {self._address} has the encoding {encoding}, which cannot hold every"
                f" text: make one with ENCODING 'UTF8', or {ELSEWHERE}."
            )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the exceptions of the server and its library into one sentence."""
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            why = one_line(error.diag.message_primary or str(error))
            if self._connection.closed:
                raise StoreError(_LOST.format(place=self._address, why=why)) from error
            code = error.sqlstate or ("22" if isinstance(error, psycopg.DataError) else "")
            raise self._error(code, why) from error
        except (OverflowError, UnicodeError) as error:
            raise self._error("22", str(error)) from error

    def _error(self, code: str, why: str) -> StreamgageError:
        sentence = _SENTENCES.get(code) or _SENTENCES.get(code[:2], _ANY)
        return StoreError(sentence.format(place=self._address, why=why))


def open_database(address: Address, *, create: bool) -> PostgresqlDatabase:
    """See ``connect.open_database``."""
    database = PostgresqlDatabase(address)
    try:
        if not database.has_tables():
            if not create:
                raise EmptyStoreError(address)
            database.make_tables()
    except BaseException:
        database.close()
        raise
    return database


def require_room(address: Address) -> None:
    """See ``connect.require_room``."""
    with closing(PostgresqlDatabase(address)) as database:
        database.require_right_to_write(made=database.has_tables())


def _connected(address: Address) -> psycopg.Connection[Any]:
    """Connect. Raises ``UsageError`` for a wrong address, ``StoreError`` if the server refuses."""
    try:
        import psycopg
    except ImportError as error:
        require(f"The store {address}", PACKAGE)
        raise UsageError(  # psycopg is installed, but PostgreSQL's own library is missing
            f"The store {address} needs {PACKAGE}, and psycopg alone cannot be used here"
            f" ({one_line(str(error))}): install {PACKAGE}."
        ) from error
    try:
        parameters = psycopg.conninfo.conninfo_to_dict(address.url)
        options = {name: value for name, value in _OPTIONS.items() if name not in parameters}
        return psycopg.connect(address.url, autocommit=True, client_encoding="utf8", **options)
    except (psycopg.Error, ValueError, UnicodeError) as error:
        raise _refusal(address, str(error)) from error


def _refusal(address: Address, message: str) -> StreamgageError:
    why = one_line(message.strip().partition("\n")[0])
    refused = _REFUSED.search(why)
    if refused is not None:
        return StoreError(
            f"The server refuses the store {address} ({refused[1]}): check its user, its password"
            f" (in ~/.pgpass or PGPASSWORD) and its database, or {ELSEWHERE}."
        )
    why = _FAILED.sub("", why)
    if why.startswith("invalid "):
        return UsageError(f"The address {address} cannot be read ({why}): write {FORM}.")
    return StoreError(
        f"The server of the store {address} does not answer ({why}): check that it runs and can be"
        f" reached, or {ELSEWHERE}."
    )


def _marked(statement: str) -> LiteralString:
    """The statement with psycopg's placeholders in place of ``?``."""
    return statement.replace("?", "%s")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

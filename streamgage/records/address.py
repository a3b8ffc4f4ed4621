"""The place of a store: a file, or the address of a database on a server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from streamgage.errors import UsageError

FORM = "postgresql://USER@HOST/DATABASE"
_CHARACTER = r"(?:[^\s:/?#\[\]@%]|%(?!00)[0-9A-Fa-f]{2})"
_HOSTS = r"(?:[^\s/?#@%]|%(?!00)[0-9A-Fa-f]{2})"
_VALUE = r"(?:[^\s&#%]|%(?!00)[0-9A-Fa-f]{2})"
_ADDRESS = re.compile(
    rf"postgres(?:ql)?://(?:(?P<user>{_CHARACTER}*)(?::{_CHARACTER}*)?@)?(?P<hosts>{_HOSTS}*)"
    rf"(?P<database>/{_CHARACTER}*)?(?:\?(?P<parameters>{_VALUE}*(?:&{_VALUE}*)*))?",
    re.ASCII,
)
"""An address as libpq reads it (PostgreSQL 15, 34.1.1.2). A password may hold characters that libpq
would take for its end; libpq would then take a part of the password for the host."""
_ANY_ADDRESS = re.compile(r"postgres(?:ql)?:|[a-z][a-z0-9+.-]*://", re.ASCII | re.IGNORECASE)
_SHOWN = frozenset(
    ("host", "hostaddr", "port", "dbname", "user", "service", "options", "connect_timeout")
) | {"target_session_attrs", "sslmode", "sslrootcert", "sslcert", "sslkey", "channel_binding"}
"""Parameters that are printed with an address; all others may be secret and are left out."""


@dataclass(frozen=True)
class Address:
    """The address of a database. No text made from it contains the password."""

    url: str = field(repr=False)
    """The address as the user gave it, for PostgreSQL's library."""
    shown: str
    """The address without its password."""

    def __str__(self) -> str:
        """The address without its password."""
        return self.shown


StorePlace = Path | Address
"""The place of a store: a file, or a database on a server."""


def place_in(text: str) -> StorePlace:
    """Read the place of a store from ``text``.

    Raises ``UsageError`` for an address that cannot be read. The message does not repeat the
    address, because any part of it may belong to a password.
    """
    if _ANY_ADDRESS.match(text) is None:
        return Path(text)
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise UsageError(
            f"The address of the store cannot be read: write {FORM}, with @ as %40, : as %3A, / as"
            " %2F and % as %25 in a password."
        )
    parameters = (found["parameters"] or "").split("&")
    shown = "&".join(each for each in parameters if each.partition("=")[0] in _SHOWN)
    user = f"{found['user']}@" if found["user"] else ""
    more = f"?{shown}" if shown else ""
    return Address(text, f"postgresql://{user}{found['hosts']}{found['database'] or ''}{more}")

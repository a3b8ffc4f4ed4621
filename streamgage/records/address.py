"""The place of a store: a file, or the address of a database on a server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

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
_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]*\]|[^:\[\]]*)(?::[0-9]{0,5})?", re.ASCII)
_KEYWORDS = (
    "host|hostaddr|port|dbname|user|password|passfile|service|options|connect_timeout|sslmode|"
    "sslcert|sslkey|sslpassword|sslrootcert|application_name|channel_binding|target_session_attrs"
)
"""Words of libpq's other form of address, ``host=db dbname=results`` (34.1.1.1)."""
_ANY_ADDRESS = re.compile(
    rf"""
    \s*postgres(?:ql)?\s*(?::|//)  # the address of this kind of server, perhaps misspelt
    | .*:\s*//                     # any address
    | (?:.*[\s'";?&])?(?:{_KEYWORDS})\s*=
    | (?!\.{{1,2}}/).*:.*@           # a name and a password
    | //.*@
    | (?![~.])[^/\s]*@[^/\s]*/      # a name at a host
    | [\w.-]+:[0-9]+(?:/|$)         # a host with a port
    """,
    re.ASCII | re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""What no file is called whose path begins with ``./``."""
_SECRET = re.compile(r"passw|://|:.*@", re.IGNORECASE | re.DOTALL)
"""What no part of an address has that is printed."""
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


def is_address(text: str) -> bool:
    """Return whether the text looks like the address of a server, not like the name of a file."""
    return _ANY_ADDRESS.match(text) is not None


def place_in(text: str) -> StorePlace:
    """Read the place of a store from ``text``.

    Raises ``UsageError`` for an address that cannot be read. The message does not repeat the
    address, because any part of it may belong to a password.
    """
    if not is_address(text):
        return Path(text)
    found = _ADDRESS.fullmatch(text)
    shown = None if found is None else _shown(found)
    if shown is None:
        raise UsageError(
            f"The address of the store cannot be read: write {FORM} (in a password @ as %40, : as"
            " %3A, / as %2F and % as %25), or begin the name of a file with ./."
        )
    return Address(text, shown)


def _shown(found: re.Match[str]) -> str | None:
    """The address without its password; ``None`` if a part of it is not what its place says."""
    parameters = [
        each for each in (found["parameters"] or "").split("&") if each.partition("=")[0] in _SHOWN
    ]
    name, database = found["user"] or "", found["database"] or ""
    hosts = found["hosts"].split(",")
    if not all(map(_HOST.fullmatch, hosts)) or ":" in unquote(name):
        return None
    if any(_SECRET.search(unquote(part)) for part in (database, *hosts, *parameters)):
        return None
    user, more = f"{name}@" if name else "", f"?{'&'.join(parameters)}" if parameters else ""
    return f"postgresql://{user}{found['hosts']}{database}{more}"

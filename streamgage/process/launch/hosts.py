"""Reads host files, which have a host on each line, as launchers' own host files do.

``node7``, ``node7 slots=4`` (Open MPI) and ``node7:4`` (Hydra) are understood; ``#`` begins a
comment.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.process.launch.job import MOST_RANKS, Host
from streamgage.records.foreign import open_foreign
from streamgage.units import shortened

_LINE = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,252})"
    r"(?::(?P<slots>[0-9]{1,7})|\s+slots\s*=\s*(?P<named>[0-9]{1,7}))?"
)
_MOST_BYTES = 4 << 20
_WAIT_SECONDS = 5


def read_hosts(path: Path) -> tuple[Host, ...]:
    """Read the hosts that a file names, in its order.

    Raises ``UsageError``, with the line, for a line that is not a host.
    """
    try:
        with open_foreign(path) as file:
            text = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"The host file {path} cannot be read: {error.strerror}.") from error
    if len(text) > _MOST_BYTES:
        raise UsageError(f"{path} has more than 4 MiB, so it is not a host file: name another.")
    hosts = parse_hosts(text.decode("utf-8", "replace"), str(path))
    if not hosts:
        raise UsageError(f"The host file {path} names no host: write one per line.")
    return hosts


def parse_hosts(text: str, source: str) -> tuple[Host, ...]:
    """Parse the text of a host file; ``source`` is its name in errors."""
    hosts: dict[str, Host] = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        match = _LINE.fullmatch(content)
        slots = match and (match["slots"] or match["named"])
        if match is None or (slots and not 1 <= int(slots) <= MOST_RANKS):
            shown = shortened(content)
            raise UsageError(
                f"Line {number} of {source}, {shown!r}, is not a host: write a name such as node7,"
                " or node7 slots=4."
            )
        if match["name"] in hosts:
            raise UsageError(
                f"Line {number} of {source} names {match['name']} again: name each host once, with"
                " its slots."
            )
        hosts[match["name"]] = Host(match["name"], int(slots) if slots else None)
    return tuple(hosts.values())


def unknown_hosts(hosts: tuple[Host, ...]) -> tuple[str, ...]:
    """Return the names that neither this machine's resolver nor its ssh configuration knows."""
    return tuple(host.name for host in hosts if not (_resolves(host.name) or _is_alias(host.name)))


def refuse_unknown_hosts(hosts: tuple[Host, ...], source: str) -> None:
    """Raise ``UsageError`` if a host cannot be found."""
    if unknown := unknown_hosts(hosts):
        names = ", ".join(unknown[:5]) + (f" and {len(unknown) - 5} more" if unknown[5:] else "")
        verb = "is" if len(unknown) == 1 else "are"
        raise UsageError(
            f"{names} of {source} {verb} unknown here: correct the name, or add it to /etc/hosts"
            " or ~/.ssh/config."
        )


def _resolves(name: str) -> bool:
    try:
        return bool(socket.getaddrinfo(name, None))
    except (OSError, UnicodeError):
        return False


def _is_alias(name: str) -> bool:
    """Return whether ssh is configured to reach that name under another one."""
    ssh = shutil.which("ssh")
    if ssh is None:
        return False
    try:
        configuration = subprocess.run(
            [ssh, "-G", name],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_WAIT_SECONDS,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    hostname = re.search(r"^hostname (.+)$", configuration, re.MULTILINE)
    return hostname is not None and hostname[1] != name and _resolves(hostname[1])

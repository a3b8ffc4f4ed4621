"""Describes what to launch: a number of ranks of a program, on this machine or on hosts.

A dialect turns a ``Job`` into the ``CommandLine`` of its launcher; nothing here starts anything.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.units import count

MOST_RANKS = 1 << 20
"""More ranks than any machine has; the limit only catches typing errors before a launch."""


@dataclass(frozen=True)
class Host:
    """A machine as the launcher reaches it."""

    name: str
    slots: int | None = None
    """The most ranks that it may take; ``None``: no limit."""


@dataclass(frozen=True)
class Share:
    """The ranks of one host; ranks are numbered through the shares in their order."""

    host: str
    ranks: int


@dataclass(frozen=True)
class Job:
    """``ranks`` processes of ``program``, each with ``threads`` threads.

    The processes bind themselves, so an option keeps the launcher from binding them. With
    ``launcher_binds`` that option is left out, and the launcher binds by default or by ``options``.
    """

    ranks: int
    program: tuple[str, ...]
    threads: int = 1
    hosts: tuple[Host, ...] = ()
    """The hosts; ``None``: this machine, or the nodes of a Slurm allocation."""
    oversubscribe: bool = False
    """``True`` if more ranks than cores are allowed."""
    launcher_binds: bool = False
    options: tuple[str, ...] = ()
    """More options of the launcher, as its user writes them, which then decide on the binding."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables to set for every rank on every host."""

    def shares(self) -> tuple[Share, ...]:
        """The number of ranks per host: as even as slots allow, with one more on the first hosts.

        Raises ``UsageError`` if the slots are too few.
        """
        room = [self.ranks if host.slots is None else host.slots for host in self.hosts]
        if self.hosts and sum(room) < self.ranks and not self.oversubscribe:
            raise UsageError(
                f"{self.ranks} ranks do not fit on the hosts, which have"
                f" {count(sum(room), 'slot')}: ask for fewer ranks, give the hosts more slots,"
                " or add --allow-oversubscribe."
            )
        if sum(room) < self.ranks:
            room = [self.ranks] * len(self.hosts)
        return tuple(
            Share(host.name, ranks)
            for host, ranks in zip(self.hosts, _dealt(self.ranks, room), strict=True)
            if ranks > 0
        )


def _dealt(ranks: int, room: list[int]) -> list[int]:
    """Deal ``ranks`` out in turn, to no host more than it has room for."""
    shares = [0] * len(room)
    left = ranks if room else 0
    while left > 0:
        open_hosts = [host for host, most in enumerate(room) if shares[host] < most]
        each, rest = divmod(left, len(open_hosts))
        for place, host in enumerate(open_hosts):
            more = min(each + (place < rest), room[host] - shares[host])
            shares[host] += more
            left -= more
    return shares


@dataclass(frozen=True)
class CommandLine:
    """The command to start, and the variables to add to the environment."""

    arguments: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Variables that name a file, each with the text that it must hold."""


@dataclass(frozen=True)
class Call:
    """The arguments for ``subprocess``."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]


@contextmanager
def prepared(line: CommandLine, environment: Mapping[str, str] = os.environ) -> Iterator[Call]:
    """Make a call of ``line`` within ``environment``; its files exist until the block ends."""
    with tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        paths = {}
        for variable, text in line.files.items():
            path = Path(folder) / variable.lower()
            path.write_text(text, "utf-8")
            paths[variable] = str(path)
        yield Call(line.arguments, {**environment, **line.variables, **paths})

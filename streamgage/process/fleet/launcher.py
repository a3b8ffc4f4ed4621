"""A launcher is three functions: list the nodes, start the engine on them, read their failures.

Nothing here starts anything: ``launch`` gives the calls, and ``calls.py`` makes them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.fleet.node_names import parse_nodes
from streamgage.records.node import SilenceReason

_WAIT_SECONDS = 30
_LABELLED = re.compile(
    r"(?:[a-z]+: )?(?:error: )?(?P<node>[A-Za-z0-9][A-Za-z0-9._-]*): (?P<text>.+)"
)


@dataclass(frozen=True)
class Task:
    """The program to run, and its nodes."""

    nodes: tuple[str, ...]
    engine: Path
    """The engine's file on this machine."""
    arguments: tuple[str, ...]
    seconds: float
    """Seconds until the deadline."""
    token: str
    """A part of the names of files and jobs, so that two runs do not share any."""
    there: str | None = None
    """Path of the engine on the nodes; ``None``: the launcher copies it there, if it can."""
    options: tuple[str, ...] = ()
    """More options of the launcher, as its user writes them."""
    image: str | None = None
    """Container image with the engine, for nodes that run only containers."""
    folder: Path = Path()
    """Folder of the file of lines."""

    @property
    def copy(self) -> str:
        """The path of the engine's copy on a node."""
        return f"/tmp/streamgage-engine-{self.token}"


@dataclass(frozen=True)
class Call:
    """A program to start, which prints the lines of its nodes on standard output."""

    command: tuple[str, ...]
    nodes: tuple[str, ...]
    stdin: Path | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    before: tuple[tuple[str, ...], ...] = ()
    """Commands to run before, such as a copy of the engine; they may fail on some nodes."""


@dataclass(frozen=True)
class Failure:
    """A launcher's report of a node that it could not reach or start."""

    node: str
    reason: str
    why: SilenceReason = "not-started"


@dataclass(frozen=True)
class Available:
    """The nodes that could be measured now."""

    nodes: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Further nodes, with the reason why their scheduler does not give them."""


Failures = Callable[[str], Iterator[Failure]]


def labelled(line: str) -> Iterator[Failure]:
    """Read a line such as ``n3: No route to host``, as most launchers write it."""
    if found := _LABELLED.fullmatch(line):
        yield Failure(found["node"], found["text"])


@dataclass(frozen=True)
class Launcher:
    """A way of reaching many nodes."""

    name: str
    programs: tuple[str, ...]
    """One of these must be installed."""
    advice: str
    """Advice if none is installed."""
    nodes: Callable[[Sequence[str]], Available]
    """The nodes that could be measured now, given the options. Raises ``UsageError`` for none."""
    launch: Callable[[Task], Sequence[Call]]
    collect: Failures = labelled
    """Reads failures of nodes from a line of the launcher's stderr."""
    most_at_once: int = 8
    unavailable: Callable[[Sequence[str]], Mapping[str, str]] | None = None
    """Why the scheduler does not give some nodes, given the options, by the node; ``None``: it is
    not known."""
    copies: bool = True
    """``True`` if the launcher copies the engine to the nodes."""
    divisible: bool = False
    """``True`` if nodes without an answer may answer in a call with fewer nodes."""


def search_path() -> str:
    """The PATH, and then the folder of this Python: clush is installed there with ClusterShell."""
    return os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])


def refuse_missing(launcher: Launcher) -> None:
    """Raise ``UsageError`` if the launcher is not installed."""
    path = search_path()
    if launcher.programs and not any(shutil.which(name, path=path) for name in launcher.programs):
        names = " nor ".join(launcher.programs)
        raise UsageError(
            f"The launcher {launcher.name} is not installed: {names} is not on the PATH;"
            f" {launcher.advice}."
        )


def nodes_said(command: Sequence[str], nothing: str) -> Available:
    """Run ``command``, and return the nodes that it prints, each once.

    Raises ``UsageError`` with the sentence ``nothing`` if it prints none, and ``StreamgageError``
    if it fails.
    """
    words = dict.fromkeys(output_of(command).split())
    if not words:
        raise UsageError(nothing)
    return Available(parse_nodes(f"The list of {command[0]}", " ".join(words)))


def output_of(command: Sequence[str], advice: str = "name the nodes with --nodes") -> str:
    """Run ``command``, which lists nodes, and return what it prints.

    Raises ``StreamgageError`` if it fails, with this advice.
    """
    name = command[0]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_WAIT_SECONDS,
            check=False,
        )
    except OSError as error:
        raise StreamgageError(f"{name} cannot be started: {error.strerror}; {advice}.") from error
    except subprocess.TimeoutExpired as error:
        raise StreamgageError(
            f"{name} printed nothing for {_WAIT_SECONDS} s: is its server running? Try again, or"
            f" {advice}."
        ) from error
    if done.returncode:
        why = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise StreamgageError(f"{name} printed no list of nodes ({why}): {advice}.")
    return done.stdout

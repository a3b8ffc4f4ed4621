"""Writes each node's line to a file as it comes, and reads the file of an earlier run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.fleet.node_names import parse_nodes
from streamgage.records.command_files import claim_output
from streamgage.records.foreign import open_foreign
from streamgage.records.node import (
    FleetLine,
    FleetRun,
    NodeLine,
    SilentNode,
    as_line,
    read_node_lines,
)
from streamgage.records.reader import Note


class LineFile:
    """A file of lines; each line is written at once and whole."""

    def __init__(self, path: Path, descriptor: int) -> None:
        """Append to the open file ``descriptor``."""
        self.path = path
        self._descriptor = descriptor

    def write(self, line: FleetLine) -> None:
        """Append a line. Raises ``StreamgageError`` if the file cannot take it."""
        content = as_line(line)
        try:
            while content:
                content = content[os.write(self._descriptor, content) :]
        except OSError as error:
            raise StreamgageError(
                f"{self.path} could not be written: {error.strerror}. All lines before this one"
                f" are in it: make room, then continue with --resume {self.path}."
            ) from error


@contextmanager
def new_file(path: Path) -> Iterator[LineFile]:
    """Make a new file. Raises ``UsageError`` if it exists, or cannot be made."""
    claim_output(path, "--lines")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError as error:
        raise UsageError(
            f"{path} already exists: continue it with --resume {path}, or name another file with"
            " --lines."
        ) from error
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from error
    with _closed(path, descriptor) as file:
        yield file


@contextmanager
def earlier_file(path: Path) -> Iterator[LineFile]:
    """Open the file of an earlier run, to append to it. Raises ``UsageError``."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from error
    with _closed(path, descriptor) as file:
        end = os.lseek(descriptor, 0, os.SEEK_END)
        if end and os.pread(descriptor, 1, end - 1) != b"\n":  # a run that was killed
            os.write(descriptor, b"\n")
        yield file


@contextmanager
def _closed(path: Path, descriptor: int) -> Iterator[LineFile]:
    try:
        yield LineFile(path, descriptor)
    finally:
        os.close(descriptor)


def _unwritable(path: Path, error: OSError | ValueError) -> UsageError:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return UsageError(f"The file {path} cannot be written: {why}; name another with --lines.")


@dataclass
class EarlierRun:
    """The contents of an earlier run's file."""

    nodes: tuple[str, ...]
    """All nodes of the run."""
    lines: list[NodeLine | SilentNode] = field(default_factory=list)


def read_earlier(path: Path, note: Note) -> EarlierRun:
    """Read the nodes and lines of an earlier run. Raises ``UsageError`` for any other file."""
    nodes: dict[str, None] = {}
    found = EarlierRun(())
    written = False  # by a run: text that cannot be read is made a silent node, too
    try:
        with open_foreign(path) as file:
            for each in read_node_lines(file, note, str(path)):
                if isinstance(each, FleetRun):
                    nodes |= dict.fromkeys(parse_nodes(str(path), each.nodes))
                elif isinstance(each, NodeLine | SilentNode):
                    nodes[each.host] = None
                    found.lines.append(each)
                written |= isinstance(each, FleetRun | NodeLine | SilentNode) and not (
                    isinstance(each, SilentNode) and each.why == "garbage"
                )
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}; --resume takes the file of lines of an"
            " earlier run."
        ) from error
    if not nodes or not written:
        raise UsageError(
            f"{path} has no line of a fleet: --resume takes the file of lines of an earlier run."
        )
    found.nodes = tuple(nodes)
    return found

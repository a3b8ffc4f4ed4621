"""Show the parts of this machine."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any
from warnings import warn

import msgspec

from streamgage.api.answers import Text
from streamgage.errors import UsageError
from streamgage.machine.topology.read import NO_DEVICES, DevicesFound, devices_next_to
from streamgage.machine.topology.read import topology as read_topology
from streamgage.options.declaration import command
from streamgage.options.question import Question
from streamgage.options.values import Output, PathLike, as_path, choose
from streamgage.records import Machine
from streamgage.show.formats import as_json
from streamgage.show.output import open_output
from streamgage.show.picture_file import SUFFIXES, picture_file
from streamgage.units import count

_AS_FILE = Path("table.txt")

ANSWERS = Question.PARTS
EXAMPLES = (
    ("streamgage topology", "Summary, tables and picture of this machine."),
    ("streamgage topology -o machine.svg", "A picture for a report."),
    ("streamgage topology --json", "The machine's record, for programs."),
)


class TopologyFormat(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    JSON = "json"


class Topology:
    """Packages, cores, caches, NUMA nodes, devices, and which CPUs this process may use."""

    def __init__(self, machine: Machine, found: DevicesFound = NO_DEVICES) -> None:
        """Wrap the machine's record, and the devices that were found."""
        self._found = found
        self.devices = list(found.devices)
        """GPUs and other devices: ``id``, ``name``, ``memory_bytes``, ``numa_node`` ..."""
        self.machine = machine
        """The machine's record: ``processor``, ``cores``, ``caches``, ``numa_nodes`` and all other
        facts.
        """

    def table(self, *, picture: bool | None = None) -> Text:
        """The summary, the tables and a picture in text.

        ``picture``: ``True`` gives only the picture, with every core; ``False`` only the tables.
        """
        return Text(_text(self.machine, self._found, _AS_FILE, picture=picture))

    def to_dict(self) -> dict[str, Any]:
        """The machine's record as lists and mappings: what ``--json`` prints."""
        built: dict[str, Any] = msgspec.to_builtins(self.machine)
        return built

    def to_json(self) -> str:
        """The JSON that ``--json`` prints."""
        return as_json(self.machine)

    def save(self, path: PathLike) -> Path:
        """Write a picture (``.svg``, ``.png``, ...) or the record (``.json``), and return the path.

        Raises ``UsageError`` for another name, ``StreamgageError`` if it cannot be written.
        """
        file = Path(path)
        suffix = file.suffix.lower()
        known = (*SUFFIXES, ".json")
        if suffix not in known:
            raise UsageError(f"{file} has no suffix that is known: use {', '.join(known)}.")
        with open_output(file, "path") as out:
            if suffix == ".json":
                out.write(self.to_json())
            else:
                out.write_bytes(_picture(self.machine, file))
        return file

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{self.machine.processor}, {count(self.machine.cores, 'core')}>"

    def _repr_svg_(self) -> str | None:
        try:
            return _picture(self.machine, Path("machine.svg")).decode()
        except UsageError as error:  # nothing is installed that draws: the text must do
            warn(str(error), stacklevel=1)
            return None


def _text(machine: Machine, found: DevicesFound, file: Path | None, *, picture: bool | None) -> str:
    """The text for ``file`` (``None``: stdout).

    ``picture`` chooses the picture alone or the tables alone.
    """
    from streamgage.machine.topology.text import render
    from streamgage.show.terminal import terminal_for

    terminal = terminal_for(file)
    return render(machine, terminal, found, tabled=not picture, drawn=picture is not False)


def _picture(machine: Machine, file: Path) -> bytes:
    from streamgage.machine.topology.drawing import draw

    return draw(machine, file)


def topology() -> Topology:
    """Return the parts of this machine, as ``streamgage topology`` does.

    Raises:
        StreamgageError: the engine is missing or fails.
    """
    machine = read_topology()
    return Topology(machine, devices_next_to(machine))


@command()
def command_line(
    *,
    picture: bool | None = None,
    format: TopologyFormat | str | None = None,
    json: bool = False,
    output: Output = None,
) -> int:
    """Show packages, cores, caches, nodes, CPUs and devices.

    Args:
        picture: Show only the picture, with every core, or only the tables; default: both. With
            many cores the default draws equal ones once.
        format: How to print it; json: the machine's record.
        json: The same as --format json.
        output: Draw a picture in FILE.svg, .png, .pdf or .eps; with --format or --json, write that
            to FILE.
    """
    chosen = None if format is None else choose(TopologyFormat, "--format", format)
    if json and chosen is TopologyFormat.TABLE:
        raise UsageError("--json and --format table exclude each other: leave one out.")
    shown_as = TopologyFormat.JSON if json else chosen
    as_record = shown_as is TopologyFormat.JSON
    if as_record and picture is not None:
        raise UsageError(
            "--picture and --no-picture only change the table: leave them out, or leave json out."
        )
    file = as_path("-o", output)
    drawn = picture_file(file) if shown_as is None else None
    with open_output(file) as out:
        machine = read_topology()
        if drawn is not None:
            out.write_bytes(_picture(machine, drawn))
        else:
            found = NO_DEVICES if as_record or picture else devices_next_to(machine)
            text = as_json(machine) if as_record else _text(machine, found, file, picture=picture)
            out.write(text)
    return 0

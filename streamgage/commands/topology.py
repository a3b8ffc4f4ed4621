"""What this machine is made of."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from streamgage.api.answers import Text
from streamgage.api.declaration import command
from streamgage.api.drawing import picture_file
from streamgage.api.values import Output, PathLike, as_path, choose
from streamgage.errors import UsageError
from streamgage.records import Machine
from streamgage.show.formats import as_json
from streamgage.show.output import open_output
from streamgage.tools.topology.read import topology as study

_AS_FILE = Path("table.txt")
_PICTURES = (".svg", ".png")

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
    """Packages, cores, caches and NUMA nodes, and what of them this process may use."""

    def __init__(self, machine: Machine) -> None:
        """Of the machine's record."""
        self.machine = machine
        """With ``processor``, ``cores``, ``caches``, ``numa_nodes`` and all else that is known."""

    def table(self, *, picture: bool | None = None) -> Text:
        """The summary, the tables and a picture of letters.

        ``picture``: that alone, with every core, or (``False``) the tables alone.
        """
        return Text(_text(self.machine, _AS_FILE, picture=picture))

    def to_dict(self) -> dict[str, Any]:
        """The machine's record: what ``--json`` prints."""
        built: dict[str, Any] = msgspec.to_builtins(self.machine)
        return built

    def to_json(self) -> str:
        """What ``--json`` prints."""
        return as_json(self.machine)

    def save(self, path: PathLike) -> Path:
        """Write a picture (``.svg``, ``.png``) or the record (``.json``), and return its path.

        Raises ``UsageError`` for another name, ``StreamgageError`` where it cannot be written.
        """
        file = Path(path)
        suffix = file.suffix.lower()
        if suffix not in (*_PICTURES, ".json"):
            raise UsageError(f"{file} has no suffix that is known: use .svg, .png, .json.")
        with open_output(file, "path") as out:
            if suffix == ".json":
                out.write(self.to_json())
            else:
                out.write_bytes(_picture(self.machine, file))
        return file

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{self.machine.processor}, {self.machine.cores} cores>"

    def _repr_svg_(self) -> str:
        return _picture(self.machine, Path("machine.svg")).decode()


def _text(machine: Machine, file: Path | None, *, picture: bool | None) -> str:
    """The text for ``file`` (``None``: stdout); ``picture``: that alone, or the tables alone."""
    from streamgage.show.terminal import terminal_for
    from streamgage.tools.topology.text import render

    return render(machine, terminal_for(file), tabled=not picture, drawn=picture is not False)


def _picture(machine: Machine, file: Path) -> bytes:
    from streamgage.tools.topology.drawing import draw

    return draw(machine, file)


def topology() -> Topology:
    """What this machine is made of: ``streamgage topology``.

    Raises:
        StreamgageError: the engine cannot tell.
    """
    return Topology(study())


@command()
def command_line(
    *,
    picture: bool | None = None,
    format: TopologyFormat | str | None = None,
    json: bool = False,
    output: Output = None,
) -> int:
    """Show packages, cores, caches, NUMA nodes, and what this process may use of them.

    Args:
        picture: The picture alone, with every core, or the tables alone; default: both, and where
            there are many cores what is alike is drawn once.
        format: How to print it; json: the machine's record.
        json: The same as --format json.
        output: Draw FILE.svg or FILE.png; with --format or --json, write that to FILE.
    """
    asked = None if format is None else choose(TopologyFormat, "--format", format)
    if json and asked is TopologyFormat.TABLE:
        raise UsageError("--json and --format table exclude each other: leave one out.")
    shown_as = TopologyFormat.JSON if json else asked
    as_record = shown_as is TopologyFormat.JSON
    if as_record and picture is not None:
        raise UsageError("--picture and --no-picture are for the table: leave out json, or them.")
    file = as_path("-o", output)
    drawn = picture_file(file) if shown_as is None else None
    with open_output(file) as out:
        machine = study()
        if drawn is not None:
            out.write_bytes(_picture(machine, drawn))
        else:
            out.write(as_json(machine) if as_record else _text(machine, file, picture=picture))
    return 0

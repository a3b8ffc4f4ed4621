"""``streamgage topology``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.options import choose
from streamgage.cli.pictures import picture_file
from streamgage.commands import topology as api
from streamgage.errors import UsageError
from streamgage.show.output import open_output
from streamgage.tools.topology.formats import draw, render


class TopologyFormat(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    JSON = "json"


EXAMPLES = (
    ("streamgage topology", "Summary, tables and picture of this machine."),
    ("streamgage topology -o machine.svg", "A picture for a report."),
    ("streamgage topology --json", "The machine's record, for programs."),
)


def topology(
    *,
    picture: Annotated[
        bool | None,
        typer.Option(
            "--picture/--no-picture",
            help="The picture alone, with every core, or the tables alone; default: both, and"
            " where there are many cores what is alike is drawn once.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(TopologyFormat),
            help="How to print it; json: the machine's record.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Draw FILE.svg or FILE.png; with --format or --json, write that to FILE.",
        ),
    ] = None,
) -> int:
    """Show packages, cores, caches, NUMA nodes, and what this process may use of them."""
    shown_as = _format(form, as_json)
    if shown_as is TopologyFormat.JSON and picture is not None:
        raise UsageError("--picture and --no-picture are for the table: leave out json, or them.")
    drawn = picture_file(output) if shown_as is None else None
    with open_output(output) as out:
        machine = api.topology().machine
        if drawn is not None:
            out.write_bytes(draw(machine, drawn))
        else:
            as_record = shown_as is TopologyFormat.JSON
            out.write(render(machine, output, picture=picture, as_record=as_record))
    return 0


def _format(form: str | None, as_json: bool) -> TopologyFormat | None:
    """What was asked for; null where nothing was."""
    asked = None if form is None else choose(TopologyFormat, "--format", form)
    if as_json and asked is TopologyFormat.TABLE:
        raise UsageError("--json and --format table exclude each other: leave one out.")
    return TopologyFormat.JSON if as_json else asked

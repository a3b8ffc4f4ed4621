"""``streamgage topology`` as text: a summary, the tables, and the picture."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from streamgage.analysis.machine.tree import machine_tree, private_caches
from streamgage.cpu_list import list_cpus
from streamgage.machine.topology.boxes import box_lines
from streamgage.machine.topology.frame import LINES, PLAIN
from streamgage.machine.topology.labels import cache_label
from streamgage.machine.topology.read import NO_DEVICES, DevicesFound
from streamgage.machine.topology.summary import not_this_system, summary
from streamgage.machine.topology.tables import tables
from streamgage.records import Machine
from streamgage.show.brief import BELOW
from streamgage.show.symbols import UNICODE
from streamgage.show.terminal import Terminal, finished, new_console
from streamgage.show.text_parts import show_body

_BARRED = re.compile(r"\([0-9][0-9, -]*\)")
_INDENT = 1
_NARROWEST = 20


def render(
    machine: Machine,
    terminal: Terminal,
    found: DevicesFound = NO_DEVICES,
    *,
    tabled: bool = True,
    drawn: bool = True,
) -> str:
    """The text. The picture alone shows every core; with tables, equal ones may be drawn once.

    Of tables and picture a terminal gets what it has room for.
    """
    wide = replace(terminal, width=max(terminal.width, _NARROWEST))
    parts = list(_parts(machine, wide, found, tabled=tabled, drawn=drawn))
    whole = "\n\n".join(part for _, part in parts)
    room = None if terminal.lines is None else terminal.lines - BELOW
    if room is None or not (tabled and drawn) or whole.count("\n") < room:
        return f"{whole}\n"
    room -= 2  # an empty line, and what shows the rest
    kept: list[str] = []
    more: list[str] = []
    for option, part in parts:
        lines = part.count("\n") + 1 + bool(kept)
        if kept and lines > room:
            more.append(option)
            continue
        kept.append(part)
        room -= lines
    return "\n\n".join([*kept, f" More         {', '.join(dict.fromkeys(more))}\n"])


def _parts(
    machine: Machine, terminal: Terminal, found: DevicesFound, *, tabled: bool, drawn: bool
) -> Iterator[tuple[str, str]]:
    """The parts of the text, the most important first, each with the option that shows it."""

    def written(show: Callable[[Console], None]) -> str:
        text = io.StringIO()
        show(new_console(text, terminal))
        return finished(text).strip("\n")

    warning = not_this_system(machine)
    if warning:
        shown = Padding(Text(warning, style="bold yellow"), (0, 0, 0, _INDENT))
        yield "--no-picture", written(lambda console: console.print(shown))
    if tabled:
        yield "--no-picture", written(partial(_summary, machine=machine))
        for table in tables(machine, terminal.width, found):
            shown_table = partial(show_body, body=[table], symbols=terminal.symbols)
            yield "--no-picture", written(shown_table)
    if drawn:
        picture = partial(_picture, machine=machine, terminal=terminal, whole=not tabled)
        yield "--picture", written(picture)


def _summary(console: Console, machine: Machine) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in summary(machine):
        grid.add_row(Text(name, style="bold"), Text(value))
    console.print(Padding(grid, (0, 0, 0, _INDENT)))


def _picture(console: Console, machine: Machine, terminal: Terminal, *, whole: bool) -> None:
    glyphs = LINES if terminal.symbols is UNICODE else PLAIN
    for line in box_lines(machine, console.width - _INDENT, glyphs, whole=whole):
        shown = Text(" " * _INDENT + line)
        shown.highlight_regex(f"[{re.escape(glyphs.across + glyphs.down)}]", "dim")
        shown.highlight_regex(_BARRED, "dim")
        console.print(shown, soft_wrap=True)
    console.print()
    for sentence in _notes(machine):
        console.print(Padding(sentence, (0, 0, 0, _INDENT)), style="dim")


def _notes(machine: Machine) -> list[str]:
    """Sentences about what the picture does not show."""
    caches = [cache_label(cache) for cache in private_caches(machine_tree(machine))]
    notes = ["In each core: its CPUs, by the system's numbers."]
    if caches:
        notes.append(f"Not drawn: each core's own {', '.join(caches)}.")
    if set(list_cpus(machine.online_cpus)) - set(list_cpus(machine.allowed_cpus)):
        who = "were not allowed" if machine.described_by else "this process may not use"
        notes.append(f"In parentheses: CPUs that {who}.")
    return [" ".join(notes)]

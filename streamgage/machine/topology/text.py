"""``streamgage topology`` as text: a summary, the tables, and the picture."""

from __future__ import annotations

import io
import re
from dataclasses import replace

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
    """The text. The picture alone shows every core; with tables, equal ones may be drawn once."""
    text = io.StringIO()
    console = new_console(text, replace(terminal, width=max(terminal.width, _NARROWEST)))
    warning = not_this_system(machine)
    if warning:
        console.print(Padding(Text(warning, style="bold yellow"), (0, 0, 1, _INDENT)))
    if tabled:
        _summary(console, machine)
        show_body(console, tables(machine, console.width, found), terminal.symbols)
    if drawn:
        _picture(console, machine, terminal, whole=not tabled)
    return finished(text).rstrip() + "\n"


def _summary(console: Console, machine: Machine) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in summary(machine):
        grid.add_row(Text(name, style="bold"), Text(value))
    console.print(Padding(grid, (0, 0, 1, _INDENT)))


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

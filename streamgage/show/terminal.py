"""A page of text as a terminal shows it: its width, its marks, and lines that hang on a lead."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from streamgage.show.symbols import UNICODE, Symbols, symbols_for

FILE_WIDTH = 100
"""Characters in a line of files and pipes, and the most on a terminal."""
NARROW = 70
"""Below that many characters text goes below its lead."""
_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=%|GB/s|[KMG]iB|bytes|s\b|us\b|ns\b)")
_TIED = "\ue000"
"""Stands for a space at which no line is to break, while lines are broken."""


@dataclass(frozen=True)
class Terminal:
    """What the output can show: ``width`` in characters, colour or none, and which marks."""

    width: int
    colour: bool
    symbols: Symbols


def terminal_for(file: Path | None) -> Terminal:
    """What stdout can show, or a file."""
    if file is not None:
        return Terminal(FILE_WIDTH, False, UNICODE)
    width = min(FILE_WIDTH, shutil.get_terminal_size((FILE_WIDTH, 24)).columns)
    colour = (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    return Terminal(width, colour, symbols_for(sys.stdout.encoding))


def new_console(text: io.StringIO, terminal: Terminal) -> Console:
    """A console that writes into ``text``."""
    return Console(
        file=text,
        width=terminal.width,
        force_terminal=terminal.colour,
        color_system="standard" if terminal.colour else None,
        no_color=not terminal.colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        force_jupyter=False,  # a notebook is given the text, not drawn into
    )


def finished(text: io.StringIO) -> str:
    """What was written, with no blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.getvalue().replace(_TIED, " ").split("\n"))


def hanging(
    console: Console, lead: str, body: str, *, style: str = "", indent: int | None = None
) -> None:
    """``lead`` once, with ``body`` wrapped to its right."""
    grid = Table.grid(padding=0)
    grid.add_column(width=indent or len(lead), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(
        Text(lead, style=style),
        Text(_BEFORE_UNIT.sub(_TIED, body)),
    )
    console.print(grid)


def told(console: Console, lead: str, body: str, *, indent: int, style: str = "") -> None:
    """``body`` to the right of ``lead``, or below it where the terminal is narrow."""
    if console.width < NARROW:
        console.print(lead, style=style)
        hanging(console, "   ", body)
    else:
        hanging(console, lead, body, style=style, indent=indent)

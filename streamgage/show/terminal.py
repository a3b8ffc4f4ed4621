"""Text on a terminal: its width, its marks, and paragraphs with a hanging indent."""

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
"""The width of lines in files and pipes, and the greatest width on a terminal, in characters."""
NARROW = 70
"""On a terminal narrower than this, text goes below its name instead of next to it."""
_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=%|GB/s|[KMG]iB|bytes|s\b|us\b|ns\b)")
_TIED = "\ue000"
"""Stands for a space that must not be broken, while lines are wrapped."""


@dataclass(frozen=True)
class Terminal:
    """What the output can show: its ``width`` in characters, colours, and marks."""

    width: int
    colour: bool
    symbols: Symbols
    lines: int | None = None
    """Its height; ``None`` for files and pipes, which have no end."""


def terminal_for(file: Path | None) -> Terminal:
    """Describe what stdout, or a file, can show."""
    if file is not None:
        return Terminal(FILE_WIDTH, False, UNICODE)
    size = shutil.get_terminal_size((FILE_WIDTH, 24))
    seen = sys.stdout.isatty()
    colour = seen and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(
        min(FILE_WIDTH, size.columns),
        colour,
        symbols_for(sys.stdout.encoding),
        size.lines if seen else None,
    )


def new_console(text: io.StringIO, terminal: Terminal) -> Console:
    """Make a console that writes into ``text``."""
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
        force_jupyter=False,  # a notebook gets the text; the console must not draw into it
    )


def finished(text: io.StringIO) -> str:
    """The text that was written, without blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.getvalue().replace(_TIED, " ").split("\n"))


def tied(text: str) -> str:
    """The text with numbers that no line break parts from their units."""
    return _BEFORE_UNIT.sub(_TIED, text)


def hanging(
    console: Console, lead: str, body: str, *, style: str = "", indent: int | None = None
) -> None:
    """Print ``lead`` once, with ``body`` wrapped to its right."""
    grid = Table.grid(padding=0)
    grid.add_column(width=indent or len(lead), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(
        Text(lead, style=style),
        Text(tied(body)),
    )
    console.print(grid)


def named_text(console: Console, lead: str, body: str, *, indent: int, style: str = "") -> None:
    """Print ``body`` to the right of ``lead``, or below it on a narrow terminal."""
    if console.width < NARROW:
        console.print(lead, style=style)
        hanging(console, "   ", body)
    else:
        hanging(console, lead, body, style=style, indent=indent)

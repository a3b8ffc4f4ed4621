"""Wraps text to the width of the reader's terminal, and prints sentences on stderr."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import TextIO

from streamgage.errors import shortened
from streamgage.records.plain_text import plain

UNKNOWN_WIDTH = 80
"""Characters in a line if the width is unknown, as for pipes and files."""
MOST_WIDTH = 100
"""Longer lines are hard to read."""
LEAST_WIDTH = 20
_ITEM = re.compile(r"(- |[0-9]+\. )")
_LINK = re.compile(r"\[([^\]\[]+)\]\((?!https?:)[^)\s]+\)")
"""A link to another page of the package, which a terminal cannot follow."""


def width_of(stream: TextIO | None) -> int:
    """The number of characters in a line of ``stream``: $COLUMNS, the terminal's width, or 80."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns[:6]) > 0:
        width = int(columns[:6])
    else:
        width = _terminal_width(stream) or UNKNOWN_WIDTH
    return max(LEAST_WIDTH, min(MOST_WIDTH, width))


def _terminal_width(stream: TextIO | None) -> int:
    try:
        return 0 if stream is None else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # it is not a terminal, or it is closed
        return 0


def say(sentence: str) -> None:
    """Print a sentence on stderr: wrapped on a terminal, else on one line."""
    if sys.stderr is not None:  # print would use stdout instead
        print(with_program_name(sentence), file=sys.stderr)


def with_program_name(sentence: str) -> str:
    """Put the program's name before the sentence, and wrap it on a terminal."""
    text = f"streamgage: {plain(shortened(sentence))}"
    if sys.stderr is None or not sys.stderr.isatty():
        return text
    return _fill(text, width_of(sys.stderr), "  ")


def wrapped(markdown: str, width: int) -> str:
    """Wrap the paragraphs, list items and quoted output of a Markdown page.

    A fence that names a language keeps its lines, and so do tables and indented code. Of a link to
    another page only its words are left.
    """
    return "\n".join(_wrapped_lines(_LINK.sub(r"\1", markdown).split("\n"), width))


def hanging(lead: str, text: str, width: int) -> str:
    """Put ``text`` to the right of ``lead``, wrapped."""
    return _fill(lead + text, width, " " * len(lead))


def _wrapped_lines(lines: list[str], width: int) -> Iterator[str]:
    block: list[str] = []
    fence: str | None = None
    for line in lines:
        if line.startswith("```"):
            yield from _filled(block, width)
            yield line
            fence, block = line.removeprefix("```") if fence is None else None, []
        elif fence:
            yield line
        elif not line or line.startswith(("#", "|")) or (not block and line.startswith("    ")):
            yield from _filled(block, width)
            yield line
            block = []
        else:
            if _ITEM.match(line):
                yield from _filled(block, width)
                block = []
            block.append(line.strip())
    yield from _filled(block, width)


def _filled(block: list[str], width: int) -> Iterator[str]:
    if block:
        item = _ITEM.match(block[0])
        yield _fill(" ".join(block), width, " " * len(item[1]) if item else "")


def _fill(text: str, width: int, indent: str) -> str:
    return textwrap.fill(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )

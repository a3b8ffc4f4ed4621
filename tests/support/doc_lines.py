"""Finds every command line in the documentation and in the commands' examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from programs import REPOSITORY

from streamgage.manual import commands, engine

ALL_LINES = "sh"
"""In a fence of this language each line is a command."""
MARKED_LINES = "console"
"""In a fence of this language, lines with a dollar sign in front are commands, others output."""
_FENCE = re.compile(r"^(`{3,})(\w*)\s*$")
_COMMENT = re.compile(r"(^|\s+)#\s.*$")
_LIKE_A_COMMAND = re.compile(
    r"^\s*(\$ |(\w+=\S+ )*(streamgage|streamgage-engine|make|mpiexec|mpirun|srun|sbatch|salloc|git"
    r"|reframe|pip|sudo|docker|setcap|sysctl|mount|likwid-\w+)(?=\s|$)(?!:))"
)
_SHOWN_ONLY = frozenset({"bash", "json"})
"""Languages of fences that show a file, and no lines to type."""


@dataclass(frozen=True)
class DocLine:
    """A command line, with its file and line."""

    text: str
    source: str
    number: int


def documents() -> list[Path]:
    """All pages that show command lines."""
    return [
        REPOSITORY / "README.md",
        REPOSITORY / "CONTRIBUTING.md",
        *sorted((REPOSITORY / "docs").rglob("*.md")),  # follows no links: findings, terms
        *sorted((REPOSITORY / "streamgage" / "explanations").rglob("*.md")),
        *sorted((REPOSITORY / "examples").rglob("README.md")),
    ]


def doc_lines() -> list[DocLine]:
    """The command lines of all pages, and of the examples of all commands."""
    found = [
        line for path in documents() for line in lines_of(path.read_text("utf-8"), _name(path))
    ]
    for page in commands.pages():
        found += [DocLine(line, f"{page.name} --help", 0) for line, _ in page.examples]
    return found + [DocLine(line, "streamgage-engine(1)", 0) for line, _ in engine.page().examples]


def lines_of(text: str, source: str) -> Iterator[DocLine]:
    """The command lines of a page; one that ends with a backslash goes on."""
    begun, first = "", 0
    for number, language, line in _fenced(text):
        if language == MARKED_LINES and not begun and not line.startswith("$ "):
            continue
        if language not in (ALL_LINES, MARKED_LINES):
            continue
        command = begun + _COMMENT.sub("", line if begun else line.removeprefix("$ ")).strip()
        first = first or number
        if command.endswith("\\"):
            begun = command.removesuffix("\\")
            continue
        if command:
            yield DocLine(command, source, first)
        begun, first = "", 0


def stray_lines(text: str, source: str) -> list[DocLine]:
    """Lines that look like commands, where no test would find them."""
    fenced = {number: language for number, language, _ in _fenced(text)}
    stray = []
    for number, line in enumerate(text.splitlines(), 1):
        language = fenced.get(number)
        outside = language is None and line.startswith("    ")
        other = language is not None and language not in {ALL_LINES, MARKED_LINES, *_SHOWN_ONLY}
        if (outside or other) and _LIKE_A_COMMAND.match(line):
            stray.append(DocLine(line.strip(), source, number))
    return stray


def shown_file(path: Path, language: str) -> str:
    """The first file of that language that a page shows."""
    lines = [line for _, fence, line in _fenced(path.read_text("utf-8")) if fence == language]
    assert lines, path
    return "\n".join(lines) + "\n"


def _fenced(text: str) -> Iterator[tuple[int, str, str]]:
    """Number, language of the fence, and text of each line within fences."""
    language: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if fence:
            language = fence[2] if language is None else None
        elif language is not None:
            yield number, language, line


def _name(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))

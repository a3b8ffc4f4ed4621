"""The first error that a compiler tells of a source, with its file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from streamgage.kernels.build import line_of_error

_MOST_CHARACTERS = 200
_PLACED = (
    # gcc, clang, icx, flang: x.c:12:5: error: ... (tcc without the column)
    re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<what>.*)"),
    # nvc: "x.c", line 12: error: ...
    re.compile(r'^"(?P<file>[^"]+)", line (?P<line>\d+): (?:catastrophic )?error: (?P<what>.*)'),
    # ifx: x.f90(12): error #5082: ...
    re.compile(r"^(?P<file>[^\s(]+)\((?P<line>\d+)\): (?:\w+ )?error ?[^:]*: (?P<what>.*)"),
    # nvfortran: NVFORTRAN-S-0034-Syntax error at or near ... (x.f90: 12)
    re.compile(r"^\S+-[SF]-\d+-(?P<what>.*) \((?P<file>[^():]+): (?P<line>\d+)\)"),
)
_PLACE = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+:$")
"""gfortran says where, shows the line, and says what last."""
_WHAT = re.compile(r"^(?:Fatal )?Error: (?P<what>.*)")


@dataclass(frozen=True)
class CompileError:
    """One error of a compiler; ``line`` counts from 1."""

    file: str
    line: int
    what: str

    def words(self) -> str:
        """Such as ``my.c:12: expected ';' before 'x'``."""
        told = self.what.strip().rstrip(".?")
        shown = told if len(told) <= _MOST_CHARACTERS else f"{told[:_MOST_CHARACTERS]}..."
        return f"{Path(self.file).name}:{self.line}: {shown}"


def compile_errors(text: str) -> Iterator[CompileError]:
    """Those that name a file and a line, in the order in which they were told."""
    place: re.Match[str] | None = None
    for line in text.splitlines():
        placed = next((found for each in _PLACED if (found := each.match(line))), None)
        if placed is not None:
            yield CompileError(placed["file"], int(placed["line"]), placed["what"])
        place = _PLACE.match(line) or place
        what = _WHAT.match(line)
        if what is not None and place is not None:
            yield CompileError(place["file"], int(place["line"]), what["what"])


def first_error(text: str) -> str:
    """The first of them in words; of what names no line, such as a linker's, the line itself."""
    placed = next(compile_errors(text), None)
    return line_of_error(text) if placed is None else placed.words()

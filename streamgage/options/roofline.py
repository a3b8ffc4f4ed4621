"""Reads the user's programs for the roofline from text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from streamgage.errors import UsageError
from streamgage.records.plain_text import one_line
from streamgage.records.quantities import MOST_SECONDS
from streamgage.results.ladder.document import ProgramPoint
from streamgage.units import parse_bytes, shortened

_MOST = 1e12 * MOST_SECONDS
_LONGEST_NAME = 60
_FORM = "write name,flops,bytes,seconds, such as solver,2e9,16e9,0.8"


def programs_of(texts: Sequence[str]) -> list[ProgramPoint]:
    """Parse each ``name,flops,bytes,seconds``. Raises ``UsageError`` for any other text."""
    found = [_program(text) for text in texts]
    names = [each.name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"--point names {twice!r} twice: give each program its own name.")
    return found


def _program(text: str) -> ProgramPoint:
    parts = [part.strip() for part in text.rsplit(",", 3)]
    if len(parts) != 4:
        raise UsageError(f"--point {shortened(text)!r} does not have four parts: {_FORM}.")
    name, *figures = parts
    if not name or len(name) > _LONGEST_NAME or one_line(name) != name:
        raise UsageError(
            f"--point {shortened(text)!r} needs a name of up to {_LONGEST_NAME} letters: {_FORM}."
        )
    flops, moved, seconds = (
        _number(text, what, part, size=what == "bytes")
        for what, part in zip(("flops", "bytes", "seconds"), figures, strict=True)
    )
    if moved == 0 or seconds == 0:
        what = "bytes" if moved == 0 else "seconds"
        raise UsageError(
            f"--point {shortened(text)!r} has 0 {what}, but streamgage divides by them."
        )
    return ProgramPoint(name=name, flops=flops, bytes=moved, seconds=seconds)


def _number(text: str, what: str, part: str, *, size: bool) -> float:
    known = parse_bytes(part) if size and part[-1:] in "Bb" else None
    try:
        number = float(part) if known is None else float(known)
    except ValueError:
        number = math.nan
    if not 0 <= number <= (MOST_SECONDS if what == "seconds" else _MOST):
        raise UsageError(
            f"--point {shortened(text)!r}: {shortened(part)!r} is not a number of {what}: {_FORM}."
        )
    return number

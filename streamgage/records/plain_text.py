"""Text of others without what terminals take for orders."""

from __future__ import annotations

import re

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ESCAPED = re.compile(
    rb"\\u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])|\xc2[\x80-\x9f]|\x7f"
)
_STARTS = (rb"\u00", b"\xc2", b"\x7f")
"""One of these is in whatever that finds."""
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def one_line(text: str) -> str:
    """``text`` on one line, its control characters replaced."""
    return _CONTROLS.sub(_INSTEAD, " ".join(text.split()))


def without_controls(json: bytes) -> bytes:
    """A JSON text in whose strings control characters are replaced; tabs and newlines stay."""
    if not any(start in json for start in _STARTS):  # as nearly always, and sooner known
        return json
    return _ESCAPED.sub(b"\\\\ufffd", json)

"""Takes out of untrusted text what steers a terminal or turns the order of letters around."""

from __future__ import annotations

import re

_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_ORDER = "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Marks of direction, and two ends of lines that no terminal shows as such."""
_CONTROLS = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_ORDER}]")
_COLOUR = re.compile(r"(\x1b\[[0-9;]{0,20}m)")
"""What this program itself sends to a terminal."""

_FORMULA = re.compile(r"\s*(?:[=@]|[+-](?![0-9.]|$|[ ]))")
"""Matches text that a spreadsheet would compute; a number with its sign is not a formula."""

_ESCAPE = (
    rb"\\(?:[bfr]|u00(?:0[0-8bBcCdDeEfF]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])"
    rb"|u061[cC]|u200[eEfF]|u202[89a-eA-E]|u206[6-9])"
)
_RAW = rb"\xc2[\x80-\x9f]|\x7f|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
_IN_JSON = re.compile(rb"\\\\|(" + _ESCAPE + rb"|" + _RAW + rb")")
"""An escaped backslash comes first, so that what follows it is not taken for an escape."""
_STARTS = (
    *(rb"\b", rb"\f", rb"\r", rb"\u00", rb"\u06", rb"\u20"),
    *(b"\xc2", b"\x7f", b"\xd8\x9c", b"\xe2\x80", b"\xe2\x81"),
)
"""Everything that the pattern finds contains one of these."""


def one_line(text: str) -> str:
    """``text`` on one line, its control characters replaced."""
    return plain(" ".join(text.split()))


def plain(text: str) -> str:
    """``text`` with its control characters replaced; tabs and newlines stay."""
    return _CONTROLS.sub(_INSTEAD, text)


def plain_but_coloured(text: str) -> str:
    """Does the same as ``plain``, but keeps the sequences that set colours."""
    if "\x1b" not in text:
        return plain(text)
    return "".join(
        each if number % 2 else plain(each) for number, each in enumerate(_COLOUR.split(text))
    )


def escaped_in_json(json: str) -> str:
    """A JSON text whose strings have control characters as escapes, so that nothing is lost."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def spreadsheet_cell(text: str) -> str:
    """``text`` for a CSV file: a spreadsheet takes it for text, and for no formula."""
    shown = plain(text)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def without_controls(json: bytes) -> bytes:
    """A JSON text in whose strings control characters are replaced; tabs and newlines stay."""
    if not any(start in json for start in _STARTS):  # as nearly always, and sooner known
        return json
    return _IN_JSON.sub(lambda found: rb"\ufffd" if found[1] else found[0], json)

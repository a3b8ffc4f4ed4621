"""Removes from untrusted text what controls a terminal or changes the direction of writing."""

from __future__ import annotations

import re

_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_ORDER = "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Marks that change the direction of writing, and two line separators that terminals do not
show."""
_CONTROLS = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_ORDER}]")
_COLOUR = re.compile(r"(\x1b\[[0-9;]{0,20}m)")
"""Matches the colour sequences that this program itself sends to a terminal."""

_FORMULA = re.compile(r"\s*(?:[=@]|[+-](?![0-9.]|$|[ ]))")
"""Matches text that a spreadsheet would compute; a number with its sign is not a formula."""

_ESCAPE = (
    rb"\\(?:[bfr]|u00(?:0[0-8bBcCdDeEfF]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])"
    rb"|u061[cC]|u200[eEfF]|u202[89a-eA-E]|u206[6-9])"
)
_RAW = rb"\xc2[\x80-\x9f]|\x7f|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
_IN_JSON = re.compile(rb"\\\\|(" + _ESCAPE + rb"|" + _RAW + rb")")
"""Matches an escaped backslash first, so that what follows it is not taken for an escape."""
_STARTS = (
    *(rb"\b", rb"\f", rb"\r", rb"\u00", rb"\u06", rb"\u20"),
    *(b"\xc2", b"\x7f", b"\xd8\x9c", b"\xe2\x80", b"\xe2\x81"),
)
"""All matches of that pattern contain one of these."""


def one_line(text: str) -> str:
    """Put ``text`` on one line, and replace its control characters."""
    return plain(" ".join(text.split()))


def plain(text: str) -> str:
    """Replace the control characters in ``text``, except tabs and newlines."""
    return _CONTROLS.sub(_INSTEAD, text)


def plain_but_coloured(text: str) -> str:
    """Replace control characters as ``plain`` does, but keep the sequences that set colours."""
    if "\x1b" not in text:
        return plain(text)
    return "".join(
        each if number % 2 else plain(each) for number, each in enumerate(_COLOUR.split(text))
    )


def escaped_in_json(json: str) -> str:
    """Escape the control characters in the strings of a JSON text, so that nothing is lost."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def spreadsheet_cell(text: str) -> str:
    """Make ``text`` safe for a CSV file, so that no spreadsheet takes it for a formula."""
    shown = plain(text)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def without_controls(json: bytes) -> bytes:
    """Replace the control characters in the strings of a JSON text, except tabs and newlines."""
    plain_ascii = b"\\" not in json and b"\x7f" not in json and json.isascii()
    if plain_ascii or not any(start in json for start in _STARTS):  # the usual cases
        return json
    return _IN_JSON.sub(lambda found: rb"\ufffd" if found[1] else found[0], json)

"""What stands around a processor's name, such as how many there are: ``2x EPYC 7763``."""

from __future__ import annotations

import re

_SOCKETS = re.compile(
    r"(?<![0-9.,*x\u00d7])\b(?P<before>[1248]) ?[x*\u00d7] ?(?!x\b|(?:lp)?ddr|dimms?\b|ram\b)"
    r"(?=[^\W0-9])"
    r"|(?<=[\w+]) ?[*\u00d7] ?(?P<times>[1248])\b(?! ?[\w*\u00d7])"
    r"|(?<=[\w+]) (?-i:x) ?(?P<after>[1248])(?= ?(?:$|[,;(]))"
    r"|\b(?P<of>[1248])(?:x(?=$|[),;])|[- ]?(?:sockets?|packages?|way)\b|(?-i:[SP])\b(?!-)"
    r"|[sp](?= (?:amd|intel|epyc|xeon)\b))"
    r"|\bdual\b(?![- ]?(?:cores?|channels?|ranks?|modes?|graphics)\b)"
    r"[- ]?(?:sockets?\b|processors?\b|cpus?\b)?",
    re.I,
)
"""Matches ``2x``, ``2 x``, ``x2`` at the end, ``*2``, ``2S``, ``2-socket`` and ``dual``."""


def sockets_in(name: str) -> int | None:
    """The number of processors that a name says, such as ``2x EPYC 7763``; ``None``: none."""
    found = _SOCKETS.search(name)
    if found is None:
        return None
    return int(found["before"] or found["times"] or found["after"] or found["of"] or 2)

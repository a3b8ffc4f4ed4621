"""The number of sockets by the name of a processor."""

from __future__ import annotations

import re

from streamgage.analysis.machine.name_parts import sockets_in, without_marks

_ALONE = re.compile(
    r"\b(?:Core(?:\s+Ultra)?\s+(?:m?[3579]\b|[im][3579]-)|i[3579]-[0-9]{3,5}|Ryzen|Threadripper"
    r"|Athlon (?:Gold|Silver|PRO)|Pentium (?:Gold|Silver)|Celeron|Apple M[0-9]"
    r"|EPYC[ -](?:[0-9A-Z]{4}P|4[0-9]{2}4P?X?|8[0-9]{2}4P?N?)|Xeon(?: CPU)? E3-|Xeon E-2[0-9]{3}"
    r"|Xeon W-[0-9]{4})",
    re.I,
)
"""Matches processors that their makers sell for boards with one socket only."""


def sockets_by_name(processor: str) -> int | None:
    """The sockets of a machine with such processors; ``None`` if its name does not say.

    The name says ``2x``, ``2 sockets`` or ``2-socket``, or is of a processor for one socket.
    """
    said = sockets_in(processor)
    if said is not None:
        return said
    return 1 if _ALONE.search(" ".join(without_marks(processor).split())) else None

"""The last-level caches that a processor can have, by its name.

Each row is the largest of a family, so that arrays are never taken to be in memory when they may
lie in caches. The sizes are those of the makers' specifications of the models that are named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MIB = 1 << 20
_SOCKETS = re.compile(r"\b([1248])\s*(?:x\b|-?\s*(?:sockets?|packages?)\b)", re.IGNORECASE)
_MOST_SOCKETS = 2
"""The sockets of a server whose name does not say how many it has."""


@dataclass(frozen=True)
class Family:
    """A family of processors and the last-level cache of one socket."""

    pattern: str
    mib: float
    model: str
    one_socket: bool = False


_XEON = r"Xeon.*\b(?:Platinum|Gold|Silver|Bronze) [3-9]{0}[0-9]{{2}}"
FAMILIES = (
    Family(r"EPYC[ -]7[0-9A-Z]{2}1", 64, "EPYC 7601"),
    Family(r"EPYC[ -]7[0-9A-Z]{2}2", 256, "EPYC 7742"),
    Family(r"EPYC[ -]7[0-9]{2}3X", 768, "EPYC 7773X"),
    Family(r"EPYC[ -]7[0-9A-Z]{2}3", 256, "EPYC 7763"),
    Family(r"EPYC[ -]9[0-9]{2}4X", 1152, "EPYC 9684X"),
    Family(r"EPYC[ -]97[0-9]4", 256, "EPYC 9754"),
    Family(r"EPYC[ -]9[0-9A-Z]{2}4", 384, "EPYC 9654"),
    Family(r"EPYC[ -]8[0-9A-Z]{2}4", 128, "EPYC 8534P", one_socket=True),
    Family(r"EPYC[ -]9[0-9A-Z]{2}5", 512, "EPYC 9755"),
    Family(r"Threadripper.* 7[0-9]{3}", 384, "Threadripper PRO 7995WX", one_socket=True),
    Family(r"Threadripper.* [35][0-9]{3}", 256, "Threadripper 3990X", one_socket=True),
    Family(r"Threadripper", 64, "Threadripper 2990WX", one_socket=True),
    Family(_XEON.format("1"), 38.5, "Xeon Platinum 8180"),
    Family(_XEON.format("2"), 77, "Xeon Platinum 9282"),
    Family(_XEON.format("3"), 60, "Xeon Platinum 8380"),
    Family(_XEON.format("4"), 112.5, "Xeon Platinum 8490H"),
    Family(r"Xeon.*\bMax 9[0-9]{3}", 112.5, "Xeon Max 9480"),
    Family(_XEON.format("5"), 320, "Xeon Platinum 8592+"),
    Family(r"Xeon.*\b6[0-9]{3}P", 504, "Xeon 6980P"),
    Family(r"Xeon.*\bE5-[0-9]{4}[A-Z]{0,2} v2", 30, "Xeon E5-2697 v2"),
    Family(r"Xeon.*\bE5-[0-9]{4}[A-Z]{0,2} v3", 45, "Xeon E5-2699 v3"),
    Family(r"Xeon.*\bE5-[0-9]{4}[A-Z]{0,2} v4", 55, "Xeon E5-2699 v4"),
    Family(r"Graviton ?[23]", 32, "Graviton2"),
    Family(r"Graviton ?4", 36, "Graviton4"),
    Family(r"\bAltra\b", 32, "Altra Q80-30"),
    Family(r"\bGrace\b", 114, "Grace"),
    Family(r"ThunderX2", 32, "ThunderX2 CN9980"),
)


def cache_bytes_of(processor: str) -> int | None:
    """The last-level caches that a machine with such processors can have; ``None``: not known.

    A name that says no number of sockets counts as two.
    """
    family = next((each for each in FAMILIES if re.search(each.pattern, processor, re.I)), None)
    if family is None:
        return None
    match = _SOCKETS.search(processor)
    sockets = 1 if family.one_socket else int(match[1]) if match else _MOST_SOCKETS
    return round(sockets * family.mib * _MIB)

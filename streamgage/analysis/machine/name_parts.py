"""What stands around a processor's name: how many there are, their memory, cores and clock.

People write ``2x EPYC 7763``, ``Dual Xeon Gold 6248R 12x32GB 2933`` or ``EPYC 9135*2``. The number
of processors is read from it, and what is left is the name.
"""

from __future__ import annotations

import re

_SOCKETS = re.compile(
    r"(?<![0-9.,*x\u00d7])\b(?P<before>[1248]) ?[x*\u00d7] ?(?!x\b|(?:lp)?ddr|dimms?\b|ram\b)"
    r"(?=[^\W0-9]|[0-9]{4}(?![0-9])(?! ?[MG][HTB]))"
    r"|(?<=[\w+]) ?[*\u00d7] ?(?P<times>[1248])\b(?! ?[\w*\u00d7])"
    r"|(?<=[\w+]) (?-i:x) ?(?P<after>[1248])(?= ?(?:$|[,;(]))"
    r"|\b(?P<of>[1248])(?:x(?=$|[),;])|[- ]?(?:sockets?|packages?|way)\b|(?-i:[SP])\b(?!-)"
    r"|[sp](?= (?:amd|intel|epyc|xeon)\b))"
    r"|\bdual\b(?![- ]?(?:cores?|channels?|ranks?|modes?|graphics)\b)"
    r"[- ]?(?:sockets?\b|processors?\b|cpus?\b)?",
    re.I,
)
"""Matches ``2x``, ``2 x``, ``x2`` at the end, ``*2``, ``2S``, ``2-socket`` and ``dual``."""
_ALONE = re.compile(
    r"\b(?:Core(?:\s+Ultra)?\s+(?:m?[3579]\b|[im][3579]-)|i[3579]-[0-9]{3,5}|Ryzen|Threadripper"
    r"|Athlon (?:Gold|Silver|PRO)|Pentium (?:Gold|Silver)|Celeron|Apple M[0-9]"
    r"|EPYC[ -](?:[0-9A-Z]{4}P|4[0-9]{2}4P?X?|8[0-9]{2}4P?N?)|Xeon(?: CPU)? E3-|Xeon E-2[0-9]{3}"
    r"|Xeon W-[0-9]{4})",
    re.I,
)
"""Matches processors that their makers sell for boards with one socket only."""
_MEMORY = (
    r"(?:\bwith )?\b[0-9]{1,2} ?[x*\u00d7] ?[0-9]{1,3} ?G(?:i?B)?\b(?: [0-9]{4}\b)?"
    r"|\bwith [0-9]{1,4} ?[GT]i?B\b(?: of)?(?: RAM\b)?"
    r"|\b[0-9]{1,4} ?[GT]i?B(?: of)?(?= ?(?:RAM|(?:LP)?DDR|memory)\b)"
    r"|(?:\b[0-9]{1,2} ?[x*\u00d7] ?|\b)(?:LP)?DDR[2-6]X?(?:[- ]?[0-9]{3,5}\b)?"
    r"(?: ?/ ?s(?:ocket)?\b)?"
    r"|(?:\bwith )?\b(?:[0-9]{1,2}|single|dual|quad|octa)[- ]channels?\b(?: of)?"
    r"|\b(?:OC )?[0-9]{3,5} ?(?:MHz|MT/s)|\bRAM\b|\bHBM[234]?e?\b"
)
_OTHER = r"@.*$|\b[0-9][0-9.]* ?GHz\b|\b[0-9]{1,3}[- ](?:cores?|threads?)\b(?: processors?\b)?"
_AROUND = re.compile(f"{_MEMORY}|{_OTHER}", re.I)
_OF_SYSTEM = re.compile(
    r" ?\((?:architected|raw)\)(?:, altivec supported)?|\bTo Be Filled By O\.E\.M\.|\bNone CPU\b"
    r"|\bNULL CPU\b|(?<=[\w)]) ?\u00d7 ?[0-9]{1,3}$",
    re.I,
)
"""Matches what systems write behind a name: how POWER runs, what SMBIOS lacks, GNOME's threads."""
_THREADS = re.compile(r"(?:GHz|gfx|graphics|processor|-core) ?\u00d7 ?[0-9]+\s*$", re.I)
"""Matches the number of threads, as GNOME writes it: ``Core i7-8700 CPU @ 3.20GHz \u00d7 12``."""
_BRACKETS = re.compile(r"\(([^()]*)\)")
_MARKS = re.compile(r"\((?:r|tm|c)\)|[\u00ae\u2122]", re.I)
_SIGNS = " ,;:+-/"


def without_marks(name: str) -> str:
    """The name with blanks for its trademark signs."""
    return _MARKS.sub(" ", name)


def sockets_in(name: str) -> int | None:
    """The number of processors that a name says, such as ``2x EPYC 7763``; ``None``: none."""
    found = _SOCKETS.search(name)
    if found is None or (found["times"] and _counts_threads(name)):
        return None
    return int(found["before"] or found["times"] or found["after"] or found["of"] or 2)


def _counts_threads(name: str) -> bool:
    """Whether the number behind a name is that of threads, as on a board with one socket."""
    alone = _ALONE.search(" ".join(without_marks(name).split()))
    return "\u00d7" in name and (alone is not None or _THREADS.search(name) is not None)


def sockets_by_name(processor: str) -> int | None:
    """The sockets of a machine with such processors; ``None`` if its name does not say.

    The name says ``2x``, ``2 sockets`` or ``2-socket``, or is of a processor for one socket.
    """
    said = sockets_in(processor)
    if said is not None:
        return said
    return 1 if _ALONE.search(" ".join(without_marks(processor).split())) else None


def bare_name(name: str) -> str:
    """The name without the number of processors, and without their memory, cores and clock.

    Brackets go if nothing else stands in them.
    """
    known = _OF_SYSTEM.sub(" ", without_marks(name).strip())
    plain = _AROUND.sub(" ", _SOCKETS.sub(" ", known, count=1))
    plain = _BRACKETS.sub(lambda found: found[0] if found[1].strip(_SIGNS) else " ", plain)
    return re.sub(r"\s*,(?=\s*(?:,|$))", "", " ".join(plain.split())).strip(_SIGNS)

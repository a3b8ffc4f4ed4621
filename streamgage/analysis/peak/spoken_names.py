"""What people call processors and devices: code names, cores, cloud servers, numbers alone.

``spoken.csv`` lists the names that stand for several processors, or for one with another name. A
number alone (``9654``, ``i9 14900k``) is tried with the brands that makers put before it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

from streamgage.analysis.facts_file import FactsFile
from streamgage.analysis.machine.name_parts import without_marks

_MAKERS = {
    "intel": ("Xeon", "Core", "Arc"),
    "amd": ("EPYC", "Opteron", "Ryzen", "Threadripper", "Radeon", "Instinct"),
    "nvidia": ("GeForce", "RTX", "NVIDIA"),
    "tesla": ("NVIDIA",),
    "apple": ("Apple",),
}
_BRANDED = (
    "EPYC {}",
    "Opteron {}",
    "Xeon {}",
    "Xeon Platinum {}",
    "Xeon Gold {}",
    "Xeon Silver {}",
    "Xeon Bronze {}",
    "Xeon Max {}",
    "Xeon E-{}",
    "Xeon E5-{}",
    "Xeon Phi {}",
    "Ryzen 3 {}",
    "Ryzen 5 {}",
    "Ryzen 7 {}",
    "Ryzen 9 {}",
    "Ryzen Threadripper {}",
    "Ryzen Threadripper PRO {}",
    "Core i3-{}",
    "Core i5-{}",
    "Core i7-{}",
    "Core i9-{}",
    "Core Ultra 5 {}",
    "Core Ultra 7 {}",
    "Core Ultra 9 {}",
    "Apple {}",
    "GeForce RTX {}",
    "GeForce GTX {}",
    "NVIDIA RTX {}",
    "Quadro RTX {}",
    "Radeon RX {}",
    "Intel Arc {}",
)
_BRANDS = frozenset(
    re.findall(
        "[a-z]+",
        "epyc opteron xeon platinum gold silver bronze max phi ryzen threadripper pro core ultra "
        "geforce rtx gtx quadro radeon rx arc",
    )
)
_NUMBER = re.compile(
    r"(?:(?:[iew][3579]?|d)-[0-9]{4,5}[a-z]{0,3}|[a-z]{0,4}-?[0-9]{2,5}[a-z]{0,3}[0-9]?[a-z]{0,2}\+?"
    r"|m[1-9])(?: (?:ti|super|xtx?|gre|pro|max|ultra|v[2-6]|ada|[0-9]{1,3} ?gb))*"
)
"""What makers call one model, without its brand: ``9654``, ``2680 v3``, ``4070 ti super``."""
_REST = re.compile(r" (ti|super|xtx?|ada|v[2-6])\b")
_XEON = ("Xeon",)
_GPUS = ("RTX", "GTX", "RX", "Arc")
"""What alone has such a word behind its number."""
_FILLING = frozenset(
    re.findall(
        "[a-z]+",
        "intel amd nvidia apple google microsoft azure amazon aws ibm arm fujitsu qemu processor "
        "processors cpu cpus gpu gpus the chip chips based alibaba socket tesla geforce instinct "
        "series architecture tr scalable mac macbook imac studio mini air "
        "what which is the a an of how much does do have has it peak theoretical maximum memory "
        "ram bandwidth stream benchmark results gb",
    )
)
_SHORTENED = re.compile(r"['\u2019]s\b")
"""Matches the end of ``what's``."""
_NUMBERED = re.compile(r"\b([a-z]{3,}) ?([0-9])")
_OF_CORE = re.compile(r"\b(i[3579]|w[3579]?|d|e|e[357]) (?=[0-9]{3})")
_VERSION = re.compile(r"(?<=[0-9])(?=v[2-6]$)")
_JOINED = re.compile(r"(?<=[0-9])(?=(?:ti|super|xtx?|gre)$)")
"""Matches where a blank is missing in ``1050ti``."""
_UNHYPHENED = re.compile(r"\b([wed])(?=[0-9]{4}[a-z]?$)")
"""Matches what has no hyphen in ``w3235``, which is a Xeon W-3235."""
_PLACEHOLDER = re.compile(r"\w*[0-9]xx\b")
"""Matches what hypervisors write for a model: ``E312xx``."""


class SpokenName(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``spoken.csv``."""

    spoken: str
    """A regular expression that is the whole name, in lower case, with blanks for signs."""
    members: str = ""
    """Names of the processors or devices that it may be, with semicolons between."""
    servers: str = ""
    """Words of the cloud servers that have it, if its peak is not known."""
    source: str
    read: datetime.date | None = None
    """The day on which the source was read; ``None`` if it is not recorded."""


def members_of(name: str) -> tuple[str, ...]:
    """The names of the processors or devices that ``name`` stands for; empty if it has no row.

    Raises ``DamagedTableError``.
    """
    row = _row_of(name)
    return tuple(each.strip() for each in row.members.split(";")) if row and row.members else ()


def servers_of(name: str) -> str | None:
    """The words of the cloud servers that have it, if it is known only by these.

    Raises ``DamagedTableError``.
    """
    row = _row_of(name)
    return row.servers or None if row else None


def spellings(name: str) -> Iterator[str]:
    """The name in other spellings, such as ``epyc 9654`` for ``epyc9654``.

    GTX and RTX are taken for each other: no number has both.
    """
    folded = _folded(name)
    swapped = re.sub(r"\b[gr]tx\b", lambda found: "gtx" if found[0] == "rtx" else "rtx", folded)
    for text in dict.fromkeys((folded, _NUMBERED.sub(r"\1\2", folded), swapped)):
        with_hyphens = _OF_CORE.sub(r"\1-", text)
        yield _VERSION.sub(" ", with_hyphens)


def hypervisors_name(name: str) -> str:
    """What a hypervisor's model of a processor is called, such as ``Haswell``; empty: no such one.

    QEMU writes ``Intel Core Processor (Haswell, no TSX)`` and ``Westmere E56xx/L56xx (IBRS)``.
    """
    found = re.fullmatch(r"([^()]+)\(([^(),]+)[^()]*\)", without_marks(name).strip())
    if found is None:
        return ""
    before = _PLACEHOLDER.sub("", found[1])
    if re.search("[0-9]{3}", before):
        return ""
    return found[2] if _row_of(found[2]) else before if before != found[1] else ""


def code_name_in(name: str) -> tuple[str, str] | None:
    """The code name at the start or end of a name, such as ``Skylake E3-1245 v5``, and the rest."""
    words = _folded(name).split()
    for length in (2, 1):
        for piece, rest in (
            (words[:length], words[length:]),
            (words[-length:], words[:-length]),
        ):
            if re.search("[0-9]{3}", " ".join(rest)) and _row_of(" ".join(piece)):
                return " ".join(piece), " ".join(rest)
    return None


def branded(name: str) -> list[str]:
    """The number of a model with each brand that it may have; empty if there is no number.

    A brand or maker in the name leaves only its own.
    """
    words = _folded(name).split()
    makers = [maker for maker in _MAKERS if maker in words]
    brands = [word for word in words if word in _BRANDS - {"max", "pro", "ultra"}]
    models = [word for word in words if word not in _FILLING]
    while models and models[0] in _BRANDS:
        del models[0]
    number = _VERSION.sub(" ", _OF_CORE.sub(r"\1-", " ".join(models)))
    if _NUMBER.fullmatch(number) is None:
        return []
    numbers = (number, _JOINED.sub(" ", number), _UNHYPHENED.sub(r"\1-", number))
    found = [each for text in dict.fromkeys(numbers) for each in _with_brands(text)]
    if makers:
        of = tuple(brand for maker in makers for brand in _MAKERS[maker])
        found = [each for each in found if any(brand in each for brand in of)]
    return [each for each in found if all(brand in each.lower() for brand in brands)]


def _with_brands(number: str) -> list[str]:
    """The number with each brand that has such ones."""
    if re.match("[elxw][0-9]{4}", number):  # such as E5620, from before there were Gold and others
        return [f"Xeon {number}"]
    rest = _REST.search(number)
    kinds = () if rest is None else _XEON if rest[1].startswith("v") else _GPUS
    return [
        each.format(number) for each in _BRANDED if not kinds or any(kind in each for kind in kinds)
    ]


def _row_of(name: str) -> SpokenName | None:
    words = [word for word in _folded(name).split() if word not in _FILLING]
    whole = " ".join(words)
    older = re.sub(r" v[1-9]$", "", whole)
    for text in (whole, older):
        found = (row for row in _known() if re.fullmatch(row.spoken, text))
        row = next(found, None)
        if row is not None:
            return row
    return None


def _folded(name: str) -> str:
    """The name in lower case, with blanks for signs, and before the numbers of long words."""
    plain = _SHORTENED.sub(" ", without_marks(name.casefold()))
    spaced = _NUMBERED.sub(r"\1 \2", re.sub(r"[^a-z0-9+]+", " ", plain))
    spaced = re.sub(r"\bgeneration\b", "gen", spaced)
    return " ".join(spaced.split())


@cache
def _known() -> tuple[SpokenName, ...]:
    return known_spoken_names()


def known_spoken_names() -> tuple[SpokenName, ...]:
    """Read all rows. Raises ``DamagedTableError``."""
    return _LIST.read(files("streamgage.analysis.peak") / "spoken.csv")


def _check(row: SpokenName) -> None:
    re.compile(row.spoken)
    if bool(row.members) == bool(row.servers):
        raise ValueError("it has neither members nor servers, or both")


_LIST = FactsFile(
    title="streamgage spoken names",
    called="The list of spoken names",
    newest=1,
    row=SpokenName,
    repair="install streamgage again",
    check=_check,
)

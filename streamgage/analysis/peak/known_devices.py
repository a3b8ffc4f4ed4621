"""The peak of a device's memory by its usual name, from ``devices.csv``.

The driver of a device that is here may say more (see ``of_device``); this is for any other.
"""

from __future__ import annotations

import datetime
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from streamgage.analysis.facts_file import FactsFile
from streamgage.records.quantities import Members, Rate

_ANOTHER = re.compile(
    r"\b(?:laptop|mobile|mobility|max[- ]?q|notebook|embedded|drive|passive|ceo|fhhl|cnx"
    r"|mac edition|[0-9]{4}sp|[0-9]+ ?gbps|mig|[1-7]g\.[0-9]+gb)\b",
    re.I,
)
"""Matches what makes it another device than the card of the same number.

It is that of a notebook, a car or a special edition, or a slice of the card (``MIG 1g.10gb``).
"""
_PROCESSOR = re.compile(r"\bA10-[0-9]{4}|\bA10 (?:PRO|Micro)-|\bAPU\b", re.I)
"""Matches names of processors that begin like those of devices, such as AMD's A10-7850K."""
_LINES = ("arc", "firepro", "geforce", "instinct", "quadro", "radeon", "tesla", "titan")
"""Words for lines of devices, each of one maker."""
_OF_NVIDIA = frozenset(("geforce", "quadro", "tesla", "titan"))
_KIND = re.compile(r"\bGDDR ?[0-9]X?\b|\bHBM ?[0-9]e?\b", re.I)


class KnownDevice(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``devices.csv``."""

    device: str
    """A regular expression that occurs in the device's name."""
    name: str
    memory: str
    bits: Members
    """The width of its memory."""
    gbps: Rate
    """The peak in GB/s (10^9 bytes per second)."""
    devices: Members = 1
    """As how many devices drivers show it: two dies, each with half of the memory, as two."""
    source: str
    read: datetime.date | None = None
    """The day on which the source was read; ``None`` if it is not recorded."""


def device_named(name: str, written: str | None = None) -> KnownDevice | None:
    """The row of a device; ``None`` if it is not listed. Raises ``DamagedTableError``.

    A name that says another kind of memory, or another line of devices, is of another device.
    ``written``: the whole name as somebody wrote it, if ``name`` is a spelling of it or a part.
    """
    whole = name if written is None else written
    if _ANOTHER.search(whole) or _PROCESSOR.search(whole):
        return None
    return next(
        (
            row
            for row in known_devices()
            if re.search(row.device, name, re.IGNORECASE) and _fits(row, whole)
        ),
        None,
    )


def _fits(row: KnownDevice, name: str) -> bool:
    """Whether nothing in the name contradicts the row."""
    kinds = [kind.casefold().replace(" ", "") for kind in _KIND.findall(name)]
    if kinds and row.memory.casefold() not in kinds:
        return False
    known, words = row.name.casefold(), re.findall("[a-z]+", name.casefold())
    for line in _LINES:
        if line in words and line not in known and (line in _OF_NVIDIA) != ("nvidia" in known):
            return False
    if "arc" in words and "arc" not in known:
        return False
    return not ("pro" in words and "radeon" in words and re.search(r"\bRX\b", row.name))


@cache
def known_devices() -> tuple[KnownDevice, ...]:
    """Read all known devices. Raises ``DamagedTableError``."""
    return read_devices(files("streamgage.analysis.peak") / "devices.csv")


def read_devices(file: Traversable) -> tuple[KnownDevice, ...]:
    """Read the rows of a file. Raises ``DamagedTableError``."""
    return _LIST.read(file)


def _check(row: KnownDevice) -> None:
    re.compile(row.device)


_LIST = FactsFile(
    title="streamgage devices",
    called="The list of devices",
    newest=1,
    row=KnownDevice,
    repair="install streamgage again",
    check=_check,
)

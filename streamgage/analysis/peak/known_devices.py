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

_OF_NOTEBOOKS = re.compile(r"\b(?:laptop|mobile|max[- ]?q|notebook)\b", re.I)
"""Matches what makes a device of a notebook, whose memory is not that of the card."""


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


def device_named(name: str) -> KnownDevice | None:
    """The row of a device; ``None`` if it is not listed. Raises ``DamagedTableError``."""
    if _OF_NOTEBOOKS.search(name):
        return None
    return next(
        (row for row in known_devices() if re.search(row.device, name, re.IGNORECASE)), None
    )


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

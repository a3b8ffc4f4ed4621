"""The tests of streamgage's own links: what each copies, from where to where."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """One test, in words."""

    description: str
    rows: str
    """What its rows are; the name of an axis."""
    columns: str
    copies: str
    """One of its copies, as a phrase with ``{row}`` and ``{column}``."""

    def name(self, row: str, column: str) -> str:
        """Such as ``copies from opencl:0 to pinned memory``."""
        return self.copies.format(row=row, column=column)


WAYS = {
    "to-device": Way(
        "from the host's memory to the device",
        "from memory",
        "to device",
        "copies from {row} memory to {column}",
    ),
    "from-device": Way(
        "from the device to the host's memory",
        "to memory",
        "from device",
        "copies from {column} to {row} memory",
    ),
    "both-ways": Way(
        "both ways at once, all bytes together",
        "memory",
        "device",
        "copies both ways between {row} memory and {column}",
    ),
    "device-to-device": Way(
        "from one device's memory to another's",
        "from device",
        "to device",
        "copies from {row} to {column}",
    ),
    "devices-both-ways": Way(
        "both ways at once between two devices, all bytes together; each pair once",
        "device",
        "device",
        "copies both ways between {row} and {column}",
    ),
}
"""The tests by name."""
OF_HOST = ("to-device", "from-device", "both-ways")
"""Those with the host; the engine's names have the kind of memory in front."""
BETWEEN, BOTH_BETWEEN = "device-to-device", "devices-both-ways"
"""Those between two devices."""


def name_of(test: str, row: str, column: str) -> str:
    """What a figure is of, for people; of another benchmark its test with the two places."""
    way = WAYS.get(test)
    return f"{test}, {row} and {column}" if way is None else way.name(row, column)

"""Which memory channel a slot belongs to, from the names that firmware gives to slots.

SMBIOS 3.7 (DMTF DSP0134), 7.18, has no field for the channel: locator and bank locator are free
text. Read are texts that name the channel, such as ``P0 CHANNEL A``, ``ChannelA-DIMM0``,
``P0_Node0_Channel0_Dimm0``, and slots named by channel letter and slot number, such as ``DIMM_A1``,
``CPU1_DIMM_B2``, ``P1-DIMMA1``, ``DIMM_P0_A0`` (Intel S2600CW TPS 3.3.2: "DIMM_A1 is the first slot
on Channel A"; Hitachi DS240: ``CPU0_A0``). Some makers use the same look otherwise: on a Dell
PowerEdge the letter is the processor and the number counts channels before slots (R730: channel 0
has A1, A5 and A9). There a "channel" has more slots than any real one, and is not believed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.peak.peak import NoPeak
from streamgage.records import MemoryModule

MOST_SLOTS = 3
"""Slots that a channel has at most: 3 with DDR3 and early DDR4, 2 since."""

_NAMED = re.compile(r"CHANNEL[ _-]?([A-Z]|[0-9]{1,2})(?![A-Z0-9])")
_CONTROLLER = re.compile(r"(?:NODE|CONTROLLER|MC)[ _-]?([0-9]{1,2})(?=[ _-])")
_SOCKET = re.compile(r"(?<![A-Z])(?:P|CPU|PROC|PROCESSOR|SOCKET)[ _-]?([0-9]{1,2})(?![0-9])")
_SLOT = re.compile(r"(?:DIMM[ _-]?(?:P[0-9]{1,2}[ _-])?|CPU[0-9]{1,2}[ _-])([A-Z])[ _-]?[0-9]")


@dataclass(frozen=True, order=True)
class Channel:
    """A memory channel; ``socket`` and ``controller`` are empty where the name tells neither."""

    socket: str
    controller: str
    name: str


def channel_of(module: MemoryModule) -> Channel | None:
    """The channel of a slot; null where its texts do not name one."""
    locator, bank = module.locator.upper().strip(), (module.bank or "").upper().strip()
    for text, other in ((bank, locator), (locator, bank)):
        named = _NAMED.search(text)
        if named is not None:
            return Channel(_socket(text) or _socket(other), _find(_CONTROLLER, text), named[1])
    slot = _SLOT.search(locator)
    return Channel(_socket(locator), "", slot[1]) if slot is not None else None


def channels_of(modules: Sequence[MemoryModule]) -> list[Channel] | NoPeak:
    """The channel of every slot in the order of ``modules``, or why that cannot be told."""
    channels = []
    for module in modules:
        channel = channel_of(module)
        if channel is None:
            return NoPeak(f"SMBIOS does not tell which channel {_shown(module)} is on")
        channels.append(channel)
    names = Counter((module.locator, module.bank) for module in modules)
    if max(names.values(), default=0) > 1:
        return NoPeak(f"SMBIOS gives {names.most_common(1)[0][1]} memory slots the same name")
    if len({bool(channel.socket) for channel in channels}) > 1:
        return NoPeak("SMBIOS names the processor of some memory slots only")
    channel, slots = max(Counter(channels).items(), key=lambda each: each[1], default=(None, 0))
    if channel is not None and slots > MOST_SLOTS:
        return NoPeak(
            f"SMBIOS gives {slots} memory slots the letter or number {channel.name}, more than a"
            " channel has, so that it does not name channels"
        )
    return channels


def _socket(text: str) -> str:
    return _find(_SOCKET, text)


def _find(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match is not None else ""


def _shown(module: MemoryModule) -> str:
    bank = f" ({module.bank})" if module.bank else ""
    return f"the slot {module.locator}{bank}"

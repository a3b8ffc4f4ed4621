"""The memory that a name says, such as ``Ryzen 7 5800X with DDR4-3600`` and ``(8 channels)``.

It is used where it leaves nothing open: one rate for all modules, and no more channels than the
processor has. Memory that is faster than the processor takes runs at the processor's rate, except
where users often overclock it.
"""

from __future__ import annotations

import re

import msgspec

from streamgage.analysis.machine.name_parts import sockets_in
from streamgage.analysis.peak.peak import channel_gbps

_WIDTH_BITS = 64
"""The width of a channel of modules, in bits."""
_NAMED = re.compile(
    r"\b(?:(?P<times>[0-9]{1,2}) ?[x*\u00d7] ?(?![0-9]+ ?G))?(?P<kind>(?:LP)?DDR[2-6]X?)"
    r"(?:[- ]?(?P<rate>[0-9]{3,5})\b)?"
    r"(?P<each> ?/ ?s(?:ocket)?\b| (?:a|per) (?:socket|processor))?",
    re.I,
)
_RATE = re.compile(r"\b([0-9]{4,5}) ?(?:MT/s|MHz)(?![a-z])", re.I)
_OF_MODULES = re.compile(r"\b[0-9]{1,2} ?[x*\u00d7] ?[0-9]{1,3} ?G(?:i?B)? ([0-9]{4})\b", re.I)
"""Matches the rate behind modules, such as ``12x32GB 2933``."""
_CHANNELS = re.compile(r"\b(?P<number>[0-9]{1,2}|single|dual|quad|octa)[- ]channels?\b", re.I)
_MOST_OF_DESKTOPS = 2
_WORDS = {"single": 1, "dual": 2, "quad": 4, "octa": 8}


class NamedMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What a name says of the memory of one processor."""

    kind: str | None
    """Such as ``DDR5``."""
    megatransfers: int | None
    channels: int | None


def memory_in(name: str) -> NamedMemory | None:
    """The memory that a name says; ``None`` if it says none, or two kinds or rates."""
    found = list(_NAMED.finditer(name))
    rates = {each["rate"] for each in found if each["rate"]}
    rates |= set(_OF_MODULES.findall(name))
    if found or rates:
        rates |= set(_RATE.findall(name))
    kinds = {each["kind"].upper() for each in found}
    channels = {
        _WORDS.get(each["number"].lower()) or int(each["number"])
        for each in _CHANNELS.finditer(name)
    }
    alone = (sockets_in(name) or 1) == 1
    channels |= {int(each["times"]) for each in found if each["times"] and (alone or each["each"])}
    if len(rates) > 1 or len(kinds) > 1 or len(channels) > 1 or not (rates or channels):
        return None
    return NamedMemory(
        kind=next(iter(kinds), None),
        megatransfers=int(next(iter(rates))) if rates else None,
        channels=next(iter(channels), None),
    )


def with_named_memory(
    memory: NamedMemory, *, bits: int, kind: str, megatransfers: int, overclocked: bool
) -> tuple[float, str] | None:
    """The peak in GB/s with the memory that a name says, and the memory in words.

    The other arguments are what the processor takes. ``None`` if it is the same, or if the name
    leaves open what it is.
    """
    most = bits // _WIDTH_BITS
    channels = memory.channels or most
    rate = memory.megatransfers or megatransfers
    if not 1 <= channels <= most or not _takes(memory.kind, kind, most):
        return None
    if rate > megatransfers and not overclocked:
        rate = megatransfers
    if (channels, rate) == (most, megatransfers):
        return None
    word = "channel" if channels == 1 else "channels"
    name = memory.kind or kind
    return channels * channel_gbps(rate, _WIDTH_BITS), f"{channels} {word} of {name}-{rate}"


def _takes(named: str | None, kind: str, most: int) -> bool:
    """Whether a processor takes the kind: its own, or another one if it is a desktop's.

    Those have at most two channels, and most take two kinds of modules.
    """
    if named is None or named == kind or (named == "DDR5" and kind == "MRDIMM"):
        return True
    return most <= _MOST_OF_DESKTOPS

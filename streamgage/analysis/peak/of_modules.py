"""The peak from what is plugged in: the memory modules that SMBIOS lists.

Which memory channel a slot belongs to is read from the names that firmware gives to slots.

SMBIOS 3.7 (DMTF DSP0134), 7.18, has no field for the channel: locator and bank locator are free
text. Two forms are understood: texts that name the channel, such as ``P0 CHANNEL A``,
``ChannelA-DIMM0``, ``P0_Node0_Channel0_Dimm0``, and slots named by channel letter and slot number,
such as ``DIMM_A1``, ``CPU1_DIMM_B2``, ``P1-DIMMA1``, ``DIMM_P0_A0`` (Intel S2600CW TPS 3.3.2:
"DIMM_A1 is the first slot on Channel A"; Hitachi DS240: ``CPU0_A0``). In some makers' names the
same form means something else: on a Dell PowerEdge the letter is the processor and the number
counts channels before slots (R730: channel 0 has A1, A5 and A9). There a "channel" has more slots
than any real one, and is not believed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.peak.of_model import model_of
from streamgage.analysis.peak.peak import (
    NoPeak,
    Peak,
    channel_gbps,
    no_peak,
    packages_in_use,
    words_for,
)
from streamgage.analysis.peak.reason import WhyNoPeak
from streamgage.records import MemoryModule
from streamgage.records.run import Run
from streamgage.units import count

_NOT_DRAM = {"Optane", "non-volatile"}
"""The types of modules that share a channel with a DRAM module."""

MOST_SLOTS = 3
"""The most slots of a channel: 3 with DDR3 and early DDR4, 2 since then."""
_NAMED = re.compile(r"CHANNEL[ _-]?([A-Z]|[0-9]{1,2})(?![A-Z0-9])")
_CONTROLLER = re.compile(r"(?:NODE|CONTROLLER|MC)[ _-]?([0-9]{1,2})(?=[ _-])")
_SOCKET = re.compile(r"(?<![A-Z])(?:P|CPU|PROC|PROCESSOR|SOCKET)[ _-]?([0-9]{1,2})(?![0-9])")
_SLOT = re.compile(r"(?:DIMM[ _-]?(?:P[0-9]{1,2}[ _-])?|CPU[0-9]{1,2}[ _-])([A-Z])[ _-]?[0-9]")


def peak_of_modules(run: Run) -> Peak | NoPeak:
    """Compute the peak: transfer rate x width, summed over the populated channels in use.

    A channel with two modules runs at the rate of the slower one, and gives no more than with one.
    """
    slots = slots_in_use(run)
    if isinstance(slots, NoPeak):
        return slots
    populated: dict[Channel, list[MemoryModule]] = {}
    for channel, module in slots:
        if module.bytes:
            populated.setdefault(channel, []).append(module)
    kinds: Counter[str] = Counter()
    gbps = 0.0
    for modules in populated.values():
        rates = [module.megatransfers for module in modules if module.megatransfers]
        widths = [module.width_bits for module in modules if module.width_bits]
        if len(rates) < len(modules) or len(widths) < len(modules):
            what = "transfer rate" if len(rates) < len(modules) else "width"
            return no_peak(WhyNoPeak.NO_FIGURE, lacking=what, slot=modules[0].locator)
        gbps += channel_gbps(min(rates), max(widths))
        kinds[f"{modules[0].kind or 'memory'}-{min(rates)}"] += 1
    channels = ", ".join(_channels(*each) for each in sorted(kinds.items()))
    return Peak(gbps, "smbios", channels + words_for(packages_in_use(run)))


def slots_in_use(run: Run) -> Slots | NoPeak:
    """The slots of the packages in use with their channels, or why they are unknown.

    Empty slots are included.
    """
    machine = run.machine
    if machine is None:
        return no_peak(WhyNoPeak.NO_RECORD)
    if machine.hypervisor:
        return no_peak(WhyNoPeak.OF_GUEST)
    modules = [module for module in machine.memory_modules if module.kind not in _NOT_DRAM]
    if not any(module.bytes for module in modules):
        reason = machine.memory_modules_reason
        return (
            no_peak(WhyNoPeak.UNREADABLE, said=reason) if reason else no_peak(WhyNoPeak.NO_MODULE)
        )
    if len({(module.kind or "").startswith("HBM") for module in modules if module.bytes}) > 1:
        return no_peak(WhyNoPeak.TWO_KINDS)
    channels = channels_of(modules)
    if isinstance(channels, NoPeak):
        return channels
    slots = list(zip(channels, modules, strict=True))
    return _more_than_the_model_has(run, channels) or _of_used_packages(run, slots)


def _of_used_packages(run: Run, slots: Slots) -> Slots | NoPeak:
    used = packages_in_use(run)
    if used is None:
        return slots
    sockets = sorted({channel.socket for channel, _ in slots}, key=lambda name: (len(name), name))
    if run.machine is None or len(sockets) != run.machine.packages:
        return no_peak(WhyNoPeak.NO_PACKAGE)
    names = {sockets[package] for package in used if package < len(sockets)}
    kept = [(channel, module) for channel, module in slots if channel.socket in names]
    if not any(module.bytes for _, module in kept):
        return no_peak(WhyNoPeak.NO_MODULE_IN_USE)
    return kept


def _more_than_the_model_has(run: Run, channels: Sequence[Channel]) -> NoPeak | None:
    """Check the names: there cannot be more channels than the processors have, if that is known."""
    machine = run.machine
    model = model_of(machine.processor, machine.system) if machine is not None else None
    named = len(set(channels))
    if machine is None or model is None:
        return None
    most = model.channels * max(1, machine.packages)
    if named <= most:
        return None
    return no_peak(WhyNoPeak.MANY_CHANNELS, number=named, most=most)


def _channels(kind: str, number: int) -> str:
    return f"{count(number, 'channel')} of {kind}"


@dataclass(frozen=True, order=True)
class Channel:
    """A memory channel; ``socket`` and ``controller`` are empty if the slot's name lacks them."""

    socket: str
    controller: str
    name: str


Slots = list[tuple[Channel, MemoryModule]]


def channel_of(module: MemoryModule) -> Channel | None:
    """The channel of a slot; ``None`` if its texts do not name one."""
    locator, bank = module.locator.upper().strip(), (module.bank or "").upper().strip()
    for text, other in ((bank, locator), (locator, bank)):
        named = _NAMED.search(text)
        if named is not None:
            return Channel(_socket(text) or _socket(other), _find(_CONTROLLER, text), named[1])
    slot = _SLOT.search(locator)
    return Channel(_socket(locator), "", slot[1]) if slot is not None else None


def channels_of(modules: Sequence[MemoryModule]) -> list[Channel] | NoPeak:
    """The channels of the slots in the order of ``modules``, or why they are unknown."""
    channels = []
    for module in modules:
        channel = channel_of(module)
        if channel is None:
            return no_peak(WhyNoPeak.NO_CHANNEL, slot=_shown(module))
        channels.append(channel)
    names = Counter((module.locator, module.bank) for module in modules)
    if max(names.values(), default=0) > 1:
        return no_peak(WhyNoPeak.SAME_NAMES, number=max(names.values()))
    if len({bool(channel.socket) for channel in channels}) > 1:
        return no_peak(WhyNoPeak.SOME_PACKAGES)
    channel, slots = max(Counter(channels).items(), key=lambda each: each[1], default=(None, 0))
    if channel is not None and slots > MOST_SLOTS:
        return no_peak(WhyNoPeak.MANY_SLOTS, number=slots, channel=channel.name)
    return channels


def _socket(text: str) -> str:
    return _find(_SOCKET, text)


def _find(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match is not None else ""


def _shown(module: MemoryModule) -> str:
    bank = f" ({module.bank})" if module.bank else ""
    return f"{module.locator}{bank}"


@dataclass(frozen=True)
class Population:
    """The memory channels of the packages in use.

    Channels in ``empty`` have slots but no module.
    """

    populated: int
    empty: tuple[str, ...]
    """The names of the first slot of each empty channel."""
    missing: int
    """The number of channels that the processors have, but SMBIOS does not list; 0 if the model is
    unknown."""


def population_of(run: Run) -> Population | None:
    """The populated and empty channels; ``None`` if SMBIOS does not distinguish channels."""
    slots = slots_in_use(run)
    machine = run.machine
    if isinstance(slots, NoPeak) or machine is None:
        return None
    populated = {channel for channel, module in slots if module.bytes}
    listed = sorted({channel for channel, _ in slots})
    empty = [channel for channel in listed if channel not in populated]
    model = model_of(machine.processor, machine.system)
    used = packages_in_use(run)
    packages = len(used) if used is not None else machine.packages
    missing = max(0, model.channels * packages - len(listed)) if model is not None else 0
    return Population(len(populated), tuple(_slot(slots, each) for each in empty), missing)


def _slot(slots: Slots, channel: Channel) -> str:
    return next(module.locator for each, module in slots if each == channel)

"""The peak from what is plugged in: the memory modules that SMBIOS lists.

Which memory channel a slot belongs to is read from the names that firmware gives to slots.

SMBIOS 3.7 (DMTF DSP0134), 7.18, has no field for the channel: locator and bank locator are free
text. Two forms are understood: texts that name the channel, such as ``P0 CHANNEL A``,
``ChannelA-DIMM0``, ``CPU0 CH0 D0``, ``P0_Node0_Channel0_Dimm0``, and slots named by channel and
slot number, such as ``DIMM_A1``, ``CPU1_DIMM_B2``, ``P1-DIMMA1``, ``DIMM_P0_A0``, ``CPU0_C1D0``
(Intel S2600CW TPS 3.3.2: "DIMM_A1 is the first slot on Channel A"; Hitachi DS240: ``CPU0_A0``). In
some makers' names the same form means something else: on a Dell PowerEdge the letter is the
processor and the number counts channels before slots (R730: channel 0 has A1, A5 and A9). There a
"channel" has more slots than any real one, and is not believed.

Where names are not understood, the modules still have a rate and a width. They then fill as many
channels as there are modules, but no more than the processors have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

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
from streamgage.records import Machine, MemoryModule
from streamgage.records.run import Run
from streamgage.units import count, format_bytes

_NOT_DRAM = {"Optane", "non-volatile"}
"""The types of modules that share a channel with a DRAM module."""

MOST_SLOTS = 3
"""The most slots of a channel: 3 with DDR3 and early DDR4, 2 since then."""
_SOLDERED = ("LPDDR", "HBM")
"""The beginnings of the kinds of memory that come without slots."""
_LARGEST = 512 << 30
"""The size of the largest module that is sold."""
_EQUAL = 1.1
"""The ratio of the memory of two NUMA nodes with equal modules; the kernel keeps a part of one."""
_EC2_GUEST = re.compile(r"Amazon EC2 (?!.*metal)")
"""The type of a guest, which on Arm has no other mark of its hypervisor."""
_MODULE_BITS = dict.fromkeys(("DDR", "DDR2", "DDR3", "DDR4", "DDR5"), 64)
"""The data bits of a module, for firmware that does not say them (JEDEC)."""
_WIDTHS = frozenset(1 << power for power in range(3, 11))
"""The data bits of memory that is made: from a chip's 8 to the 1,024 of a stack of HBM."""
_NAMED = re.compile(r"(?<![A-Z])CH(?:ANNEL|AN)?[ _-]?([A-Z]|[0-9]{1,2})(?![A-Z0-9])")
_CONTROLLER = re.compile(r"(?:NODE|CONTROLLER|IMC|MC)[ _-]?([0-9]{1,2})(?![0-9])")
_PLACE = re.compile(r"CH(?:ANNEL|AN)?[ _-]?[A-Z0-9]{1,2}[ _-]*(?:SLOT|DIMM)[ _-]?[0-9]", re.I)
"""Matches a text that names a channel and the slot in it, which only one module can have."""
_SOCKET = re.compile(r"(?<![A-Z])(?:P|CPU|PROC|PROCESSOR|SOCKET)[ _-]?([0-9]{1,2})(?![0-9])")
_SLOT = re.compile(
    r"CPU[0-9]{1,2}[ _-]C([0-9]{1,2})D[0-9]"
    r"|(?:DIMM[ _-]?(?:P[0-9]{1,2}[ _-])?|CPU[0-9]{1,2}[ _-])([A-Z])[ _-]?[0-9]"
)

_PARTS = (_SOCKET, _CONTROLLER)


def peak_of_modules(run: Run) -> Peak | NoPeak:
    """Compute the peak: transfer rate x width, summed over the populated channels in use.

    A channel with two modules runs at the rate of the slower one, and gives no more than with one.
    """
    machine, modules = run.machine, modules_of(run)
    if machine is None or isinstance(modules, NoPeak):
        return modules if isinstance(modules, NoPeak) else no_peak(WhyNoPeak.NO_RECORD)
    lacking = _lacking(modules)
    if lacking is not None:
        return lacking
    used = packages_in_use(run)
    rated = any(module.bytes and module.is_rated_only for module in modules)
    modules = _at_one_rate(modules)
    slots = slots_of(machine, modules)
    if not isinstance(slots, NoPeak):
        of_used = _of_packages(machine, slots, used)
        if not isinstance(of_used, NoPeak):
            parts = [_part(on_it) for on_it in _populated(of_used).values()]
            return _peak(parts, used, at_most=rated)
        if of_used.reasons[0].why is not WhyNoPeak.NO_PACKAGE:
            return of_used
        parts = [_part(on_it) for on_it in _populated(slots).values()]
        return _of_equal_packages(machine, parts, used, at_most=rated) or of_used
    parts = [_part([module]) for module in modules if module.bytes]
    return _of_equal_packages(machine, parts, used, at_most=rated) or slots


def _at_one_rate(modules: Sequence[MemoryModule]) -> list[MemoryModule]:
    """The modules, at the rate of the slowest where it is not known at which rate they run.

    The controllers of a processor have one clock, so faster modules run as the slowest.
    """
    slowest = min(module.rate or 0 for module in modules if module.bytes)
    return [
        msgspec.structs.replace(module, rated_megatransfers=slowest, megatransfers=None)
        if module.bytes and module.is_rated_only
        else module
        for module in modules
    ]


@dataclass(frozen=True, order=True)
class _Part:
    """Memory that works on its own: a channel, or a module that is taken to have one."""

    kind: str
    megatransfers: int
    bits: int

    @property
    def gbps(self) -> float:
        return channel_gbps(self.megatransfers, self.bits)


def _part(modules: Sequence[MemoryModule]) -> _Part:
    """The channel that has these modules."""
    rate = min(module.rate or 0 for module in modules)
    return _Part(modules[0].kind or "memory", rate, max(map(data_bits, modules)))


def _peak(parts: Sequence[_Part], used: frozenset[int] | None, *, at_most: bool) -> Peak:
    kinds = Counter(f"{part.kind}-{part.megatransfers}" for part in sorted(parts))
    channels = ", ".join(f"{count(number, 'channel')} of {kind}" for kind, number in kinds.items())
    detail = f"{'at most ' if at_most else ''}{channels}{words_for(used)}"
    return Peak(sum(part.gbps for part in parts), "smbios", detail, at_most)


def _of_equal_packages(
    machine: Machine, parts: Sequence[_Part], used: frozenset[int] | None, *, at_most: bool
) -> Peak | None:
    """The peak if it is unknown which channel or package each part belongs to.

    Modules are put on channels of their own first, so they fill as many as there are, up to those
    of the processors. Fewer modules, or those of an unknown processor, may share channels: then
    this is the most that they can have. ``None`` if packages in use may have more than others.
    """
    packages = max(1, machine.packages)
    if used is not None:
        if len(set(parts)) > 1 or len(parts) % packages or not _equal_nodes(machine):
            return None
        parts = parts[: len(parts) * len(used) // packages]
        packages = len(used)
    model = model_of(machine.processor, machine.system)
    plugged = sum(part.bits for part in parts)
    limit = plugged if model is None else model.bits * packages
    fitting = sorted(parts, key=lambda part: (-part.gbps, part))
    while sum(part.bits for part in fitting) > limit:
        fitting.pop()
    full = model is not None and plugged % limit == 0 and len(set(parts)) == 1
    return _peak(fitting, used, at_most=at_most or not full) if fitting else None


def _equal_nodes(machine: Machine) -> bool:
    """Return whether the NUMA nodes with CPUs have as much memory as each other, if known."""
    sizes = [node.bytes for node in machine.numa_nodes if node.cpus and node.bytes is not None]
    return not sizes or max(sizes) <= _EQUAL * min(sizes)


def _lacking(modules: Sequence[MemoryModule]) -> NoPeak | None:
    for module in modules:
        if module.bytes and not (module.rate and data_bits(module)):
            what = "width" if module.rate else "transfer rate"
            return no_peak(WhyNoPeak.NO_FIGURE, lacking=what, slot=module.locator)
    return None


def data_bits(module: MemoryModule) -> int:
    """The bits of data that a module moves at once, without those of ECC; 0 if unknown.

    Some firmware counts the bits of ECC as data: 72 for 64, or 40 for the 32 of a half of DDR5.
    What is no width, such as 65,484 bits, says nothing.
    """
    bits = module.width_bits or 0
    data = 1 << (bits.bit_length() - 1) if bits else 0
    if data in _WIDTHS and 8 * (bits - data) in (0, data, 2 * data):
        return data
    return _MODULE_BITS.get(module.kind or "", 0)


def modules_of(run: Run) -> list[MemoryModule] | NoPeak:
    """The slots for DRAM, including empty ones, or why they are unknown."""
    machine = run.machine
    if machine is None:
        return no_peak(WhyNoPeak.NO_RECORD)
    if machine.hypervisor or _EC2_GUEST.match(machine.system or ""):
        return no_peak(WhyNoPeak.OF_GUEST)
    modules = [module for module in machine.memory_modules if module.kind not in _NOT_DRAM]
    if not any(module.bytes for module in modules):
        reason = machine.memory_modules_reason
        return (
            no_peak(WhyNoPeak.UNREADABLE, said=reason) if reason else no_peak(WhyNoPeak.NO_MODULE)
        )
    if len({(module.kind or "").startswith("HBM") for module in modules if module.bytes}) > 1:
        return no_peak(WhyNoPeak.TWO_KINDS)
    unreal = next((module for module in modules if not _is_sold(module.bytes)), None)
    if unreal is not None:
        size = format_bytes(unreal.bytes)
        return no_peak(WhyNoPeak.MADE_UP_MODULES, said=size, slot=unreal.locator)
    return modules


def _is_sold(size: int) -> bool:
    """Return whether modules of this size exist: a power of two, or 1.5 times one, to 512 GiB."""
    odd = size // (size & -size) if size else 1
    return odd in (1, 3) and size <= _LARGEST


def slots_in_use(run: Run) -> Slots | NoPeak:
    """The slots of the packages in use with their channels, or why they are unknown.

    Empty slots are included, but not those of sockets without a processor.
    """
    machine, modules = run.machine, modules_of(run)
    if machine is None or isinstance(modules, NoPeak):
        return modules if isinstance(modules, NoPeak) else no_peak(WhyNoPeak.NO_RECORD)
    slots = slots_of(machine, modules)
    if isinstance(slots, NoPeak):
        return slots
    return _of_packages(machine, slots, packages_in_use(run))


def slots_of(machine: Machine, modules: Sequence[MemoryModule]) -> Slots | NoPeak:
    """The slots of all processors with their channels, or why they are unknown."""
    channels = channels_of(modules)
    if isinstance(channels, NoPeak):
        return channels
    slots = list(zip(channels, modules, strict=True))
    if len({channel.socket for channel in channels}) > max(1, machine.packages):
        filled = {channel.socket for channel, module in slots if module.bytes}
        slots = [each for each in slots if each[0].socket in filled]
    return _more_than_the_model_has(machine, slots) or slots


def _of_packages(machine: Machine, slots: Slots, used: frozenset[int] | None) -> Slots | NoPeak:
    if used is None:
        return slots
    sockets = sorted({channel.socket for channel, _ in slots}, key=lambda name: (len(name), name))
    if len(sockets) != machine.packages:
        return no_peak(WhyNoPeak.NO_PACKAGE)
    names = {sockets[package] for package in used if package < len(sockets)}
    kept = [(channel, module) for channel, module in slots if channel.socket in names]
    if not any(module.bytes for _, module in kept):
        return no_peak(WhyNoPeak.NO_MODULE_IN_USE)
    return kept


def _more_than_the_model_has(machine: Machine, slots: Slots) -> NoPeak | None:
    """Check the names: there cannot be more channels than the processors have, if that is known."""
    model = model_of(machine.processor, machine.system)
    if model is None:
        return None
    populated = _populated(slots)
    bits = sum(max(map(data_bits, on_it)) for on_it in populated.values())
    packages = max(1, machine.packages)
    if bits <= model.bits * packages:
        return None
    most = model.channels * packages
    return no_peak(WhyNoPeak.MANY_CHANNELS, number=len(populated), most=most)


def _populated(slots: Slots) -> dict[Channel, list[MemoryModule]]:
    """The modules of each channel that has one."""
    populated: dict[Channel, list[MemoryModule]] = {}
    for channel, module in slots:
        if module.bytes:
            populated.setdefault(channel, []).append(module)
    return populated


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
            return _channel(text, other, named[1])
    slot = _SLOT.search(locator)
    return _channel(locator, bank, slot[1] or slot[2]) if slot is not None else None


def _channel(text: str, other: str, name: str) -> Channel:
    socket, controller = (_find(part, text) or _find(part, other) for part in _PARTS)
    return Channel(socket, controller, name)


def channels_of(modules: Sequence[MemoryModule]) -> list[Channel] | NoPeak:
    """The channels of the slots in the order of ``modules``, or why they are unknown."""
    channels = []
    for module in modules:
        channel = channel_of(module)
        if channel is None:
            return no_peak(WhyNoPeak.NO_CHANNEL, slot=_shown(module))
        channels.append(channel)
    names = Counter((module.locator, module.bank) for module in modules)
    places = Counter(module.bank for module in modules if _PLACE.search(module.bank or ""))
    same = max(*names.values(), *places.values(), 0)
    if same > 1:
        return no_peak(WhyNoPeak.SAME_NAMES, number=same)
    if len({bool(channel.socket) for channel in channels}) > 1:
        return no_peak(WhyNoPeak.SOME_PACKAGES)
    channel, slots = max(Counter(channels).items(), key=lambda each: each[1], default=(None, 0))
    if channel is not None and slots > MOST_SLOTS:
        return no_peak(WhyNoPeak.MANY_SLOTS, number=slots, channel=channel.name)
    return channels


def _find(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match is not None else ""


def _shown(module: MemoryModule) -> str:
    bank = f" ({module.bank})" if module.bank else ""
    return f"{module.locator}{bank}"


def is_soldered(run: Run) -> bool:
    """Return whether the memory is known to be soldered, so that no module can be missing."""
    machine, modules = run.machine, modules_of(run)
    if machine is None:
        return False
    model = model_of(machine.processor, machine.system)
    kinds = {model.kind} if model is not None else set()
    if not isinstance(modules, NoPeak):
        kinds = {module.kind or "" for module in modules if module.bytes}
    return bool(kinds) and all(kind.startswith(_SOLDERED) for kind in kinds)


def modules_share_channels(run: Run) -> bool:
    """Return whether a channel is known to have more than one module."""
    slots = slots_in_use(run)
    if not isinstance(slots, NoPeak):
        return any(len(on_it) > 1 for on_it in _populated(slots).values())
    machine, modules = run.machine, modules_of(run)
    if machine is None or isinstance(modules, NoPeak):
        return False
    model = model_of(machine.processor, machine.system)
    bits = sum(data_bits(module) for module in modules if module.bytes)
    return model is not None and bits > model.bits * max(1, machine.packages)


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
    populated = _populated(slots)
    listed = sorted({channel for channel, _ in slots})
    empty = [channel for channel in listed if channel not in populated]
    model = model_of(machine.processor, machine.system)
    used = packages_in_use(run)
    packages = len(used) if used is not None else machine.packages
    missing = 0
    if model is not None:
        bits = max(data_bits(module) for on_it in populated.values() for module in on_it)
        listed_bits = len(listed) * (bits or model.width_bits)
        missing = max(0, model.bits * packages - listed_bits) // model.width_bits
    return Population(len(populated), tuple(_slot(slots, each) for each in empty), missing)


def _slot(slots: Slots, channel: Channel) -> str:
    return next(module.locator for each, module in slots if each == channel)

"""The peak from what is plugged in: the memory modules that SMBIOS lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from streamgage.analysis.peak.channels import Channel, channels_of
from streamgage.analysis.peak.packages import packages_in_use, words_for
from streamgage.analysis.peak.peak import NoPeak, Peak, channel_gbps
from streamgage.analysis.peak.processor_models import model_of
from streamgage.records import MemoryModule
from streamgage.records.run import Run
from streamgage.units import count

_NOT_DRAM = {"Optane", "non-volatile"}
"""They share a channel with the DRAM module that caches or accompanies them."""

Slots = list[tuple[Channel, MemoryModule]]


def peak_of_modules(run: Run) -> Peak | NoPeak:
    """Sum over populated channels of transfer rate x width, of the packages in use.

    A channel with two modules runs at the slower one's rate, and gives no more than with one.
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
            return NoPeak(f"SMBIOS does not tell the {what} of the module in {modules[0].locator}")
        gbps += channel_gbps(min(rates), max(widths))
        kinds[f"{modules[0].kind or 'memory'}-{min(rates)}"] += 1
    channels = ", ".join(_channels(*each) for each in sorted(kinds.items()))
    return Peak(gbps, "smbios", channels + words_for(packages_in_use(run)))


def slots_in_use(run: Run) -> Slots | NoPeak:
    """Every slot of the packages in use with its channel, the empty ones too, or why not."""
    machine = run.machine
    if machine is None:
        return NoPeak("there is no record of the machine")
    if machine.hypervisor:
        return NoPeak("the memory modules that a guest sees are made up")
    modules = [module for module in machine.memory_modules if module.kind not in _NOT_DRAM]
    if not any(module.bytes for module in modules):
        return NoPeak(machine.memory_modules_reason or "SMBIOS lists no memory module")
    if len({(module.kind or "").startswith("HBM") for module in modules if module.bytes}) > 1:
        return NoPeak("there are two kinds of memory, and it is not known which is in use")
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
        return NoPeak("SMBIOS does not tell which package each memory slot belongs to")
    names = {sockets[package] for package in used if package < len(sockets)}
    kept = [(channel, module) for channel, module in slots if channel.socket in names]
    if not any(module.bytes for _, module in kept):
        return NoPeak("SMBIOS lists no memory module of the package in use")
    return kept


def _more_than_the_model_has(run: Run, channels: Sequence[Channel]) -> NoPeak | None:
    """A check of the names: no more channels than the processors have, where that is known."""
    machine = run.machine
    model = model_of(machine.processor, machine.system) if machine is not None else None
    named = len(set(channels))
    if machine is None or model is None:
        return None
    most = model.channels * max(1, machine.packages)
    if named <= most:
        return None
    return NoPeak(f"SMBIOS names {count(named, 'memory channel')} where the processors have {most}")


def _channels(kind: str, number: int) -> str:
    return f"{count(number, 'channel')} of {kind}"

"""Memory channels without a module, from the slots that SMBIOS lists and the processor's model."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.peak.channels import Channel
from streamgage.analysis.peak.of_modules import Slots, slots_in_use
from streamgage.analysis.peak.packages import packages_in_use
from streamgage.analysis.peak.peak import NoPeak
from streamgage.analysis.peak.processor_models import model_of
from streamgage.records.run import Run


@dataclass(frozen=True)
class Population:
    """Channels of the packages in use; ``empty`` have slots and no module in any of them."""

    populated: int
    empty: tuple[str, ...]
    """Locators of the first slot of each empty channel."""
    missing: int
    """Channels that the processors have more than SMBIOS lists, 0 where the model is not known."""


def population_of(run: Run) -> Population | None:
    """Populated and empty channels; null where SMBIOS does not tell channels apart."""
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

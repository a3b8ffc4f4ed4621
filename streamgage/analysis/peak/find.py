"""Finds the theoretical peak: what the user gave comes first, then SMBIOS, then the model.

Of a device it is what was given, then what its driver says, then what is listed by its name.
"""

from __future__ import annotations

from streamgage.analysis.peak.of_device import peak_of_device
from streamgage.analysis.peak.of_model import peak_of_model
from streamgage.analysis.peak.of_modules import peak_of_modules
from streamgage.analysis.peak.peak import NoPeak, Peak, no_peak
from streamgage.analysis.peak.reason import WhyNoPeak
from streamgage.analysis.user_facts import UserFacts
from streamgage.records.run import Run


def find_peak(run: Run, user_facts: UserFacts) -> Peak | None:
    """The peak of the memory of the packages in use, in GB/s; ``None`` if no source gives it."""
    found = look_for_peak(run, user_facts)
    return found if isinstance(found, Peak) else None


def _part_of_the_memory(run: Run) -> list[int] | None:
    """The nodes that memory was bound to, if other nodes have memory as well; else ``None``."""
    bound = run.memory.nodes if run.memory is not None else None
    if bound is None or run.machine is None:
        return None
    there = {node.node for node in run.machine.numa_nodes if node.bytes != 0}
    return bound if there - set(bound) else None


def _elsewhere(run: Run) -> NoPeak | None:
    """Why the peak of the machine's memory is not that of the memory in use; ``None`` if it is."""
    if run.placement is not None and len(run.placement.hosts) > 1:
        return no_peak(WhyNoPeak.SEVERAL_HOSTS)
    part = _part_of_the_memory(run)
    return None if part is None else no_peak(WhyNoPeak.BOUND_MEMORY, nodes=part)


def look_for_peak(run: Run, user_facts: UserFacts) -> Peak | NoPeak:
    """Find the peak, or the reason why it is unknown.

    The modules in SMBIOS come before the model, because they are what is plugged in.
    """
    if user_facts.peak_gbps is not None:
        return Peak(user_facts.peak_gbps, "given", "--peak")
    if run.device is not None:
        return peak_of_device(run.device)
    elsewhere = _elsewhere(run)
    if elsewhere is not None:
        return elsewhere
    modules = peak_of_modules(run)
    if isinstance(modules, Peak):
        return modules
    model = peak_of_model(run)
    if isinstance(model, Peak):
        return model
    return NoPeak((*modules.reasons, *model.reasons))

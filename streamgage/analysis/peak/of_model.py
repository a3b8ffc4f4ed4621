"""The peak that the processor's model can have, from the table of models."""

from __future__ import annotations

import re

from streamgage.analysis.peak.packages import packages_in_use, words_for
from streamgage.analysis.peak.peak import NoPeak, Peak, channel_gbps
from streamgage.analysis.peak.processor_models import model_of
from streamgage.records import Machine
from streamgage.records.run import Run

_SOCKETS = re.compile(r"\b([1248])\s*(?:x\b|-?\s*(?:sockets?|packages?)\b)", re.IGNORECASE)


def peak_of_model(run: Run) -> Peak | NoPeak:
    """Channels x rate x width of the model x packages in use.

    It is the most that the model takes: with slower memory, or with fewer channels populated, the
    true peak is lower. A guest shares the memory of its whole socket with others.
    """
    machine = run.machine
    processor = machine.processor if machine is not None else _reported(run)
    if processor is None:
        return NoPeak("the processor's model is not known (--peak tells it)")
    model = model_of(processor, machine.system if machine is not None else None)
    if model is None:
        return NoPeak(f"{processor} is not in the table of processor models (--peak tells it)")
    packages = _packages(run, machine) if machine is not None else _sockets_in(processor)
    if isinstance(packages, NoPeak):
        return packages
    total = model.channels * packages
    detail = f"at most {total} {model.channel_word}s of {model.memory}"
    if machine is not None and machine.hypervisor:
        whole = "the whole socket" if packages == 1 else f"{packages} whole sockets"
        detail += f" of {whole}, which a guest shares"
    elif machine is not None:
        detail += words_for(packages_in_use(run))
    gbps = total * channel_gbps(model.megatransfers, model.width_bits)
    return Peak(gbps, "model", detail)


def _reported(run: Run) -> str | None:
    return run.reported.processor if run.reported is not None else None


def _packages(run: Run, machine: Machine) -> int | NoPeak:
    """Packages in use; what a guest says of packages is believed only where nodes confirm it."""
    nodes = sum(bool(node.cpus) for node in machine.numa_nodes)
    if machine.hypervisor and machine.packages > max(1, nodes):
        return NoPeak(
            f"this guest shows {machine.packages} packages and {nodes} NUMA nodes, so that its"
            " packages are made up (--peak tells the peak)"
        )
    used = packages_in_use(run)
    return len(used) if used is not None else max(1, machine.packages)


def _sockets_in(processor: str) -> int | NoPeak:
    """``2x``, ``2 sockets`` or ``2-socket`` in the name of a processor."""
    match = _SOCKETS.search(processor)
    if match is not None:
        return int(match[1])
    return NoPeak("it is not known how many processors there were (--peak tells the peak)")

"""The peak that the processor's model can have, from the table of models.

The table has the memory channels and the fastest memory of models, each with its source.

A row of ``models.csv`` holds for a family. Where slower models of a family take slower memory, the
row is that of the fastest, so that no peak is too low; ``processors.csv`` has those that are known
to be slower. The tables leave out processors whose name does not identify their memory, or that
have two kinds of it (Xeon Max). For those there are SMBIOS and ``--peak``.
"""

from __future__ import annotations

import datetime
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from streamgage.analysis.facts_file import DamagedTableError, FactsFile
from streamgage.analysis.machine.name_parts import sockets_by_name
from streamgage.analysis.peak.known_devices import device_named
from streamgage.analysis.peak.of_family import socket_of_family
from streamgage.analysis.peak.of_number import NumberedProcessors, row_of_number
from streamgage.analysis.peak.peak import (
    NoPeak,
    Peak,
    channel_gbps,
    no_peak,
    packages_in_use,
    words_for,
)
from streamgage.analysis.peak.reason import WhyNoPeak
from streamgage.records import Machine
from streamgage.records.quantities import Members
from streamgage.records.run import Run
from streamgage.units import count


def peak_of_model(run: Run) -> Peak | NoPeak:
    """Compute the peak: channels x rate x width of the model x packages in use.

    This is the most that the model takes. With slower memory, or with empty channels, the true peak
    is lower. A guest shares the memory of its whole socket with others.
    """
    machine = run.machine
    processor = machine.processor if machine is not None else _reported(run)
    if processor is None:
        return no_peak(WhyNoPeak.NO_PROCESSOR)
    device = device_named(processor) if machine is None else None
    if device is not None and "Xeon" not in device.name:
        return Peak(device.gbps, "model", f"{device.bits} bits of {device.memory}")
    model = model_of(processor, machine.system if machine is not None else None)
    if model is None:
        return _unlisted(processor, machine)
    if model.overclocked:
        return no_peak(
            WhyNoPeak.OVERCLOCKED, processor=processor, said=f"{model.gbps:.1f} GB/s ({model.most})"
        )
    if machine is not None:
        packages = _packages(run, machine)
    else:
        packages = sockets_by_name(processor) or no_peak(WhyNoPeak.NO_NUMBER)
    if isinstance(packages, NoPeak):
        return packages
    total = model.channels * packages
    detail = f"at most {count(total, model.channel_word)} of {model.memory}"
    if machine is not None and machine.hypervisor:
        whole = "the whole socket" if packages == 1 else f"{packages} whole sockets"
        detail += f" of {whole}, which a guest shares"
    elif machine is not None:
        detail += words_for(packages_in_use(run))
    return Peak(packages * model.gbps, "model", detail, at_most=True)


def _unlisted(processor: str, machine: Machine | None) -> NoPeak:
    """Why there is no peak, with what a socket has at most if the family is known."""
    shared = machine is not None and bool(machine.hypervisor)
    try:
        known_models()
        socket = socket_of_family(machine.processor_id if machine else None, shared=shared)
    except DamagedTableError as error:
        return no_peak(WhyNoPeak.DAMAGED_TABLE, said=str(error))
    if socket is None:
        return no_peak(WhyNoPeak.NOT_LISTED, processor=processor)
    return no_peak(WhyNoPeak.FAMILY_LISTED, processor=processor, socket=socket)


def _reported(run: Run) -> str | None:
    return run.reported.processor if run.reported is not None else None


def _packages(run: Run, machine: Machine) -> int | NoPeak:
    """The number of packages in use.

    A guest's packages are only believed if its NUMA nodes confirm them.
    """
    nodes = sum(bool(node.cpus) for node in machine.numa_nodes)
    if machine.hypervisor and machine.packages > max(1, nodes):
        return no_peak(WhyNoPeak.MADE_UP_PACKAGES, number=machine.packages, most=nodes)
    used = packages_in_use(run)
    return len(used) if used is not None else max(1, machine.packages)


class ProcessorModel(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``models.csv``: the fastest memory that processors of a family take."""

    name: str
    """The name of the family, such as ``EPYC 9004 (Genoa)``, or of a single processor."""
    family: str = ""
    """The name of the family that a single processor belongs to."""
    processor: str = ""
    """A regular expression that occurs in the processor's name; empty for a single processor."""
    core: str = ""
    """A regular expression for the core, which other processors have, too."""
    system: str = ""
    """A regular expression for the maker and model of the computer, which such a core needs."""
    channels: Members
    """The number of memory channels of one package."""
    kind: str
    megatransfers: Members
    """10^6 transfers per second."""
    width_bits: Members = 64
    """The bits of a channel."""
    channel_word: str = "channel"
    overclocked: bool = False
    """``True`` if users often run its memory faster than its maker says."""
    source: str
    read: datetime.date | None = None
    """The day on which the source was read; ``None`` if it is not recorded."""

    @property
    def memory(self) -> str:
        """The kind and rate of the memory, such as ``DDR4-2666``."""
        return f"{self.kind}-{self.megatransfers}"

    @property
    def most(self) -> str:
        """What a package takes, such as ``12 channels of DDR5-4800``."""
        return f"{count(self.channels, self.channel_word)} of {self.memory}"

    @property
    def bits(self) -> int:
        """The width of all channels of one package."""
        return self.channels * self.width_bits

    @property
    def gbps(self) -> float:
        """The peak of one package with this memory, in GB/s."""
        return self.channels * channel_gbps(self.megatransfers, self.width_bits)


@cache
def known_models() -> tuple[ProcessorModel, ...]:
    """Read all known models. Raises ``DamagedTableError``."""
    return read_models(files("streamgage.analysis.peak") / "models.csv")


def read_models(file: Traversable) -> tuple[ProcessorModel, ...]:
    """Read the rows of a file. Raises ``DamagedTableError``."""
    return _LIST.read(file)


def model_of(processor: str | None, system: str | None) -> ProcessorModel | None:
    """The row of a processor, by its name and, if needed, the computer's.

    ``None`` if it is not listed, or the list is damaged. ``processor`` is the model name in
    ``/proc/cpuinfo``, or what another benchmark reports.
    """
    if processor is None:
        return None
    try:
        models = known_models()
    except DamagedTableError:  # ``peak_of_model`` reports it
        return None
    name = re.sub(r"\((?:R|TM|C)\)", "", processor, flags=re.IGNORECASE)
    family = next((model for model in models if _is(model, name, system or "")), None)
    found = row_of_number(name)
    return family if found is None else _single(*found, family)


def _single(name: str, row: NumberedProcessors, family: ProcessorModel | None) -> ProcessorModel:
    """A processor that has a row of its own, which belongs to that family if it is known."""
    return ProcessorModel(
        name=name,
        family=name if family is None else family.name,
        channels=row.channels,
        kind=row.kind,
        megatransfers=row.megatransfers,
        overclocked=row.overclocked,
        source=row.source,
        read=row.read,
    )


def _is(model: ProcessorModel, name: str, system: str) -> bool:
    if re.search(model.processor, name, re.IGNORECASE):
        return True
    core = model.core and re.search(model.core, name, re.IGNORECASE)
    return bool(core and re.search(model.system, f"{system} {name}"))


def _check(model: ProcessorModel) -> None:
    for pattern in (model.processor, model.core, model.system):
        re.compile(pattern)
    if bool(model.core) != bool(model.system):
        raise ValueError("its core needs the maker of the computer, or the reverse")
    if not model.processor or not model.source:
        raise ValueError("it has no name or no source")


_LIST = FactsFile(
    title="streamgage processor models",
    called="The list of processor models",
    newest=1,
    row=ProcessorModel,
    repair="install streamgage again",
    check=_check,
)

"""Recognises the cloud that a machine belongs to, by its records alone; no service is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.cloud.servers import ServerType
from streamgage.analysis.cloud.shared_traits import SharedTraits
from streamgage.analysis.expected.doubt import Doubt
from streamgage.analysis.expected.hardware import is_masked
from streamgage.analysis.expected.table import plain_name
from streamgage.analysis.peak.of_family import generation_named, generation_of
from streamgage.records import Machine

_VENDORS = (
    ("aws", r"Amazon EC2 "),
    ("gcp", r"Google Google Compute Engine"),
    ("alicloud", r"Alibaba Cloud "),
    ("vultr", r"Vultr "),
    ("hcloud", r"Hetzner vServer"),
    ("upcloud", r"UpCloud "),
)
"""The clouds by the beginnings of the computer's maker and model in SMBIOS (dmidecode of these
servers in SpareCores/sc-inspector-data). Azure looks like any Hyper-V, and OVH like any
OpenStack."""
_CORE_ONLY = "aarch64"
"""The architecture whose processors are known by their cores, which several makers sell."""


@dataclass(frozen=True)
class Guest:
    """The facts by which a guest can be compared with server types."""

    vendor: str | None
    itself: ServerType | None
    """The guest's own server type, if the model of the computer names one."""
    processor: str
    """The processor's name in a comparable form."""
    masked: bool
    """``True`` if the processor's name does not say which model it is."""
    generation: str | None
    """The generation by family and model, if the name is masked."""
    architecture: str | None
    cpus: int


def guest_of(machine: Machine, servers: Sequence[ServerType]) -> Guest:
    """The facts about a machine, for a comparison with ``servers``."""
    vendor = next((name for name, start in _VENDORS if _starts(machine.system, start)), None)
    model = (machine.system or "").rpartition(" ")[2]
    of_type = (each for each in servers if (each.vendor, each.server) == (vendor, model))
    processor = machine.processor or ""
    masked = is_masked(processor) and machine.architecture != _CORE_ONLY
    return Guest(
        vendor=vendor,
        itself=next(of_type, None),
        processor=comparable(processor),
        masked=masked,
        generation=generation_of(machine.processor_id) if masked else None,
        architecture=machine.architecture,
        cpus=machine.hardware_threads,
    )


def _starts(system: str | None, start: str) -> bool:
    return system is not None and re.match(start, system) is not None


def comparable(processor: str) -> str:
    """A processor's name without trademark signs, makers, clocks and numbers of cores."""
    name = re.sub(r"[\s-]+", " ", plain_name(processor)).strip().casefold()
    name = re.sub(r"^arm ", "", name)
    if not is_masked(processor):  # a masked name has nothing but the clock
        name = re.sub(r"( cpu)?( @ [0-9.]+ ?ghz)?$", "", name)
    return re.sub(r"( [0-9]+ core)? processor$", "", name)


@dataclass(frozen=True)
class Likeness:
    """The server types that are like a machine."""

    shared: SharedTraits
    servers: Sequence[ServerType]
    doubts: tuple[Doubt, ...] = ()
    """Reasons why the servers may have different hardware than the machine."""


def like(guest: Guest, servers: Sequence[ServerType]) -> Likeness | None:
    """The server types that are most like a guest; ``None`` if there are none.

    They have the same processor and number of CPUs, and are in the same cloud if it is known and
    has any. If the processor's name is masked, they have its generation, with a doubt.
    """
    sized = [each for each in servers if each.cpus == guest.cpus]
    same = [each for each in sized if comparable(each.processor) == guest.processor]
    generation = None
    doubts: tuple[Doubt, ...] = (Doubt.MASKED,) if guest.masked else ()
    if not same and guest.generation is not None:
        same = [each for each in sized if _generation(each) == guest.generation]
        generation = guest.generation
    here = [each for each in same if each.vendor == guest.vendor]
    if not same:
        return None
    shared = SharedTraits(cpus=guest.cpus, generation=generation, same_cloud=bool(here))
    if not here and guest.architecture == _CORE_ONLY:
        doubts += (Doubt.SEVERAL_MAKERS,)
    return Likeness(shared, here or same, doubts)


def _generation(server: ServerType) -> str | None:
    return generation_named(plain_name(server.processor))

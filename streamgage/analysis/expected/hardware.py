"""The facts about the hardware in use by which published values are looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from streamgage.analysis.peak.of_family import generation_of
from streamgage.analysis.peak.peak import packages_in_use
from streamgage.analysis.thread_places import places_of
from streamgage.cpu_list import list_cpus
from streamgage.records import Machine

if TYPE_CHECKING:  # a list of results does not need it
    from streamgage.records.run import Run

_MODEL = re.compile(r"\b(?:E[357]-)?[0-9][0-9A-Z]{3,}\b", re.IGNORECASE)
"""The part of a processor's name that names the model: 7742, 9V33X, 8375C, E5-2660."""


@dataclass(frozen=True, kw_only=True)
class Hardware:
    """The processors and the memory that a run used; ``None`` stands for an unknown fact."""

    processor: str | None
    """The processor's name as the system gives it."""
    guest: bool
    """``True`` if the system is a guest of a hypervisor."""
    packages: int | None
    """The number of processors in use."""
    cores: int | None
    """The number of their cores."""
    every_core: bool
    """``True`` if each of those cores had a thread. Published figures are for whole processors, so
    other runs are not compared with them."""
    memory_bytes: int | None = None
    """The size of the memory of the NUMA domains of those processors."""
    memory_kind: str | None = None
    """The kind of memory, such as DDR5, by SMBIOS."""
    system: str | None = None
    """The maker and model of the computer."""
    generation: str | None = None
    """The generation by family and model, for an x86 processor whose name is masked."""


def hardware_of(run: Run) -> Hardware | None:
    """The hardware of a run.

    ``None`` if it is unknown, or if nothing is published for such hardware.
    """
    machine, placement = run.machine, run.placement
    if machine is None or placement is None or machine.described_by is not None:
        return None
    if len(placement.hosts) > 1 or (run.memory is not None and run.memory.nodes is not None):
        return None
    used = packages_in_use(run)
    places = places_of(run)
    threads = placement_threads(run)
    return _hardware(machine, used, threads if places is None else places.cores)


def hardware_of_node(machine: Machine, threads: int) -> Hardware | None:
    """The hardware of a whole node with ``threads`` threads, each on a core of its own.

    ``None`` if it is unknown.
    """
    return None if machine.described_by is not None else _hardware(machine, None, threads)


def _hardware(machine: Machine, used: frozenset[int] | None, threads: int) -> Hardware:
    """The hardware of the packages ``used``, whose cores run ``threads`` threads.

    ``used``: ``None`` means all packages.
    """
    packages, cores = _size(machine, used)
    quota = machine.cpu_quota is not None and machine.cpu_quota < (cores or 1)
    kinds = {module.kind for module in machine.memory_modules if module.bytes and module.kind}
    guest = machine.hypervisor is not None
    return Hardware(
        processor=machine.processor,
        guest=guest,
        packages=packages,
        cores=cores,
        every_core=cores is not None and threads >= cores and not quota,
        memory_bytes=_memory_of(machine, used),
        memory_kind=next(iter(kinds)) if len(kinds) == 1 and not guest else None,
        system=machine.system,
        generation=generation_of(machine.processor_id)
        if guest and is_masked(machine.processor)
        else None,
    )


def placement_threads(run: Run) -> int:
    """The number of threads of the run; 0 if it is unknown."""
    return len(run.placement.threads) if run.placement is not None else 0


def is_masked(processor: str | None) -> bool:
    """Return whether a processor's name lacks the model, as hypervisors often arrange.

    A clock frequency in the name does not count as a model.
    """
    return processor is None or _MODEL.search(re.sub(r"@ [0-9.]+", "", processor)) is None


def _size(machine: Machine, used: frozenset[int] | None) -> tuple[int | None, int | None]:
    """The numbers of packages and cores in use.

    A guest's packages are only believed if its NUMA nodes confirm them.
    """
    nodes = sum(bool(node.cpus) for node in machine.numa_nodes)
    if used is not None:
        cores = {each.core for each in machine.threads if each.package in used}
        return len(used), len(cores) or None
    made_up = machine.hypervisor is not None and machine.packages > max(1, nodes)
    return (None if made_up else machine.packages), machine.cores


def _memory_of(machine: Machine, used: frozenset[int] | None) -> int | None:
    """The bytes of the NUMA nodes with CPUs of these packages.

    Nodes without CPUs are left out, because they may be the memory of a GPU.
    """
    cpus = {each.cpu for each in machine.threads if used is None or each.package in used}
    sizes = [
        node.bytes
        for node in machine.numa_nodes
        if node.cpus and (not cpus or cpus.intersection(list_cpus(node.cpus)))
    ]
    known = [size for size in sizes if size is not None]
    return sum(known) if known and len(known) == len(sizes) else None

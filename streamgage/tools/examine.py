"""Each NUMA domain and each core of a node by itself, the latency of memory, and the doctor."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streamgage.cpu_list import list_cpus
from streamgage.errors import StreamgageError
from streamgage.process.engine import ask
from streamgage.process.node_check import NotMeasuredError, measure_node
from streamgage.records import IdleLatency, Machine
from streamgage.records.reader import Note
from streamgage.tools.doctor.collect import examine_environment
from streamgage.units import count

_DOMAIN_SECONDS = 2.0
_CORE_SECONDS = 0.5
_SECONDS_FOR_CORES = 60.0
"""Where that is not enough for all cores, some of them are measured, evenly spread."""
_MOST_SECONDS_OF_LATENCY = 60.0


@dataclass
class Examined:
    """What an examination found; rates are GB/s of triad."""

    domains: dict[str, float] = field(default_factory=dict)
    """By name. Of what something disturbed there is no figure."""
    cores: dict[str, float] = field(default_factory=dict)
    latency_seconds: float | None = None
    spoiling: list[str] = field(default_factory=list)
    """What the doctor saw that spoils measurements."""


def examine(engine: Path, machine: Machine, note: Note) -> Examined:
    """Measure all of it; ``note`` gets a sentence for each part that is left out."""
    found = Examined()
    domains = _domains(machine)
    if len(domains) > 1:
        found.domains = _measured(engine, domains, _DOMAIN_SECONDS, note)
    cores = {f"core {core}": [cpu] for core, cpu in _cores(machine).items()}
    found.cores = _measured(engine, cores, _CORE_SECONDS, note)
    try:
        found.latency_seconds = ask(
            engine,
            ["--latency", "--no-wait"],
            IdleLatency,
            most_seconds=_MOST_SECONDS_OF_LATENCY,
        ).seconds
    except StreamgageError as error:
        note(f"The latency of memory was not measured: {error}")
    try:
        checks = examine_environment().checks
        found.spoiling = [each.seen for each in checks if each.state == "spoils"]
    except StreamgageError as error:
        note(f"The doctor did not look: {error}")
    return found


def _measured(
    engine: Path, parts: Mapping[str, Sequence[int]], seconds: float, note: Note
) -> dict[str, float]:
    """Triad on the CPUs of each part, in an order that leaves an even choice where time ends."""
    begun = time.monotonic()
    found: dict[str, float] = {}
    disturbed = 0
    for name in _spread(list(parts)):
        if time.monotonic() - begun > _SECONDS_FOR_CORES:
            note(f"{count(len(found), 'part')} of {len(parts)} were measured by themselves.")
            break
        cpus = ",".join(map(str, parts[name]))
        try:
            line = measure_node(
                engine,
                [
                    *("--cpus", cpus, "--seconds", str(seconds)),
                    *("--kernels", "triad", "--stores", "plain"),
                ],
            )
        except NotMeasuredError as error:
            note(f"{name} was not measured by itself: {error}")
            continue
        if line.disturbance is not None or not line.figures:
            disturbed += 1
            continue
        found[name] = line.figures[0].gbps
    if disturbed:
        note(
            f"Something disturbed {count(disturbed, 'part')} of {len(parts)}: no figures of those."
        )
    return {name: found[name] for name in parts if name in found}


def _spread(names: Sequence[str]) -> Iterator[str]:
    """All of them: every 8th, then those between."""
    for first in (0, 4, 2, 6, 1, 5, 3, 7):
        yield from names[first::8]


def _domains(machine: Machine) -> dict[str, list[int]]:
    """The CPUs of each NUMA domain, one for each core."""
    cores = _cores(machine)
    found = {}
    for node in machine.numa_nodes:
        cpus = set(list_cpus(node.cpus)) if node.cpus else set()
        own = [cpu for cpu in cores.values() if cpu in cpus]
        if own:
            found[f"NUMA domain {node.node}"] = own
    return found


def _cores(machine: Machine) -> dict[int, int]:
    """The first CPU of each core that this process may use, by the number of the core."""
    allowed = set(list_cpus(machine.allowed_cpus))
    first: dict[int, int] = {}
    for each in machine.threads:
        if each.cpu in allowed:
            first[each.core] = min(each.cpu, first.get(each.core, each.cpu))
    return dict(sorted(first.items()))

"""Lines of nodes sorted by node: what answered, how often, and what stayed silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from streamgage.analysis.outside import taken_by_others
from streamgage.analysis.statistics.intervals import median, median_bounds
from streamgage.records import MemoryModule
from streamgage.records.node import (
    FleetLine,
    FleetRun,
    NodeFigure,
    NodeLine,
    RecordedRun,
    SilentNode,
)
from streamgage.records.run import Run, collect
from streamgage.units import format_bytes

INVALID = "invalid"
"""The warning of a run that computed wrong results."""
_MOST_SAMPLES = 64
_PLAIN = "plain"


@dataclass
class Gathered:
    """The lines that came back."""

    units: dict[str, list[NodeLine]] = field(default_factory=dict)
    """The runs of each unit, by its name, in the order in which they were made."""
    silent: dict[str, SilentNode] = field(default_factory=dict)
    """Nodes without a result: those that answered are not in it."""
    run: FleetRun | None = None
    said: dict[str, str] = field(default_factory=dict)
    """Output of nodes that is not a result."""
    notes: list[str] = field(default_factory=list)
    """A sentence for each kind of problem with the lines."""

    @property
    def hosts(self) -> set[str]:
        """The nodes that answered."""
        return {lines[0].host for lines in self.units.values()}


def gather(lines: Iterable[FleetLine | RecordedRun], found: Gathered | None = None) -> Gathered:
    """Sort lines by node. Records of whole runs count as lines of their nodes.

    ``found``: lines sorted before; the new ones are added to it.
    """
    found = found or Gathered()
    unusable = 0
    for each in lines:
        match each:
            case NodeLine():
                found.units.setdefault(each.unit, []).append(each)
            case SilentNode():
                found.silent[each.host] = each
            case FleetRun():
                found.run = each if found.run is None else _together(found.run, each)
            case RecordedRun():
                line = line_of(collect(each.records))
                unusable += line is None
                if line is not None:
                    found.units.setdefault(line.unit, []).append(line)
    if unusable:
        found.notes.append(
            f"The records of {unusable} runs have no memory figure and were left out."
            if unusable > 1
            else "The records of one run have no memory figure and were left out."
        )
    for runs in found.units.values():
        runs.sort(key=lambda each: (each.attempt, each.time))
    for host in found.hosts:
        found.silent.pop(host, None)
    return found


def _together(one: FleetRun, other: FleetRun) -> FleetRun:
    """The later line of the same run knows more; of several runs the later one counts."""
    return other if other.time >= one.time else one


def line_of(run: Run) -> NodeLine | None:
    """The line that the records of a whole run make; ``None`` if they have no figure."""
    machine = run.machine
    figures = list(_figures(run))
    if machine is None or not figures:
        return None
    wrong = any(each.valid is False for each in run.validations.values())
    line = NodeLine(
        host=machine.host or "?",
        time=machine.time,
        engine=machine.engine,
        figures=figures,
        array_bytes=run.memory.array_bytes if run.memory else None,
        warnings=[INVALID] if wrong else [],
    )
    if run.device is not None:
        return replace(line, device=run.device, device_state=run.device_state)
    taken = taken_by_others(run)
    frequency = machine.frequency
    return replace(
        line,
        threads=run.threads(),
        seconds=sum(each.seconds for each in run.disturbances) or None,
        taken=None if taken is None else min(1.0, taken),
        cpu_quota=machine.cpu_quota or None,
        processor=machine.processor,
        packages=machine.packages,
        processor_cores=machine.cores,
        numa_nodes=len(machine.numa_nodes),
        memory_bytes=machine.memory_bytes,
        modules=modules_in_words(machine.memory_modules),
        kernel=machine.kernel,
        governor=frequency.governor if frequency else None,
        huge_pages=machine.huge_pages,
        hypervisor=machine.hypervisor,
    )


def _figures(run: Run) -> Iterable[NodeFigure]:
    for variant in run.shown():
        times = [each for each in run.element_times(variant.id) if each > 0]
        moved = run.iteration_bytes(variant)
        if not times or not moved or variant.tuned:
            continue
        bounds = median_bounds(sorted(times))
        step = -(-len(times) // _MOST_SAMPLES)
        yield NodeFigure(
            kernel=variant.kernel if variant.store == _PLAIN else run.name(variant),
            gbps=moved / median(sorted(times)) / 1e9,
            low=None if bounds is None else moved / bounds.high / 1e9,
            high=None if bounds is None else moved / bounds.low / 1e9,
            n=len(times),
            samples=[moved / each / 1e9 for each in times[::step]],
        )


def modules_in_words(modules: Iterable[MemoryModule]) -> str | None:
    """``24 x 32 GiB DDR5-4800``; ``None`` if no module is known."""
    kinds = Counter((each.bytes, each.kind or "", each.rate) for each in modules if each.bytes)
    return (
        " + ".join(
            f"{number} x {format_bytes(size)} {kind}".rstrip()
            + (f"-{speed}" if kind and speed else f" {speed} MT/s" if speed else "")
            for (size, kind, speed), number in sorted(kinds.items(), key=str)
        )
        or None
    )

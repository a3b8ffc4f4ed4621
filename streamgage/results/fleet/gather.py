"""Lines of nodes sorted by node: what answered, how often, and what stayed silent."""

from __future__ import annotations

import re
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
from streamgage.units import format_bytes, format_gbps

INVALID = "invalid"
"""The warning of a run that computed wrong results."""
_SPEED = re.compile(r"(\d+) x [^+]*?(?:-| )(\d{3,5})(?: MT/s)?(?: \+|$)")
"""The number and the speed of equal modules: ``24 x 32 GiB DDR5-4800``."""
_OVER_PEAK = 1.1
"""Caches may give a figure that much more than its memory has."""
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
    _join_names(found)
    for unit, runs in list(found.units.items()):
        runs.sort(key=lambda each: (each.attempt, each.time))
        _leave_out_impossible(unit, runs, found)
    for host in found.hosts:
        found.silent.pop(host, None)
    return found


def _join_names(found: Gathered) -> None:
    """Give a node that calls itself ``n1`` and ``n1.cluster.example.org`` one name: the short one.

    Two domains with the same short name are two nodes.
    """
    hosts = {*found.hosts, *found.silent}
    long_names: dict[str, set[str]] = {}
    for host in hosts:
        if "." in host:
            long_names.setdefault(host.partition(".")[0], set()).add(host)
    for short, long in long_names.items():
        if short not in hosts or len(long) > 1:
            continue
        (name,) = long
        if (silent := found.silent.pop(name, None)) is not None:
            found.silent.setdefault(short, replace(silent, host=short))
        for unit in [unit for unit, runs in found.units.items() if runs[0].host == name]:
            for run in found.units.pop(unit):
                renamed = replace(run, host=short)
                runs = found.units.setdefault(renamed.unit, [])
                same = (renamed.time, renamed.attempt)
                if all((each.time, each.attempt) != same for each in runs):
                    runs.append(renamed)


def _leave_out_impossible(unit: str, runs: list[NodeLine], found: Gathered) -> None:
    """Leave out runs that are faster than the memory modules of their node can be."""
    impossible = [(run, why) for run in runs if (why := _above_peak(run)) is not None]
    if not impossible:
        return
    run, why = impossible[0]
    found.notes.append(f"A run of {unit} was left out: {why}.")
    for each, _ in impossible:
        runs.remove(each)
    if not runs:
        del found.units[unit]
        if run.host not in found.hosts:
            silent = SilentNode(host=run.host, why="garbage", reason=f"impossible: {why}")
            found.silent[run.host] = silent


def _above_peak(line: NodeLine) -> str | None:
    """Why a run cannot be right: each module moves 8 bytes per transfer, all at the same time."""
    peak = sum(
        int(number) * 8 * int(speed) / 1e3 for number, speed in _SPEED.findall(line.modules or "")
    )
    if not peak or len(_SPEED.findall(line.modules or "")) != len(
        (line.modules or "").split(" + ")
    ):
        return None
    worst = max(line.figures, key=lambda each: each.gbps)
    if worst.gbps <= _OVER_PEAK * peak:
        return None
    return (
        f"{worst.kernel} has {format_gbps(worst.gbps)}, above the peak of its memory modules"
        f" ({line.modules}: {format_gbps(peak)})"
    )


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

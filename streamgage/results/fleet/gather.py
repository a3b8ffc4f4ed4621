"""Lines of nodes sorted by node: what answered, how often, and what stayed silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
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
from streamgage.results.fleet.expected import peak_of_modules
from streamgage.results.fleet.nodes import folded_units
from streamgage.units import format_bytes, format_gbps

INVALID = "invalid"
"""The warning of a run that computed wrong results."""
_OVER_PEAK = 1.1
"""Caches may give a figure that much more than its memory has."""
_LEAST_GBPS, _MOST_GBPS = 0.01, 1e5
"""No node and no device has less or more."""
_MISTAKEN, _MISTAKEN_ABOVE = 100.0, 10.0
"""Times less or more than others with the same processor: no fault does that, but another unit."""
_ENOUGH = 3
_LISTED = 60
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


def gather(lines: Iterable[FleetLine | RecordedRun]) -> Gathered:
    """Sort lines by node. Records of whole runs count as lines of their nodes."""
    found = Gathered()
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
    for runs in found.units.values():
        runs.sort(key=lambda each: (each.attempt, each.time))
    _leave_out_impossible(found)
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
                same = (renamed.time, renamed.attempt, renamed.figures)
                if all((each.time, each.attempt, each.figures) != same for each in runs):
                    runs.append(renamed)


def _named(lines: Iterable[NodeLine]) -> str:
    """The names of what was measured, folded."""
    units = ((each.host, None if each.device is None else each.device.id) for each in lines)
    return folded_units(units, _LISTED)


def _leave_out_impossible(found: Gathered) -> None:
    """Leave out runs with figures that no node has, and name their nodes."""
    left_out: list[NodeLine] = []
    first = ""
    number = 0
    usual = _usual(found)
    for unit, runs in list(found.units.items()):
        whys = [_impossible(run, usual) for run in runs]
        why = next(filter(None, whys), None)
        if why is None:
            continue
        run = runs[0]
        first = first or f"{unit} {why}"
        left_out.append(run)
        number += sum(each is not None for each in whys)
        runs[:] = [each for each, wrong in zip(runs, whys, strict=True) if wrong is None]
        if not runs:
            del found.units[unit]
            silent = SilentNode(host=run.host, why="garbage", reason=f"impossible: {why}")
            found.silent.setdefault(run.host, silent)
    if left_out:
        runs_of = "One run was" if number == 1 else f"{number:,} runs were"
        found.notes.append(f"{runs_of} left out as impossible ({_named(left_out)}): {first}.")


_Kind = tuple[str | None, str]
"""A processor or device, and a kernel."""


def _usual(found: Gathered) -> dict[_Kind, float]:
    """The median of each kernel over all nodes with the same processor, of enough nodes.

    What no node has is not counted: half of the nodes may have another unit.
    """
    values: dict[_Kind, list[float]] = {}
    for runs in found.units.values():
        name = _hardware(runs[0])
        for each in runs[0].figures:
            if _LEAST_GBPS <= each.gbps <= _MOST_GBPS:
                values.setdefault((name, each.kernel), []).append(each.gbps)
    return {key: median(sorted(of)) for key, of in values.items() if len(of) >= _ENOUGH}


def _hardware(line: NodeLine) -> str | None:
    return line.processor if line.device is None else line.device.name


def _impossible(line: NodeLine, usual: Mapping[_Kind, float]) -> str | None:
    """Why a run cannot be right; ``None`` if it can be."""
    name = _hardware(line)
    for part in (*line.domains, *line.cores):
        if not _LEAST_GBPS <= part.gbps <= _MOST_GBPS:
            return f"has a part with {part.gbps:.3g} GB/s, which no node has"
    for each in line.figures:
        if not _LEAST_GBPS <= each.gbps <= _MOST_GBPS:
            return f"has {each.gbps:.3g} GB/s of {each.kernel}, which no node has"
        of = usual.get((name, each.kernel))
        if of is not None and not of / _MISTAKEN < each.gbps < of * _MISTAKEN_ABOVE:
            return (
                f"has {format_gbps(each.gbps)} of {each.kernel}, and others like it have"
                f" {format_gbps(of)}: its unit seems to be another"
            )
    return _above_peak(line)


def _above_peak(line: NodeLine) -> str | None:
    """Why a run cannot be right: no memory is faster than its modules."""
    peak = peak_of_modules(line.modules)
    worst = max(line.figures, key=lambda each: each.gbps, default=None)
    if not peak or worst is None or worst.gbps <= _OVER_PEAK * peak:
        return None
    return (
        f"has {format_gbps(worst.gbps)} of {worst.kernel}, above the peak of its memory modules"
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

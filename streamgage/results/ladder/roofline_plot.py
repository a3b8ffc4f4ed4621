"""Plots a roofline, and says in words what it means for each program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.roofline import (
    Ceiling,
    ComputeCeiling,
    PlacedProgram,
    Roofline,
    mode_of,
    roofline_of,
)
from streamgage.show.page import Axis, Lines, Series, Unit
from streamgage.units import count, format_figure, format_gbps, format_half_width, format_share

_GFLOPS = Unit("Gflop/s", format_figure, format_half_width)
_LEAST, _MOST = 0.01, 100.0
"""The range of operations per byte in which the ceilings are always drawn."""
_ABOVE = 1.05
"""From this share of memory's bandwidth on, some of a program's bytes came from elsewhere."""


def program_facts(ladder: Ladder) -> list[tuple[str, str]]:
    """Write a sentence for each program on what limits it, as far as the ceilings show."""
    return [(each.name, _sentence(each)) for each in roofline_of(ladder).programs]


def _sentence(program: PlacedProgram) -> str:
    did = (
        f"{format_figure(program.gflops)} Gflop/s and {format_gbps(program.gbps)}, that is"
        f" {format_figure(program.flops_per_byte)} operations per byte."
    )
    memory, cores = program.share_of_memory, program.share_of_compute
    if memory is None:
        return f"{did} No curve reached memory, so there is no ceiling to compare with."
    if memory > _ABOVE:
        return (
            f"{did} This is {format_share(memory)} of memory's bandwidth: part of the bytes came"
            " from a cache, or the program counts more bytes than crossed the bus."
        )
    text = f"{did} It has {format_share(memory)} of memory's bandwidth"
    if cores is None:
        return f"{text}; the operations per second of the cores were not measured."
    return (
        f"{text} and {format_share(cores)} of the operations per second that {_of_kernel(cores)}."
    )


def _of_kernel(share: float) -> str:
    if share <= 1:
        return "the cores reached"
    return "the measured kernel reached; the cores can do more"


def roofline_plot(ladder: Ladder) -> Iterator[Lines]:
    """Draw one plot for all threads; none if there is no program and no computing kernel."""
    roofline = roofline_of(ladder)
    mode = mode_of(ladder)
    if mode is None or not (roofline.programs or roofline.compute):
        return
    levels = _one_for_each_level([each for each in roofline.ceilings if each.mode == mode])
    top = next((each for each in roofline.compute if each.mode == mode), None)
    ends = _ends(roofline, levels, top)
    series = [_slope(each, ends, top, look) for look, each in enumerate(levels)]
    if top is not None:
        series.append(_flat(top, levels, ends, len(levels)))
    looks = range(len(series), len(series) + len(roofline.programs))
    series += [_point(each, look) for look, each in zip(looks, roofline.programs, strict=True)]
    threads = levels[0].threads
    unknown = "" if top else "; the operations per second of the cores were not measured"
    yield Lines(
        title=f"Roofline of {count(threads or 1, 'thread')}{unknown}",
        about="Operations per second over operations per byte, both logarithmic. Rising lines: what"
        " the bandwidth of each level allows; level line: what the cores reached; single marks:"
        " your programs.",
        x=Axis("floating-point operations per byte", scale="log"),
        y=Axis("Gflop/s", _GFLOPS, "log"),
        series=series,
        wide=True,
        tall=True,
        legend_inside=True,
    )


def _one_for_each_level(ceilings: Sequence[Ceiling]) -> list[Ceiling]:
    """The ceiling of the fastest kernel, for each level."""
    best: dict[str, Ceiling] = {}
    for each in ceilings:
        if each.level not in best or each.gbps.value > best[each.level].gbps.value:
            best[each.level] = each
    return sorted(best.values(), key=lambda each: -each.gbps.value)


def _ends(
    roofline: Roofline, levels: Sequence[Ceiling], top: ComputeCeiling | None
) -> tuple[float, float]:
    xs = [each.flops_per_byte for each in roofline.programs if each.flops_per_byte > 0]
    if top is not None:
        xs += [top.gflops.value / each.gbps.value for each in levels]
    return min([_LEAST, *(x / 2 for x in xs)]), max([_MOST if top else 1.0, *(2 * x for x in xs)])


def _slope(
    ceiling: Ceiling, ends: tuple[float, float], top: ComputeCeiling | None, look: int
) -> Series:
    gbps = ceiling.gbps.value
    last = ends[1] if top is None else min(ends[1], top.gflops.value / gbps)
    name = f"{ceiling.level} {format_gbps(gbps)} ({ceiling.kernel} {ceiling.store})"
    return _line(name, [(ends[0], ends[0] * gbps), (last, last * gbps)], look)


def _flat(
    top: ComputeCeiling, levels: Sequence[Ceiling], ends: tuple[float, float], look: int
) -> Series:
    most = top.gflops.value
    first = min((most / each.gbps.value for each in levels), default=ends[0])
    name = f"cores {format_figure(most)} Gflop/s ({top.kernel})"
    return _line(name, [(first, most), (ends[1], most)], look)


def _point(program: PlacedProgram, look: int) -> Series:
    """The point of a program. Without operations it has no place on logarithmic axes."""
    shown = program.flops > 0
    name = program.name if shown else f"{program.name} (no operations: not drawn)"
    return _line(name, [(program.flops_per_byte, program.gflops)] if shown else [], look)


def _line(name: str, points: Sequence[tuple[float, float]], look: int) -> Series:
    return Series(
        name=name,
        xs=[x for x, _ in points],
        figures=[Estimate(value=y, low=None, high=None) for _, y in points],
        texts=[f"{name}: {format_figure(y)} Gflop/s" for _, y in points],
        look=look,
    )

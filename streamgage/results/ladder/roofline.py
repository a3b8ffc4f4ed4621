"""The roofline of a ladder: what each level and the cores allow, and where programs stand.

After Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for
multicore architectures", Communications of the ACM 52(4), 2009: a loop with so many operations per
byte reaches at most that many operations times the bandwidth, and at most what the cores compute.
All ceilings here were measured; nothing comes from a data sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from streamgage.analysis.hierarchy import MEMORY, Mode
from streamgage.analysis.statistics.estimate import Estimate, PositiveEstimate
from streamgage.records import Machine
from streamgage.records.quantities import Amount, Members, NumberList, Positive, Size
from streamgage.results.ladder.document import Ladder, LadderCurve, ProgramPoint

COMPUTES = 8.0
"""A kernel with this many operations per nominal byte or more is limited by computing. The loops of
STREAM have up to 1/12, and no processor of today needs as many to be busy from its first cache."""
_MODES: Sequence[Mode] = ("worksharing", "throughput", "sequential")
"""The modes in order of preference: programs are compared with the first one that was measured,
which uses all threads."""


class Ceiling(msgspec.Struct, frozen=True, kw_only=True):
    """A measured bandwidth, and how it was measured."""

    level: str
    """``L1``, ``L2``, ``L3`` or ``memory``; ``L2-L3`` if the curve does not separate them."""
    gbps: PositiveEstimate
    """The GB/s of nominal bytes of all threads together: the median of the level's points, with
    their extremes."""
    mode: Mode
    kernel: str
    store: str
    threads: Members | None
    low_bytes: Size
    """The smallest working set of the level's points; ``high_bytes`` is the largest."""
    high_bytes: Size
    points: Members


class ComputeCeiling(msgspec.Struct, frozen=True, kw_only=True):
    """What a loop of multiplications and additions reached. The cores can do at least this."""

    gflops: PositiveEstimate
    """The 10^9 operations per second of all threads together, at the working set with the most."""
    mode: Mode
    kernel: str
    threads: Members | None
    bytes: Size
    """The working set of that point."""
    flops_per_byte: Positive


class PlacedProgram(msgspec.Struct, frozen=True, kw_only=True):
    """A program of the user, compared with the ceilings."""

    name: str
    flops: Amount
    bytes: Positive
    seconds: Positive
    flops_per_byte: Amount
    gflops: Amount
    gbps: Positive
    mode: Mode
    """The mode whose ceilings it is compared with."""
    share_of_memory: Amount | None
    """Its bytes per second as a share of memory's bandwidth. Above 1, a part of them came from a
    cache, or more were counted than crossed the bus. ``None`` if memory was not reached."""
    share_of_compute: Amount | None
    """Its operations as a share of those that the cores reached; ``None`` if these were not
    measured."""
    nearest: str | None
    """The ceiling that is nearest: ``memory`` or ``compute``; ``None`` if there is no ceiling."""


class Roofline(msgspec.Struct, frozen=True, kw_only=True):
    """The document that ``--format roofline`` prints."""

    machine: Machine | None
    cpus: NumberList | None
    ceilings: list[Ceiling]
    """The ceilings mode by mode, the fastest first."""
    compute: list[ComputeCeiling]
    """A ceiling for each mode in which a computing kernel was measured. If it is empty, it is
    unknown what the cores can do."""
    programs: list[PlacedProgram]


def roofline_of(ladder: Ladder) -> Roofline:
    """The ceilings of the curves, and the programs below them."""
    ceilings = [each for curve in streams_of(ladder) for each in _ceilings(curve)]
    compute = [each for mode in _MODES for each in _compute(ladder, mode)]
    return Roofline(
        machine=ladder.machine,
        cpus=ladder.cpus,
        ceilings=ceilings,
        compute=compute,
        programs=[_placed(each, ladder, ceilings, compute) for each in ladder.programs],
    )


def mode_of(ladder: Ladder) -> Mode | None:
    """The mode whose ceilings programs are compared with; ``None`` if there is no ceiling."""
    measured = {each.mode for each in streams_of(ladder) if each.steps}
    return next((mode for mode in _MODES if mode in measured), None)


def streams_of(ladder: Ladder) -> list[LadderCurve]:
    """The curves of kernels that bandwidth can limit."""
    return [each for each in ladder.curves if (each.flops_per_byte or 0.0) < COMPUTES]


def _ceilings(curve: LadderCurve) -> Iterator[Ceiling]:
    for step in curve.steps:
        yield Ceiling(
            level=step.level,
            gbps=step.gbps,
            mode=curve.mode,
            kernel=curve.kernel,
            store=curve.store,
            threads=curve.threads,
            low_bytes=step.low_bytes,
            high_bytes=step.high_bytes,
            points=step.points,
        )


def _compute(ladder: Ladder, mode: Mode) -> Iterator[ComputeCeiling]:
    """Yield the point with the most operations per second, of any kernel that computes."""
    found = [
        ComputeCeiling(
            gflops=_scaled(point.gbps, curve.flops_per_byte),
            mode=mode,
            kernel=curve.kernel,
            threads=curve.threads,
            bytes=point.bytes,
            flops_per_byte=curve.flops_per_byte,
        )
        for curve in ladder.curves
        if curve.mode == mode and (curve.flops_per_byte or 0.0) >= COMPUTES
        for point in curve.points
        if curve.flops_per_byte is not None
    ]
    if found:
        yield max(found, key=lambda each: each.gflops.value)


def _scaled(figure: Estimate, factor: float) -> Estimate:
    return Estimate(
        value=factor * figure.value,
        low=None if figure.low is None else factor * figure.low,
        high=None if figure.high is None else factor * figure.high,
        bounded_by=figure.bounded_by,
    )


def _placed(
    program: ProgramPoint,
    ladder: Ladder,
    ceilings: Sequence[Ceiling],
    compute: Sequence[ComputeCeiling],
) -> PlacedProgram:
    mode = mode_of(ladder) or "worksharing"
    memory = max(
        (each.gbps.value for each in ceilings if (each.mode, each.level) == (mode, MEMORY)),
        default=None,
    )
    cores = next((each.gflops.value for each in compute if each.mode == mode), None)
    gbps, gflops = program.bytes / program.seconds / 1e9, program.flops / program.seconds / 1e9
    shares = {
        "memory": None if memory is None else gbps / memory,
        "compute": None if cores is None else gflops / cores,
    }
    known = {name: share for name, share in shares.items() if share is not None}
    return PlacedProgram(
        name=program.name,
        flops=program.flops,
        bytes=program.bytes,
        seconds=program.seconds,
        flops_per_byte=program.flops / program.bytes,
        gflops=gflops,
        gbps=gbps,
        mode=mode,
        share_of_memory=shares["memory"],
        share_of_compute=shares["compute"],
        nearest=max(known, key=lambda name: known[name]) if known else None,
    )

"""Makes the curves of a ladder, with their levels, from the runs of its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import msgspec

from streamgage.analysis.device_levels import claimed_levels, levels_of_device
from streamgage.analysis.hierarchy import LevelInUse, Mode, Rate, levels_in_use, stairs_of
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.rounds import FreshRun, rounds_of
from streamgage.cpu_list import format_cpu_order
from streamgage.records import Device, Machine
from streamgage.results.cache_edges import edge_of
from streamgage.results.document import common
from streamgage.results.ladder.document import (
    Ladder,
    LadderCurve,
    LadderPoint,
    LadderRun,
    SameMode,
    Step,
)


@dataclass(frozen=True)
class Rung:
    """One point.

    ``bytes`` is the size of all arrays; with ``throughput``, of those of one thread.
    """

    mode: Mode
    kernel: str
    bytes: int

    @property
    def name(self) -> str:
        """The name of its runs, such as ``sequential, triad, 32768 bytes``."""
        return f"{self.mode}, {self.kernel}, {self.bytes} bytes"


@dataclass(frozen=True)
class LadderSetup:
    """The request, as the document records it. ``cpus`` are in the order of the threads."""

    threads: int
    cpus: tuple[int, ...]
    rounds: int
    seed: int
    modes: tuple[Mode, ...]
    left_out: tuple[SameMode, ...] = ()
    device: Device | None = None
    """Measured in place of the processor; then there are no threads."""


def judge_ladder(
    runs: Sequence[FreshRun], rungs: Sequence[Rung], setup: LadderSetup, machine: Machine | None
) -> Ladder:
    """Build the ladder from ``runs``; the condition of each run is the name of its rung.

    Rungs without a run are left out.
    """
    by_name = {each.name: each for each in rungs}
    ladder_runs = [_ladder_run(each, by_name[each.condition]) for each in runs]
    good: dict[Rung, list[FreshRun]] = {}
    for each in runs:
        if each.failure is None:
            good.setdefault(by_name[each.condition], []).append(each)
    of_all = common((each.run for each in runs), machine, of_memory=False)
    found = of_all["machine"]
    levels = {mode: _claimed(found, setup, mode) for mode in setup.modes}
    curves = [
        curve
        for mode in setup.modes
        for kernel, store in _variants(good)
        if (curve := _curve(mode, kernel, store, good, levels[mode], setup)) is not None
    ]
    return Ladder(
        **of_all,
        device=setup.device,
        threads=setup.threads or None,
        cpus=format_cpu_order(setup.cpus) if setup.cpus else None,
        rounds=setup.rounds,
        seed=setup.seed,
        levels=[level for mode in setup.modes for level in levels[mode]],
        curves=curves,
        runs=ladder_runs,
        left_out=list(setup.left_out),
    )


def _claimed(machine: Machine | None, setup: LadderSetup, mode: Mode) -> list[LevelInUse]:
    """The caches by what the machine or the driver says of them."""
    if setup.device is not None:
        return claimed_levels(setup.device, mode)
    return [] if machine is None else levels_in_use(machine, setup.cpus, mode)


def _ladder_run(each: FreshRun, rung: Rung) -> LadderRun:
    return LadderRun(
        round=each.round,
        mode=rung.mode,
        kernel=rung.kernel,
        bytes=rung.bytes,
        failure=each.failure,
        records=each.records,
    )


def _core_hertz(mode: Mode, good: Mapping[Rung, Sequence[FreshRun]]) -> float | None:
    """The clock of a core in this mode; a core that runs alone may be faster than one of many."""
    runs = [each for rung, runs in good.items() if rung.mode == mode for each in runs]
    clocks = [each.run.core_clock for each in runs if each.run.core_clock is not None]
    known = sorted(each.hertz for each in clocks if each.hertz)
    return median(known) if known else None


def _variants(good: Mapping[Rung, Sequence[FreshRun]]) -> list[tuple[str, str]]:
    found = [
        (variant.kernel, variant.store)
        for runs in good.values()
        for each in runs
        for variant in each.run.shown()
    ]
    return list(dict.fromkeys(found))


def _curve(  # noqa: PLR0917 - the identity of a curve, and what it is read by
    mode: Mode,
    kernel: str,
    store: str,
    good: Mapping[Rung, Sequence[FreshRun]],
    levels: Sequence[LevelInUse],
    setup: LadderSetup,
) -> LadderCurve | None:
    points = [
        LadderPoint(
            bytes=rung.bytes,
            gbps=found.gbps(),
            rounds=len(found.times),
            samples=found.samples,
        )
        for rung, runs in sorted(good.items(), key=lambda each: each[0].bytes)
        if (rung.mode, rung.kernel) == (mode, kernel)
        and (found := rounds_of(kernel, store, runs)) is not None
    ]
    if not points:
        return None
    threads = None if setup.device else 1 if mode == "sequential" else setup.threads
    hertz = _core_hertz(mode, good)
    return LadderCurve(
        mode=mode,
        kernel=kernel,
        store=store,
        own=any(
            each.run.own(variant) is not None
            for runs in good.values()
            for each in runs
            for variant in each.run.shown()
            if (variant.kernel, variant.store) == (kernel, store)
        ),
        threads=threads,
        flops_per_byte=_flops_per_byte(kernel, store, good),
        core_hertz=hertz,
        points=points,
        steps=_steps(points, levels, setup, mode, hertz),
    )


def _steps(
    points: Sequence[LadderPoint],
    levels: Sequence[LevelInUse],
    setup: LadderSetup,
    mode: Mode,
    hertz: float | None,
) -> list[Step]:
    """The levels; of a device whose driver does not say how large its cache is, by the curve."""
    if setup.device is None or levels:
        threads = 1 if mode == "sequential" else setup.threads
        return steps_of(points, levels, threads, hertz)
    rates = [Rate(each.bytes, each.gbps.value) for each in points]
    found = levels_of_device(setup.device, mode, rates)
    unclaimed = [
        msgspec.structs.replace(each, claimed_bytes=None)
        for each in steps_of(points, found, 1, None)
    ]
    return unclaimed if found else []


def _flops_per_byte(
    kernel: str, store: str, good: Mapping[Rung, Sequence[FreshRun]]
) -> float | None:
    """The operations per nominal byte that the kernel declares; ``None`` if they are unknown."""
    for each in (each for runs in good.values() for each in runs):
        for variant in each.run.shown():
            facts, moved = each.run.kernels.get(variant.kernel), each.run.iteration_bytes(variant)
            if (variant.kernel, variant.store) == (kernel, store) and facts and moved:
                return facts.flops / moved
    return None


def steps_of(
    points: Sequence[LadderPoint],
    levels: Sequence[LevelInUse],
    threads: int,
    hertz: float | None,
) -> list[Step]:
    """The levels that the points show, the fastest first; empty if there are too few points."""
    stairs = stairs_of([Rate(each.bytes, each.gbps.value) for each in points], levels)
    figures = {each.bytes: (each.gbps, each.rounds) for each in points}
    return [
        Step(
            level=each.level,
            low_bytes=each.rates[0].bytes,
            high_bytes=each.rates[-1].bytes,
            gbps=Estimate(
                value=median(each.values),
                low=each.values[0],
                high=each.values[-1],
                bounded_by="range",
            ),
            points=len(each.rates),
            bytes_per_cycle=None if not hertz else median(each.values) * 1e9 / hertz / threads,
            effective_bytes=edge_of(each, after, figures),
            claimed_bytes=each.claimed_bytes,
        )
        for each, after in zip_longest(stairs, stairs[1:])
    ]

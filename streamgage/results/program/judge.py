"""Compares a program with what the machine gives to as many threads, round by round.

In each round the program and the engine run once with each number of threads, in random order. All
ratios are paired by round, so a drift of the machine affects both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.bootstrap import bootstrap_median, estimate_of, paired_ratio
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import Kernel, Machine
from streamgage.results.document import common
from streamgage.results.program.document import (
    Gain,
    MachineRate,
    Mix,
    Moved,
    Program,
    ProgramPoint,
    Share,
    Step,
)
from streamgage.results.scale.document import LeftOut
from streamgage.results.study.applications.times import WALL
from streamgage.results.study.judge import (
    ProgramRun,
    RunKey,
    runs_in_order,
    taken_from_programs,
    worse,
)

STREAMING = "streaming"
ByRound = dict[int, float]
Rates = Mapping[tuple[str, str], Mapping[int, ByRound]]
"""GB/s by kernel and store, then by number of threads, then by round."""


@dataclass(frozen=True)
class ProgramSetup:
    """The request, as the document records it."""

    command: tuple[str, ...]
    moved: Moved | None
    kernel: str | None
    step: Step | None
    placement: str
    rounds: int
    seed: int
    counts: tuple[int, ...]
    left_out: tuple[LeftOut, ...] = ()


def judge_program(
    stream: Sequence[tuple[int, FreshRun]],
    program: Sequence[ProgramRun],
    order: Sequence[RunKey],
    setup: ProgramSetup,
    machine: Machine | None,
) -> Program:
    """Build the result from the runs; those of ``stream`` have their numbers of threads."""
    rates = rates_of(stream)
    good = [each for each in program if each.failure is None]
    times = {n: _times(good, n) for n in setup.counts}
    fastest = _fastest(times)
    facts = common((each.run for _, each in stream), machine)
    facts["taken"] = worse(facts["taken"], taken_from_programs(program))
    printed = any(WALL not in each.phases for each in good)
    points = [
        _point(
            n,
            [each for each in good if each.n == n],
            times,
            fastest=fastest,
            rates=rates,
            setup=setup,
        )
        for n in setup.counts
        if times[n] or any(n in by_n for by_n in rates.values())
    ]
    return Program(
        **facts,
        command=list(setup.command),
        moved=setup.moved,
        kernel=setup.kernel,
        mixes=_mixes(each.run.kernels.values() for _, each in stream),
        timed="printed" if printed else "run",
        step=setup.step,
        placement=setup.placement,
        rounds=setup.rounds,
        seed=setup.seed,
        counts=list(setup.counts),
        points=points,
        runs=runs_in_order(stream, program, order),
        left_out=list(setup.left_out),
    )


def rates_of(stream: Sequence[tuple[int, FreshRun]]) -> Rates:
    """The GB/s of each kernel with each kind of store, by threads and round."""
    found: dict[tuple[str, str], dict[int, ByRound]] = {}
    for n, each in stream:
        if each.failure is not None:
            continue
        for variant in each.run.shown():
            times = each.run.element_times(variant.id)
            moved = each.run.iteration_bytes(variant)
            if times and moved:
                by_n = found.setdefault((variant.kernel, variant.store), {})
                by_n.setdefault(n, {})[each.round] = moved / median(sorted(times)) / 1e9
    return found


def _mixes(kernels: Iterable[Iterable[Kernel]]) -> list[Mix]:
    found = {
        each.name: Mix(kernel=each.name, reads=each.loads, writes=each.stores)
        for of_run in kernels
        for each in of_run
    }
    return list(found.values())


def _times(good: Sequence[ProgramRun], n: int) -> ByRound:
    """The seconds of each round's run with ``n`` threads."""
    return {
        each.round: next(iter(each.phases.values()))[0]
        for each in good
        if each.n == n and each.phases
    }


def _fastest(times: Mapping[int, ByRound]) -> int | None:
    """The number of threads with the shortest median time."""
    known = {n: median(sorted(of_n.values())) for n, of_n in times.items() if of_n}
    return min(known, key=lambda n: known[n], default=None)


def _point(
    n: int,
    runs: Sequence[ProgramRun],
    times: Mapping[int, ByRound],
    *,
    fastest: int | None,
    rates: Rates,
    setup: ProgramSetup,
) -> ProgramPoint:
    seconds = times[n]
    steps, gbps = _progress(runs, seconds, setup)
    here = {key: by_n[n] for key, by_n in rates.items() if n in by_n}
    machine = [
        MachineRate(kernel=kernel, store=store, gbps=_median(found))
        for (kernel, store), found in here.items()
    ]
    busy = {each.round: each.used[0] / each.used[1] for each in runs if each.used and each.used[1]}
    return ProgramPoint(
        n=n,
        seconds=_median(seconds) if seconds else None,
        busy=_median(busy) if busy else None,
        gbps=_median(gbps) if gbps else None,
        speed=None if fastest is None else estimate_of(paired_ratio(times[fastest], seconds)),
        machine=machine,
        shares=_shares(gbps, here),
        gains=_gains(here),
        steps=_median(steps) if steps else None,
        most_steps=_most_steps(here, setup),
        rounds=len(seconds),
    )


def _progress(
    runs: Sequence[ProgramRun], seconds: ByRound, setup: ProgramSetup
) -> tuple[ByRound, ByRound]:
    """The steps per second and the GB/s of each round, where they are known."""
    printed = {each.round: each.rate for each in runs if each.rate is not None}
    if setup.step is not None:
        each_step = setup.step.bytes / 1e9
        return printed, {number: rate * each_step for number, rate in printed.items()}
    if setup.moved is None:
        return {}, {}
    if setup.moved.bytes is None:
        return {}, {number: rate / 1e9 for number, rate in printed.items()}
    return {}, {number: setup.moved.bytes / each / 1e9 for number, each in seconds.items()}


def _median(found: ByRound) -> Estimate:
    figure = estimate_of(bootstrap_median([found[number] for number in sorted(found)]))
    assert figure is not None
    return figure


def _ordinary(here: Mapping[tuple[str, str], ByRound], kernel: str) -> str | None:
    """The faster kind of ordinary store of a kernel; ``None`` if none was measured."""
    known = {
        store: median(sorted(found.values()))
        for (name, store), found in here.items()
        if name == kernel and store != STREAMING
    }
    return max(known, key=lambda store: known[store], default=None)


def _kernels(here: Mapping[tuple[str, str], ByRound]) -> list[str]:
    return list(dict.fromkeys(kernel for kernel, _ in here))


def _shares(gbps: ByRound, here: Mapping[tuple[str, str], ByRound]) -> list[Share]:
    found = []
    for kernel in _kernels(here):
        store = _ordinary(here, kernel)
        share = None if store is None else estimate_of(paired_ratio(gbps, here[kernel, store]))
        if store is not None and share is not None and share.value > 0:
            found.append(Share(kernel=kernel, store=store, share=share))
    return found


def _gains(here: Mapping[tuple[str, str], ByRound]) -> list[Gain]:
    found = []
    for kernel in _kernels(here):
        store = _ordinary(here, kernel)
        if store is None or (kernel, STREAMING) not in here:
            continue
        ratio = estimate_of(paired_ratio(here[kernel, STREAMING], here[kernel, store]))
        if ratio is not None and ratio.value > 0:
            found.append(Gain(kernel=kernel, ratio=ratio))
    return found


def _most_steps(here: Mapping[tuple[str, str], ByRound], setup: ProgramSetup) -> Estimate | None:
    """The steps per second at the highest rate of any loop of the machine."""
    if setup.step is None or not here:
        return None
    best = max(here.values(), key=lambda found: median(sorted(found.values())))
    return _median({number: gbps * 1e9 / setup.step.bytes for number, gbps in best.items()})

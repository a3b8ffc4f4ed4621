"""From the records of a run that measures latency to its curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from streamgage.analysis.hierarchy import Rate, levels_in_use, stairs_of
from streamgage.analysis.outside import taken_by_others
from streamgage.analysis.run import Run
from streamgage.analysis.statistics.bootstrap import bootstrap_median
from streamgage.analysis.statistics.estimate import Bounded
from streamgage.analysis.statistics.intervals import median
from streamgage.cpu_list import format_cpu_order
from streamgage.records import Machine
from streamgage.results.latency.document import IdlePoint, IdleStep, Latencies, LoadCurve
from streamgage.results.latency.findings import judge_latencies
from streamgage.results.latency.load_curve import load_curve
from streamgage.results.latency.words import MIXES, verdict


def latencies(run: Run, left_out: Sequence[str] = ()) -> Latencies:
    """The answer of ``run``; what it did not come to is in no list."""
    cpus = [each.cpu for each in run.placement.threads] if run.placement else []
    idle = _idle(run)
    blocks = {each.block for each in run.latencies} | {each.block for each in run.loaded}
    return with_words(
        Latencies(
            machine=run.machine,
            cpu=cpus[0] if cpus else None,
            cpus=format_cpu_order(cpus[1:]) if run.loaded and len(cpus) > 1 else None,
            rounds=len(blocks),
            seed=run.latency_plan.seed if run.latency_plan else None,
            taken=taken_by_others(run),
            idle=idle,
            steps=_steps(idle, run.machine, cpus),
            loaded=list(_loaded(run)),
            left_out=list(left_out),
            verdict=[],
            findings=[],
        )
    )


def with_words(answer: Latencies) -> Latencies:
    """``answer`` with what it comes to, and its findings."""
    return msgspec.structs.replace(
        answer, verdict=verdict(answer), findings=judge_latencies(answer)
    )


def _idle(run: Run) -> list[IdlePoint]:
    by_size: dict[int, list[float]] = {}
    for each in run.latencies:
        by_size.setdefault(each.bytes, []).append(each.seconds)
    points = []
    for size in sorted(by_size):
        found = bootstrap_median(by_size[size])
        assert found is not None
        single = found.n == 1
        one = next(each for each in run.latencies if each.bytes == size)
        points.append(
            IdlePoint(
                bytes=size,
                seconds=Bounded(
                    value=found.value,
                    low=one.minimum if single else found.low,
                    high=one.maximum if single else found.high,
                ),
                rounds=found.n,
            )
        )
    return points


def _steps(
    idle: Sequence[IdlePoint], machine: Machine | None, cpus: Sequence[int]
) -> list[IdleStep]:
    """Levels by the staircase of loads per second, which fall from level to level as rates do."""
    if machine is None or not cpus:
        return []
    loads = [Rate(each.bytes, 1 / each.seconds.value) for each in idle if each.seconds.value > 0]
    return [
        IdleStep(
            level=each.level,
            low_bytes=each.rates[0].bytes,
            high_bytes=each.rates[-1].bytes,
            seconds=Bounded(
                value=1 / median(each.values), low=1 / each.values[-1], high=1 / each.values[0]
            ),
            effective_bytes=each.effective_bytes,
            claimed_bytes=each.claimed_bytes,
        )
        for each in stairs_of(loads, levels_in_use(machine, cpus[:1], "sequential"))
    ]


def _loaded(run: Run) -> Iterator[LoadCurve]:
    seen = {each.mix for each in run.loaded}
    for mix in (each for each in MIXES if each in seen):
        yield load_curve([each for each in run.loaded if each.mix == mix])

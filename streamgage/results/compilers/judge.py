"""From the runs of the rows to their rates, and the ratios to the first one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.fresh_run import FreshRun
from streamgage.analysis.statistics.bootstrap import paired_ratio
from streamgage.analysis.statistics.estimate import Bounded
from streamgage.analysis.statistics.rounds import Rounds, rounds_of
from streamgage.records import Machine
from streamgage.results.compilers.document import (
    Compilation,
    CompiledRate,
    CompiledRun,
    Compilers,
)
from streamgage.results.compilers.findings import is_wrong, judge_compilations
from streamgage.results.document import common
from streamgage.units import count, format_rate

PLAIN = "plain"


@dataclass(frozen=True)
class Asked:
    """What was asked for, as the answer tells it."""

    rounds: int
    seed: int


def compilations(
    runs: Sequence[FreshRun],
    rows: Sequence[Compilation],
    asked: Asked,
    machine: Machine | None,
) -> Compilers:
    """The answer of ``runs``, whose conditions are the names of ``rows``; any may be missing."""
    wrong = {each.condition for each in runs if is_wrong(each.failure)}
    good = [each for each in runs if each.failure is None and each.condition not in wrong]
    kernels = list(dict.fromkeys(variant.kernel for each in good for variant in each.run.shown()))
    found = {
        (row.name, kernel): rounds
        for row in rows
        for kernel in kernels
        if (rounds := _rounds(row.name, kernel, good)) is not None
    }
    baseline = next((row.name for row in rows if any(name == row.name for name, _ in found)), None)
    first = next((each.run for each in good), None)
    return with_words(
        Compilers(
            **common((each.run for each in runs), machine),
            threads=None if first is None else first.threads(),
            rounds=asked.rounds,
            seed=asked.seed,
            baseline=baseline,
            compilations=[_with_failure(row, runs) for row in rows],
            rates=[_rate(name, kernel, baseline, found) for name, kernel in found],
            runs=[
                CompiledRun(
                    round=each.round,
                    name=each.condition,
                    failure=each.failure,
                    records=each.records,
                )
                for each in runs
            ],
            verdict=[],
            findings=[],
        )
    )


def with_words(answer: Compilers) -> Compilers:
    """``answer`` with what it comes to, and its findings."""
    return msgspec.structs.replace(
        answer, verdict=verdict(answer), findings=judge_compilations(answer)
    )


def _rounds(name: str, kernel: str, runs: Sequence[FreshRun]) -> Rounds | None:
    return rounds_of(kernel, PLAIN, [each for each in runs if each.condition == name])


def _with_failure(row: Compilation, runs: Sequence[FreshRun]) -> Compilation:
    """A row of which every run failed says why, and one of which any had a wrong outcome."""
    if row.failure is not None:
        return row
    own = [each for each in runs if each.condition == row.name]
    failures = [each.failure for each in own if each.failure is not None]
    wrong = [each for each in failures if is_wrong(each)]
    if not own:
        failures = ["It was not measured: the series was stopped before."]
    if wrong or len(failures) >= len(own):
        return msgspec.structs.replace(row, failure=[*wrong, *failures][0])
    return row


def _rate(
    name: str, kernel: str, baseline: str | None, found: Mapping[tuple[str, str], Rounds]
) -> CompiledRate:
    here = found[name, kernel]
    base = found.get((baseline or "", kernel))
    ratio = None if base is None or name == baseline else paired_ratio(base.times, here.times)
    return CompiledRate(
        name=name,
        kernel=kernel,
        gbps=here.gbps(),
        ratio=None
        if ratio is None
        else Bounded(
            value=ratio.value,
            low=None if ratio.n == 1 else ratio.low,
            high=None if ratio.n == 1 else ratio.high,
        ),
        rounds=len(here.times),
    )


def verdict(answer: Compilers) -> list[str]:
    """For each kernel the most and the least, and what failed."""
    return [*_kernels(answer), *_failed(answer)]


def _kernels(answer: Compilers) -> Iterator[str]:
    for kernel in dict.fromkeys(each.kernel for each in answer.rates):
        these = [each for each in answer.rates if each.kernel == kernel]
        if len(these) < 2:
            continue
        best = max(these, key=lambda each: each.gbps.value)
        least = min(these, key=lambda each: each.gbps.value)
        if _alike(these):
            yield f"{kernel}: all {len(these)} give the same within their intervals."
        else:
            yield (
                f"{kernel}: {format_rate(best.gbps.value)} GB/s by {best.name},"
                f" {format_rate(least.gbps.value)} by {least.name}"
                f" ({least.gbps.value / best.gbps.value:.2f} of it)."
            )


def _alike(rates: Sequence[CompiledRate]) -> bool:
    """Whether one value lies within the bounds of all; not where a bound is missing."""
    bounds = [(each.gbps.low, each.gbps.high) for each in rates]
    lows = [low for low, _ in bounds if low is not None]
    highs = [high for _, high in bounds if high is not None]
    known = len(lows) == len(highs) == len(rates)
    return known and max(lows) <= min(highs)


def _failed(answer: Compilers) -> Iterator[str]:
    failed = [each for each in answer.compilations if each.failure is not None]
    if failed:
        total = len(answer.compilations)
        yield f"{count(len(failed), 'row')} of {total} failed: the table says why."
    named = {each.name for each in failed}
    for row in answer.compilations:
        own = [each for each in answer.runs if each.name == row.name and each.failure is not None]
        if own and row.name not in named:
            yield (
                f"{row.name}: {count(len(own), 'run')} of {answer.rounds} failed and"
                f" {'is' if len(own) == 1 else 'are'} left out: {own[0].failure}"
            )

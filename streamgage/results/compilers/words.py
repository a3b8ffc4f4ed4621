"""What a comparison of compilers comes to, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.results.compilers.document import (
    CompiledRate,
    Compilers,
)
from streamgage.units import count, format_rate


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

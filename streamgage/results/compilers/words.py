"""The conclusions of a comparison of compilers, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.noise import differ
from streamgage.results.compilers.document import (
    Compilation,
    CompiledRate,
    Compilers,
)
from streamgage.units import count, format_gbps, format_rate, listed

_MOST_NAMED = 4


def conclusions(answer: Compilers) -> list[Conclusion]:
    """Say which row is the fastest and the slowest for each kernel, and what failed."""
    return [*_kernels(answer), *map(fact, _failed(answer))]


def label_of(row: Compilation, answer: Compilers) -> str:
    """The name of a row, with the compilers that made the same machine code: ``gcc, g++ -O2``."""
    names = [row.name, *(each.name for each in answer.compilations if each.same_as == row.name)]
    parts = [name.partition(" ") for name in names]
    if len({flags for _, _, flags in parts}) == 1 and parts[0][2]:
        return f"{', '.join(compiler for compiler, _, _ in parts)} {parts[0][2]}"
    return " = ".join(names)


def _label(name: str, answer: Compilers) -> str:
    row = next((each for each in answer.compilations if each.name == name), None)
    return name if row is None else label_of(row, answer)


def _kernels(answer: Compilers) -> Iterator[Conclusion]:
    for kernel in dict.fromkeys(each.kernel for each in answer.rates):
        these = [e for e in answer.rates if e.kernel == kernel and e.measured_as is None]
        if len(these) < 2:
            continue
        # The rows that are certainly the fastest and the slowest. One spoiled round may make a
        # figure high or low, but then its bounds are wide.
        best = max(these, key=lambda each: _end(each.gbps.low, each.gbps))
        least = min(these, key=lambda each: _end(each.gbps.high, each.gbps))
        if not _differ(best, least):
            yield undecided(
                f"{kernel}: no difference beyond noise among the {len(these)}{_known(these)}."
            )
        else:
            yield sound(
                f"{kernel}: {format_gbps(best.gbps.value)} by {_label(best.name, answer)}"
                f"{_as_good(best, these, answer)},"
                f" {format_rate(least.gbps.value)} by {_label(least.name, answer)}"
                f" ({least.gbps.value / best.gbps.value:.2f} of it)."
            )


def _end(bound: float | None, figure: Estimate) -> float:
    return figure.value if bound is None else bound


def _differ(one: CompiledRate, other: CompiledRate) -> bool:
    return differ(one.gbps, one.rounds, other.gbps, other.rounds)


def _as_good(best: CompiledRate, rates: Sequence[CompiledRate], answer: Compilers) -> str:
    """Say which rows are as fast as the best, within noise."""
    also = [
        _label(each.name, answer) for each in rates if each is not best and not _differ(best, each)
    ]
    if not also:
        return ""
    if len(also) > _MOST_NAMED:
        also = [*also[: _MOST_NAMED - 1], f"{len(also) - _MOST_NAMED + 1} more"]
    return f" (the same within noise: {listed(also)})"


def _known(rates: Sequence[CompiledRate]) -> str:
    """Say why no difference may be visible."""
    unknown = any(each.gbps.low is None for each in rates)
    return ", but there are too few samples to show it: use more rounds" if unknown else ""


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

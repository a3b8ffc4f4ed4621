"""The rows of a comparison as text: a figure a kernel, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.statistics.bootstrap import FEWEST
from streamgage.results.compilers.document import Compilation, Compilations, CompiledRate
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_half_width, format_rate, listed

DASH = "-"


@dataclass(frozen=True)
class Row:
    """One compiler with its flags; ``cells`` are as many as there are kernels."""

    name: str
    cells: list[str]
    loops: list[str]
    """What became of each kernel, as many; empty where nobody could read it."""
    failure: str | None


def kernels_of(answer: Compilations) -> list[str]:
    """The kernels that were measured, each once."""
    return list(dict.fromkeys(each.kernel for each in answer.rates))


def rows(answer: Compilations, symbols: Symbols) -> list[Row]:
    """A row for each compilation, in their order."""
    kernels = kernels_of(answer)
    rates = {(each.name, each.kernel): each for each in answer.rates}
    return [
        Row(
            name=each.name,
            cells=[_cell(rates.get((each.name, kernel)), symbols) for kernel in kernels],
            loops=_loops(each, kernels),
            failure=each.failure,
        )
        for each in answer.compilations
    ]


def _cell(rate: CompiledRate | None, symbols: Symbols) -> str:
    if rate is None:
        return DASH
    bounds = rate.gbps
    if bounds.low is None or bounds.high is None:
        return format_rate(bounds.value)
    half = max(bounds.high - bounds.value, bounds.value - bounds.low)
    return (
        f"{format_rate(bounds.value)} {symbols.plus_minus}{format_half_width(half, bounds.value)}"
    )


def _loops(row: Compilation, kernels: list[str]) -> list[str]:
    words = {loop.kernel: loop.words for loop in row.loops}
    return [words.get(kernel, DASH) for kernel in kernels] if words else []


def versions(answer: Compilations) -> list[str]:
    """What each compiler says of itself, after its name; those that say it alike stand together."""
    names: dict[str, list[str]] = {}
    for each in answer.compilations:
        if each.compiler is not None:
            known = names.setdefault(each.compiler, [])
            name = each.name.partition(" -")[0]
            if name not in known:
                known.append(name)
    return [f"{listed(known)}: {said}" for said, known in names.items()]


def series(answer: Compilations, symbols: Symbols) -> str:
    """What ran."""
    parts = []
    if answer.threads is not None:
        parts.append(count(answer.threads, "thread"))
    parts.append(f"{count(answer.rounds, 'round')}, rows in mixed order (seed {answer.seed})")
    return symbols.separator.join(parts)


def foot(answer: Compilations, symbols: Symbols) -> str:
    """What the figures are."""
    if answer.rounds == 1:
        bounds = "95 % interval of the median of the samples"
    elif answer.rounds < FEWEST:
        bounds = f"the extremes of {answer.rounds} rounds"
    else:
        bounds = f"95 % interval of the median of {answer.rounds} rounds"
    return (
        f"GB/s of nominal bytes, median; {symbols.plus_minus}: {bounds}. What the loops became is"
        " read from the object code: the library function that is called, or the widest vectors"
        " that the loop loads or stores."
    )

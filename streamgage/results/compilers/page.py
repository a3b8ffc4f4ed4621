"""The page of a comparison of compilers: the rates of each row, and what its loops became."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.kernels.listing import describe_loop
from streamgage.results.compilers.document import Compilation, CompiledRate, Compilers
from streamgage.results.compilers.words import label_of
from streamgage.results.rounds import bounds_of_rounds, settings_of
from streamgage.show.page import (
    DASH,
    RATE,
    Axis,
    Bars,
    Cell,
    Column,
    Data,
    Datum,
    Page,
    Table,
    bounded,
    figure,
)
from streamgage.units import count, listed

Of = TypeVar("Of")
_GAP = 3
_Rates = dict[tuple[str, str], CompiledRate]
"""The rates by row and kernel."""


def page(compilers: Compilers) -> Page:
    """The page of a result of ``streamgage compilers``."""
    kernels = list(dict.fromkeys(each.kernel for each in compilers.rates))
    rates = {(each.name, each.kernel): each for each in compilers.rates}
    measured = [
        each for each in compilers.compilations if each.failure is None and each.same_as is None
    ]
    return Page(
        title="Compilers",
        machine=compilers.machine,
        lines=[_series(compilers)],
        tables=list(_tables(compilers, measured, kernels, rates)),
        nothing="Nothing was measured.",
        facts=[(each.name, each.failure) for each in compilers.compilations if each.failure],
        facts_of="compiler",
        sources=_versions(compilers),
        note=_note(compilers),
        settings=settings_of(
            _series(compilers),
            compilers.runs,
            *(("Compiler", each) for each in _versions(compilers)),
        ),
        plots=[_bars(compilers, kernels, rates)] if kernels else [],
        data=_data(compilers),
    )


def _series(compilers: Compilers) -> str:
    """Say in one line what ran."""
    parts = [] if compilers.threads is None else [count(compilers.threads, "thread")]
    rounds = count(compilers.rounds, "round")
    return " · ".join([*parts, f"{rounds}, rows in mixed order (seed {compilers.seed})"])


def _note(compilers: Compilers) -> str:
    return (
        f"GB/s of nominal bytes, median; ± or a to b:"
        f" {_bounds(compilers)}."
        " What the loops became is read from the object code: the library function that is called,"
        f" or the widest vectors that the loop loads or stores.{_shared(compilers)}"
    )


def _shared(compilers: Compilers) -> str:
    """Say how many loops were not measured separately."""
    loops = [each for row in compilers.compilations if row.failure is None for each in row.loops]
    shared = [each for each in loops if each.measured_as is not None]
    if not shared:
        return ""
    were = "was" if len(shared) == 1 else "were"
    return (
        f" {len(shared)} of {count(len(loops), 'loop')} have the machine code of another one, byte"
        f" for byte, and {were} not measured again."
    )


def _bounds(compilers: Compilers) -> str:
    figures = [each.gbps for each in compilers.rates]
    return bounds_of_rounds(compilers.rounds, figures, single="samples")


def _versions(compilers: Compilers) -> list[str]:
    """The version text of each compiler, after the names of the rows that it belongs to."""
    names: dict[str, dict[str, None]] = {}
    for each in compilers.compilations:
        if each.compiler is not None:
            names.setdefault(each.compiler, {})[each.name.partition(" -")[0]] = None
    return [f"{listed(list(known))}: {version}" for version, known in names.items()]


def _rate(kernel: str, rates: _Rates) -> Callable[[Compilation], Cell]:
    return lambda row: figure(_gbps(rates.get((row.name, kernel))))


def _gbps(rate: CompiledRate | None) -> Estimate | None:
    return None if rate is None else rate.gbps


def _loop(kernel: str) -> Callable[[Compilation], Cell]:
    """Make the cell of a loop.

    It is empty if no loop of the row could be read, as for the engine's own kernels.
    """
    return lambda row: Cell(_words(row, kernel) or DASH) if row.loops else Cell()


def _words(row: Compilation, kernel: str) -> str | None:
    """Describe a compiled kernel; ``None`` if it could not be read."""
    return next((describe_loop(loop) for loop in row.loops if loop.kernel == kernel), None)


def _tables(
    compilers: Compilers, measured: Sequence[Compilation], kernels: Sequence[str], rates: _Rates
) -> Iterator[Table[Compilation]]:
    """Yield the table of rates, then the table of what the loops became."""
    if measured:
        columns = [Column(kernel, _rate(kernel, rates)) for kernel in kernels]
        yield _table(compilers, "GB/s", columns, measured, "Bandwidth by compiler and flags")
    listed_rows = [each for each in measured if each.loops]
    if listed_rows:
        columns = [Column(kernel, _loop(kernel)) for kernel in kernels]
        yield _table(
            compilers, "what the loops became", columns, listed_rows, "What the loops became"
        )


def _table(
    compilers: Compilers,
    head: str,
    columns: Sequence[Column[Compilation]],
    rows: Sequence[Compilation],
    caption: str,
) -> Table[Compilation]:
    lead = Column[Compilation](head, lambda row: Cell(label_of(row, compilers)), left=True)
    return Table([lead, *columns], rows, caption=caption, gap=_GAP, split="columns")


_Figure = tuple[Compilation, CompiledRate | None]


def _data(compilers: Compilers) -> Data[_Figure]:
    """The data with one row per rate, and one row per compiler without rates, with the reason."""
    rows: list[_Figure] = []
    for row in compilers.compilations:
        name = row.same_as or row.name
        own = [(row, each) for each in compilers.rates if each.name == name]
        rows += own or [(row, None)]
    return Data(
        columns=[
            Datum("name", lambda each: each[0].name),
            Datum("compiler", lambda each: each[0].compiler),
            Datum("language", lambda each: each[0].language),
            Datum("kernel", _of(lambda rate: rate.kernel)),
            *bounded("gbps", _of(lambda rate: rate.gbps)),
            *bounded("ratio", _of(lambda rate: rate.ratio)),
            Datum("rounds", _of(lambda rate: rate.rounds)),
            Datum("loop", lambda each: _words(each[0], each[1].kernel) if each[1] else None),
            Datum("measured_as", _measured_as),
            Datum("failure", lambda each: None if each[1] else each[0].failure),
        ],
        rows=rows,
    )


def _measured_as(each: _Figure) -> str | None:
    row, rate = each
    return row.same_as or (rate.measured_as if rate else None)


def _of(read: Callable[[CompiledRate], Of | None]) -> Callable[[_Figure], Of | None]:
    """Make a function that reads a row's rate; it returns ``None`` for a row without a rate."""
    return lambda each: None if each[1] is None else read(each[1])


def _bars(compilers: Compilers, kernels: Sequence[str], rates: _Rates) -> Bars:
    """The bars: a group for each compiler, with a bar for each kernel."""
    by_name = {each.name: each for each in compilers.compilations}
    names = list(dict.fromkeys(each.name for each in compilers.rates))
    return Bars(
        title="Bandwidth by compiler",
        about="The median bandwidth of each kernel by each compiler with its flags, as bars with"
        " intervals.",
        axis=Axis("GB/s of nominal bytes", RATE, from_zero=True),
        names=names,
        series=[
            (kernel, [_gbps(rates.get((name, kernel))) for name in names]) for kernel in kernels
        ],
        table=Table(
            columns=[
                Column("compiler", lambda row: Cell(row.name), left=True),
                *(Column(kernel, _rate(kernel, rates)) for kernel in kernels),
            ],
            rows=[by_name[name] for name in names],
            caption="GB/s of nominal bytes",
        ),
        tall=len(names) * len(kernels) > 12,
    )

"""The table of bandwidths on a terminal: as many columns as there is room for.

Of our own runs kernels stand down and ways to store across; another benchmark has a row for each
kernel with its stores. A column goes before a digit does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.measure.crossing import crossed, crossed_gbps, ordinary_of, verdict
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.words import modes
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_change, format_half_width, format_rate, format_share

_ORDER = ("plain", "regular", "streaming", "claim", "libc")
_DROPPED_FIRST = ("libc", "claim", "regular", "streaming")
_DROPPED_LAST = ("plain", "streaming")
_GAIN = "gain"
_OF_PEAK = "of peak"
_CROSSED = "crossed the bus"
_GAP = 2


@dataclass(frozen=True)
class _Way:
    """One way to run a kernel, with columns of its own; ``isa`` is empty where there is but one."""

    store: str
    isa: str
    tuned: bool

    @property
    def title(self) -> str:
        name = " ".join(part for part in (self.store, self.isa) if part)
        return f"{name} tuned" if self.tuned else name


_Cells = dict[tuple[str, _Way], KernelResult]


@dataclass(frozen=True)
class _Column:
    """One printed column; ``cells`` has a text for each row."""

    title: str
    cells: Sequence[str]
    style: str = ""
    left: bool = False
    may_go: int = 0
    """Of another benchmark: a narrow terminal leaves out the greatest number first; 0: never."""

    @property
    def width(self) -> int:
        return max(len(text) for text in (self.title, *self.cells))


def _width(columns: Sequence[_Column]) -> int:
    return 1 + sum(column.width for column in columns) + _GAP * (len(columns) - 1)


def _print_columns(console: Console, columns: Sequence[_Column]) -> None:
    for row in range(-1, len(columns[0].cells)):
        line = Text(" ")
        for column in columns:
            line.append_text(_padded(column, row))
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)


def _padded(column: _Column, row: int) -> Text:
    text = column.title if row < 0 else column.cells[row]
    filled = text.ljust(column.width) if column.left else text.rjust(column.width)
    return Text(filled + " " * _GAP, style="bold" if row < 0 else column.style)


def _print_foot(
    console: Console, parts: Sequence[str], hidden: Sequence[str], symbols: Symbols
) -> None:
    left_out = [f"left out for width: {', '.join(hidden)}"] if hidden else []
    text = symbols.separator.join([*parts, *left_out])
    console.print(Padding(text, (0, 0, 0, 1)), style="dim")


def print_rates(answer: Answer, console: Console, symbols: Symbols) -> None:
    """Print median, half of its 95 % interval and best of every kernel and way to run it, and n.

    Next to a standard figure stands the tuned one, with the share that its shape gained.
    """
    results = answer.result.kernels
    if not any(result.n for result in results):
        console.print(" No timed sample was taken.")
        return
    kernels = _kernels(answer)
    several = answer.run.stores_of_several_isas()
    cells = {(result.kernel, _way(result, several)): result for result in results}
    ways = sorted({way for _, way in cells}, key=lambda way: _rank(way, results))
    columns, hidden = _fitting(console.width, kernels, ways, cells, symbols)
    _print_columns(console, columns)
    parts = _foot(answer, symbols, titles={column.title for column in columns})
    _print_foot(console, parts, hidden, symbols)


def _kernels(answer: Answer) -> list[str]:
    """Kernels in the order of the catalogue."""
    measured = {result.kernel for result in answer.result.kernels}
    known = [kernel for kernel in answer.run.kernels if kernel in measured]
    return known + sorted(measured.difference(known))


def _way(result: KernelResult, several: set[str]) -> _Way:
    isa = (result.isa or "") if result.store in several else ""
    return _Way(result.store, isa, result.tuned)


def _rank(way: _Way, results: Sequence[KernelResult]) -> tuple[int, str, int, bool]:
    isas = [result.isa for result in results]
    known = _ORDER.index(way.store) if way.store in _ORDER else len(_ORDER)
    return known, way.store, isas.index(way.isa) if way.isa in isas else 0, way.tuned


def _fitting(
    width: int, kernels: list[str], ways: list[_Way], cells: _Cells, symbols: Symbols
) -> tuple[list[_Column], list[str]]:
    """The columns that fit, and the names of those left out.

    The best figures go first, then kinds of store; what crossed the bus goes before streaming and
    plain stores alone.
    """
    shown, traffic, best = list(ways), True, True
    while True:
        columns = _columns(kernels, shown, cells, symbols, traffic=traffic, best=best)
        if _width(columns) <= width or not (best or traffic or len(shown) > 1):
            break
        # Instruction sets were asked for, to be compared with each other.
        lesser = [way for way in shown if way.store not in _DROPPED_LAST and not way.isa]
        if best:
            best = False
        elif lesser and len(shown) > 1:
            shown.remove(_least(lesser))
        elif traffic:
            traffic = False
        else:
            shown.remove(_least(shown))
    hidden = [] if traffic else [_CROSSED]
    hidden += [] if best else ["best"]
    return columns, hidden + [way.title for way in ways if way not in shown]


def _least(ways: list[_Way]) -> _Way:
    """The way to run a kernel that is missed least."""
    stores = [way.store for way in ways]
    first = next((name for name in _DROPPED_FIRST if name in stores), stores[-1])
    return [way for way in ways if way.store == first][-1]


def _columns(
    kernels: list[str],
    ways: list[_Way],
    cells: _Cells,
    symbols: Symbols,
    *,
    traffic: bool,
    best: bool,
) -> list[_Column]:
    columns = [_Column("GB/s", kernels, style="bold", left=True)]
    for way in ways:
        results = [cells.get((kernel, way)) for kernel in kernels]
        # To the right of its standard figure a tuned one needs no longer name.
        follows = way.tuned and replace(way, tuned=False) in ways
        title = "tuned" if follows else way.title
        columns.append(_Column(title, [_median(result, symbols) for result in results]))
        if way.tuned:
            columns.append(_Column(_GAIN, [_gain(result) for result in results]))
        if best:
            columns.append(_Column("best", [_best(result) for result in results], style="dim"))
    if traffic:
        columns += _traffic(kernels, cells, symbols)
        columns += _of_peak(kernels, ways, cells)
    return columns


def _median(result: KernelResult | None, symbols: Symbols) -> str:
    """``29.7 ±0.1``, with a mark before it where the result is invalid."""
    if result is None:
        return symbols.dash
    if result.median_gbps is None:
        return "none"
    mark = f"{symbols.error} " if result.valid is False else ""
    half = "?"
    if result.low_gbps is not None and result.high_gbps is not None:
        half = format_half_width((result.high_gbps - result.low_gbps) / 2, result.median_gbps)
    return f"{mark}{format_rate(result.median_gbps)} {symbols.plus_minus}{half}"


def _gain(result: KernelResult | None) -> str:
    return "" if result is None or result.gain is None else format_change(result.gain)


def _best(result: KernelResult | None) -> str:
    return "" if result is None or result.best_gbps is None else format_rate(result.best_gbps)


def _traffic(kernels: list[str], cells: _Cells, symbols: Symbols) -> list[_Column]:
    """What the ordinary stores of each kernel made cross; no column where none were measured."""
    texts = []
    for kernel in kernels:
        ordinary = ordinary_of([each for (name, _), each in cells.items() if name == kernel])
        texts.append(symbols.dash if ordinary is None else crossed(ordinary, symbols.plus_minus))
    unknown = all(text == symbols.dash for text in texts)
    return [] if unknown else [_Column(_CROSSED, texts, style="dim", left=True)]


def _of_peak(kernels: list[str], ways: list[_Way], cells: _Cells) -> list[_Column]:
    """The greatest share of the theoretical peak of each kernel; no column where none is known."""
    shares = []
    for kernel in kernels:
        results = [cells.get((kernel, way)) for way in ways]
        known = [each.peak_share for each in results if each and each.peak_share is not None]
        shares.append(format_share(max(known)) if known else "")
    return [_Column(_OF_PEAK, shares, style="dim")] if any(shares) else []


def _numbers(results: Sequence[KernelResult]) -> str:
    """``n = 24 each, 8 allocations``: samples, and the allocations that they come from."""
    measured = [result for result in results if result.n]
    samples = sorted({result.n for result in measured})
    n = f"{samples[0]} each" if len(samples) == 1 else f"{samples[0]} to {samples[-1]}"
    few = any(result.low_gbps is None for result in measured)
    epochs = sorted({result.epochs for result in measured})
    most = count(epochs[-1], "allocation")
    allocations = most if len(epochs) == 1 else f"{epochs[0]} to {most}"
    return f"n = {n}{' (too few for an interval)' if few else ''}, {allocations}"


def _foot(answer: Answer, symbols: Symbols, *, titles: set[str]) -> list[str]:
    results = answer.result.kernels
    parts = [
        f"nominal bytes, median {symbols.plus_minus} half of its 95 % interval, rounded up",
        _numbers(results),
    ]
    if _CROSSED in titles and len({result.store for result in results}) > 1:
        parts.append(f"{_CROSSED}: plain stores, else regular ones")
    if _GAIN in titles:
        parts.append("gain: of the tuned shape over the default one, pair by pair; --explain")
    elif not any(result.tuned for result in results) and any(
        tuning.source in ("raced", "known") for tuning in answer.result.tunings
    ):
        parts.append("no other shape was quicker than the default one beyond doubt: --explain")
    return parts


def print_reported(answer: Answer, console: Console, symbols: Symbols) -> None:
    """Print nominal rates of another benchmark, what crossed the memory bus, and the evidence."""
    results = answer.result.kernels
    columns = [
        column
        for column in _reported_columns(results, symbols)
        if not column.may_go or any(column.cells)
    ]
    hidden: list[str] = []
    while _width(columns) > console.width and any(column.may_go for column in columns):
        first = max(columns, key=lambda column: column.may_go)
        columns.remove(first)
        hidden.append(first.title)
    _print_columns(console, columns)
    numbers = sorted({result.n for result in results})
    n = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    parts = ["GB/s of nominal bytes, as printed", f"n = {n} run{'' if n == '1' else 's'} each"]
    _print_foot(console, parts, hidden, symbols)
    for result in results:
        if modes(result):
            groups = f"{result.kernel}: the runs fall into two groups, {modes(result)} GB/s"
            console.print(Padding(groups, (0, 0, 0, 1)))


def _reported_columns(results: Sequence[KernelResult], symbols: Symbols) -> list[_Column]:
    several_threads = len({result.threads for result in results}) > 1
    spread = any(result.spread for result in results)

    def column(
        title: str,
        cell: Callable[[KernelResult], str],
        *,
        left: bool = False,
        style: str = "",
        may_go: int = 0,
    ) -> _Column:
        return _Column(title, [cell(result) for result in results], style, left, may_go)

    def of(name: str) -> Callable[[KernelResult], str]:
        return lambda result: _rate(getattr(result.spread, name, None))

    def middle(result: KernelResult) -> str:
        mark = f"{symbols.error} " if result.valid is False else ""
        shown = result.spread.median_gbps if result.spread else result.median_gbps
        return mark + _rate(shown)

    columns = [
        column("kernel", lambda result: result.kernel, left=True, style="bold"),
        column("stores", lambda result: result.store, left=True, may_go=1),
        column("isa", lambda result: result.isa or "", left=True, may_go=6),
    ]
    if several_threads:
        columns.append(column("threads", lambda result: str(result.threads)))
    columns.append(column("median" if spread else "GB/s", middle))
    if spread:
        columns += [
            column("mean", of("mean_gbps"), style="dim", may_go=5),
            column("sd", of("deviation_gbps"), style="dim", may_go=4),
            column("min", of("minimum_gbps"), style="dim", may_go=3),
            column("max", of("maximum_gbps"), style="dim", may_go=3),
        ]
    return [
        *columns,
        column("crossed the bus", lambda result: crossed_gbps(result) or "?"),
        column("of peak", _share, may_go=2),
        column("write-allocate", verdict, left=True),
    ]


def _rate(gbps: float | None) -> str:
    return "" if gbps is None else format_rate(gbps)


def _share(result: KernelResult) -> str:
    return "" if result.peak_share is None else format_share(result.peak_share)

"""The table of the terminal for the output of another benchmark: a line a kernel and its stores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.measure.crossing import crossed_gbps, verdict
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer
from streamgage.show.symbols import Symbols
from streamgage.units import format_rate, format_share

_GAP = 2


@dataclass(frozen=True)
class _Column:
    title: str
    cell: Callable[[KernelResult], str]
    left: bool = False
    style: str = ""
    may_go: int = 0
    """Columns of the greatest number are left out first where the terminal is narrow; 0: none."""


def reported_table(console: Console, answer: Answer, symbols: Symbols) -> None:
    """Print nominal rates, what crossed the memory bus, and how that is known."""
    results = answer.result.kernels
    columns = [column for column in _columns(results, symbols) if _told(column, results)]
    hidden: list[str] = []
    while _width(columns, results) > console.width and any(column.may_go for column in columns):
        first = max(columns, key=lambda column: column.may_go)
        columns.remove(first)
        hidden.append(first.title)
    for row in (None, *results):
        line = Text(" ")
        for column in columns:
            width = _column_width(column, results)
            text = column.title if row is None else column.cell(row)
            filled = text.ljust(width) if column.left else text.rjust(width)
            line.append(filled + " " * _GAP, style="bold" if row is None else column.style)
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    _footer(console, results, hidden, symbols)
    for result in results:
        if modes(result):
            groups = f"{result.kernel}: the runs fall into two groups, {modes(result)} GB/s"
            console.print(Padding(groups, (0, 0, 0, 1)))
    _reasons(console, results)


def modes(result: KernelResult) -> str:
    """``20 % near 140``: the two groups that runs fall into, where they do."""
    groups = result.spread.modes if result.spread else []
    return ", ".join(f"{format_share(each.share)} near {format_rate(each.gbps)}" for each in groups)


def reasons(results: Sequence[KernelResult]) -> list[tuple[str, str]]:
    """Names of the kernels and the reason that they share, for every reason."""
    named: dict[str, list[str]] = {}
    for result in results:
        if result.alpha.reason:
            named.setdefault(result.alpha.reason, []).append(result.kernel)
    return [(", ".join(dict.fromkeys(names)), reason) for reason, names in named.items()]


def _columns(results: Sequence[KernelResult], symbols: Symbols) -> list[_Column]:
    several_threads = len({result.threads for result in results}) > 1
    spread = any(result.spread for result in results)

    def of(name: str) -> Callable[[KernelResult], str]:
        return lambda result: _rate(getattr(result.spread, name, None))

    def middle(result: KernelResult) -> str:
        mark = f"{symbols.error} " if result.valid is False else ""
        shown = result.spread.median_gbps if result.spread else result.median_gbps
        return mark + _rate(shown)

    columns = [_Column("kernel", lambda result: result.kernel, left=True, style="bold")]
    columns.append(_Column("stores", lambda result: result.store, left=True, may_go=1))
    columns.append(_Column("isa", lambda result: result.isa or "", left=True, may_go=6))
    if several_threads:
        columns.append(_Column("threads", lambda result: str(result.threads)))
    columns.append(_Column("median" if spread else "GB/s", middle))
    if spread:
        columns += [
            _Column("mean", of("mean_gbps"), style="dim", may_go=5),
            _Column("sd", of("deviation_gbps"), style="dim", may_go=4),
            _Column("min", of("minimum_gbps"), style="dim", may_go=3),
            _Column("max", of("maximum_gbps"), style="dim", may_go=3),
        ]
    columns.append(_Column("crossed the bus", _hardware))
    columns.append(_Column("of peak", _share, may_go=2))
    columns.append(_Column("write-allocate", verdict, left=True))
    return columns


def _told(column: _Column, results: Sequence[KernelResult]) -> bool:
    """Whether any row has something there; ``isa`` and shares go where none has."""
    return not column.may_go or any(column.cell(result) for result in results)


def _rate(gbps: float | None) -> str:
    return "" if gbps is None else format_rate(gbps)


def _hardware(result: KernelResult) -> str:
    return crossed_gbps(result) or "?"


def _share(result: KernelResult) -> str:
    return "" if result.peak_share is None else format_share(result.peak_share)


def _column_width(column: _Column, results: Sequence[KernelResult]) -> int:
    return max(len(text) for text in (column.title, *map(column.cell, results)))


def _width(columns: Sequence[_Column], results: Sequence[KernelResult]) -> int:
    total = sum(_column_width(column, results) for column in columns)
    return 1 + total + _GAP * (len(columns) - 1)


def _footer(
    console: Console, results: Sequence[KernelResult], hidden: Sequence[str], symbols: Symbols
) -> None:
    numbers = sorted({result.n for result in results})
    n = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    parts = ["GB/s of nominal bytes, as printed", f"n = {n} run{'' if n == '1' else 's'} each"]
    if hidden:
        parts.append(f"left out for width: {', '.join(hidden)}")
    console.print(Padding(symbols.separator.join(parts), (0, 0, 0, 1)), style="dim")


def _reasons(console: Console, results: Sequence[KernelResult]) -> None:
    for names, reason in reasons(results):
        console.print(Padding(f"{names}: {reason}", (0, 0, 0, 1)), style="dim")
    console.print()

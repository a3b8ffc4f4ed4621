"""``--format table``: the curves as people read and paste them."""

from __future__ import annotations

import io

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.measure.table import tell_findings
from streamgage.results.scale.document import Curve, Scaling
from streamgage.results.scale.names import (
    DASH,
    best,
    counts_of,
    curves_of,
    efficiency,
    foot,
    kinds,
    point_at,
    proof,
    rate,
    series,
    speedup,
)
from streamgage.results.scale.words import missing_sentences
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import Terminal, finished, hanging, new_console

_GAP = 2
_BETWEEN = 4
_HEADS = ("GB/s", "speedup", "eff.")


def render(answer: Scaling, terminal: Terminal) -> str:
    """Machine, bindings, a table a kernel, what the curves come to, and findings."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if answer.machine is not None:
        hanging(console, " ", line_of_machine(answer.machine, terminal.symbols))
    hanging(console, " ", series(answer, terminal.symbols))
    console.print()
    lead = max((len(each.name) for each in answer.bindings), default=0)
    for each in answer.bindings:
        hanging(console, f" {each.name:<{lead}}  ", f"{each.meaning} ({proof(each)})")
    console.print()
    for kernel, store in kinds(answer):
        _kernel(console, terminal.symbols, answer, curves_of(answer, kernel, store))
    if answer.curves:
        console.print(Padding(foot(answer, terminal.symbols), (0, 0, 0, 1)), style="dim")
    else:
        console.print(" No point was measured.")
    console.print()
    sentences = [*answer.left_out, *missing_sentences(answer), *answer.verdict]
    for sentence in sentences:
        hanging(console, " ", sentence)
    if sentences:
        console.print()
    tell_findings(console, answer.findings, terminal.symbols)
    return finished(text)


def _kernel(console: Console, symbols: Symbols, answer: Scaling, curves: list[Curve]) -> None:
    """The bindings side by side, in as many parts as the width makes necessary."""
    first = curves[0]
    console.print(Text(f" {first.kernel} {first.store}", style="bold"))
    counts = counts_of(answer, curves)
    lead = max(len(str(n)) for n in (*counts, "n"))
    part: list[Curve] = []
    width = 1 + lead
    for each in curves:
        needed = _BETWEEN + sum(_widths(each, counts, symbols)) + _GAP * (len(_HEADS) - 1)
        if part and width + needed > console.width:
            _part(console, symbols, part, counts, lead)
            part, width = [], 1 + lead
        part.append(each)
        width += needed
    _part(console, symbols, part, counts, lead)


def _part(
    console: Console, symbols: Symbols, curves: list[Curve], counts: list[int], lead: int
) -> None:
    head = Text(" " + "n".rjust(lead), style="bold")
    over = Text(" " * (1 + lead))
    for curve in curves:
        widths = _widths(curve, counts, symbols)
        whole = sum(widths) + _GAP * (len(widths) - 1)
        over.append(" " * _BETWEEN + curve.binding.center(whole).rstrip().ljust(whole))
        heads = (text.rjust(width) for text, width in zip(_HEADS, widths, strict=True))
        head.append(" " * _BETWEEN + (" " * _GAP).join(heads))
    over.rstrip()
    console.print(over, no_wrap=True, overflow="ignore", crop=False)
    console.print(head, no_wrap=True, overflow="ignore", crop=False)
    for n in counts:
        line = Text(" " + str(n).rjust(lead), style="bold")
        for curve in curves:
            cells = zip(_cells(curve, n, symbols), _widths(curve, counts, symbols), strict=True)
            enough = "bold" if n == curve.enough_n else "not bold"
            padded = (" " * _GAP).join(text.rjust(width) for text, width in cells)
            line.append(" " * _BETWEEN + padded, style=enough)
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    for curve in curves:
        named = f"{curve.binding}: " if len(curves) > 1 else ""
        hanging(console, f" {' ' * lead}  ", f"{named}{best(curve)}", style="dim")
    console.print()


def _cells(curve: Curve, n: int, symbols: Symbols) -> tuple[str, str, str]:
    """A gap is a dash: it moves nothing else."""
    point = point_at(curve, n)
    if point is None:
        return (DASH, DASH, DASH)
    return rate(point, symbols), speedup(point), efficiency(point)


def _widths(curve: Curve, counts: list[int], symbols: Symbols) -> list[int]:
    rows = [_HEADS, *(_cells(curve, n, symbols) for n in counts)]
    return [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]

"""What fits of a page into the lines of a terminal: the answer first, curves as lines of text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec
from rich.console import Console

from streamgage.analysis.conclusion import texts
from streamgage.analysis.finding import Finding
from streamgage.show.page import (
    RATE,
    RATIO,
    Lines,
    Page,
    Series,
    Table,
)
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import Terminal, finished, hanging, new_console
from streamgage.show.text_parts import STYLES, first_line, heading, show_body
from streamgage.show.text_table import show_table
from streamgage.units import count

SCREEN_LINES = 24
"""The height of a terminal that does not say its own."""
BELOW = 2
"""Lines of a terminal that are left for the prompt and for where the result is stored."""
_MOST_FINDINGS = 3
_LEAST_OF_A_TABLE = 4
"""A table with room for fewer lines is left out."""
_MOST_BLOCKS = 40
"""So many characters of a line stand for a curve."""


@dataclass(frozen=True)
class _Block:
    """Lines of a brief page that stay together."""

    part: str
    rank: int
    """Blocks with a low one take their room first."""
    lines: Sequence[str]
    apart: bool = False
    """``True`` if an empty line stands before it, wherever it is."""
    may_be_cut: bool = False


def brief(page: Page, terminal: Terminal) -> str:
    """Write what fits of a page into the lines of a terminal.

    The answer, what follows and what was found come first; then curves as lines of characters, the
    machine, and tables.
    """
    more = len(page.findings) - _MOST_FINDINGS
    end = "--details" if more <= 0 else f"--details, also for {count(more, 'finding')} more"
    blocks = list(_blocks(page, terminal))
    room = (terminal.lines or SCREEN_LINES) - BELOW - 2  # an empty line, and what shows the rest
    kept: dict[int, Sequence[str]] = {}
    full: set[str] = set()
    for place, each in sorted(enumerate(blocks), key=lambda item: item[1].rank):
        if each.part in full:
            continue
        new = not any(blocks[other].part == each.part for other in kept)
        left = room - (new or each.apart)
        lines = each.lines
        if len(lines) > left:
            full.add(each.part)
            if not each.may_be_cut or left < _LEAST_OF_A_TABLE:
                continue
            lines = [*lines[: left - 1], f" ... {count(len(lines) - left + 1, 'more line')}"]
        kept[place] = lines
        room = left - len(lines)
    written: list[str] = []
    before = ""
    for place in sorted(kept):
        if written and (blocks[place].apart or blocks[place].part != before):
            written.append("")
        written += kept[place]
        before = blocks[place].part
    return "\n".join([*written, "", f" More         {end}", ""])


def _blocks(page: Page, terminal: Terminal) -> Iterator[_Block]:
    """Yield the parts of a brief page in the order in which they are shown."""
    symbols = terminal.symbols

    def lines_of(show: Callable[[Console], None]) -> list[str]:
        text = io.StringIO()
        show(new_console(text, terminal))
        return finished(text).strip("\n").split("\n")

    if page.trust is not None:
        yield _Block(
            "head", 0, lines_of(partial(first_line, page=page, trust=page.trust, symbols=symbols))
        )
    if page.machine is not None:
        machine = msgspec.structs.replace(page, lines=(), setup=())
        yield _Block("head", 4, lines_of(partial(heading, page=machine, symbols=symbols)))
    for each in page.body:
        table = isinstance(each, Table) or each.quiet
        lines = lines_of(partial(show_body, body=[each], symbols=symbols))
        yield _Block(
            "tables" if table else "body", 5 if table else 1, lines, apart=True, may_be_cut=table
        )
    curves = [*_drawn(page)]
    for plot in curves:
        yield _Block("curves", 3, lines_of(partial(_curves, plot=plot, symbols=symbols)))
    for each in page.tables:
        lines = lines_of(partial(show_table, table=each, symbols=symbols))
        yield _Block("tables", 5, lines, apart=True, may_be_cut=not curves)
    sentences = [] if page.shown_in_tables else texts(page.conclusions)
    for sentence in (*sentences, *page.remarks):
        yield _Block("words", 2, lines_of(partial(hanging, lead=" ", body=symbols.text(sentence))))
    for finding in page.findings[:_MOST_FINDINGS]:
        lines = lines_of(partial(_short_finding, finding=finding, symbols=symbols))
        yield _Block("findings", 1, lines)


def _short_finding(console: Console, finding: Finding, symbols: Symbols) -> None:
    lead = f" {symbols.of(finding.severity)} {finding.code}  "
    hanging(console, lead, symbols.text(finding.sentence), style=STYLES[finding.severity])


def _drawn(page: Page) -> Iterator[Lines]:
    """The plots whose curves can be drawn as lines of characters."""
    for plot in page.plots:
        if isinstance(plot, Lines) and not plot.shares and any(map(_known, plot.series)):
            yield plot


def _known(series: Series) -> list[float]:
    return [each.value for each in series.figures if each is not None]


def _curves(console: Console, plot: Lines, symbols: Symbols) -> None:
    """Print the title of a plot, and each curve as a line of characters with its ends."""
    shown = [each for each in plot.series if _known(each)]
    xs = [x for each in shown for x in each.xs]
    unit = plot.x.unit
    ends = [(unit.write(x) if unit is not None else f"{x:g}") for x in (min(xs), max(xs))]
    suffix = f" {unit.name}" if unit is not None and unit.name not in ("", "bytes") else ""
    over = f", {ends[0]} to {ends[1]}{suffix}"
    over += "" if suffix else f" {plot.x.title}"
    hanging(console, " ", symbols.text(f"{plot.title}{over}"))
    unit = plot.y.unit or (RATE if plot.y.title.startswith(RATE.name) else RATIO)
    most = max(value for each in shown for value in _known(each))
    widest = max(len(each.name) for each in shown)
    for each in shown:
        known = _known(each)
        blocks = "".join(
            symbols.levels[round((len(symbols.levels) - 1) * max(0.0, value) / most)]
            if value is not None and most > 0
            else " "
            for value in _sampled(each)
        )
        low, high = unit.write(min(known)), unit.write(max(known))
        reach = low if low == high else f"{low} to {high}"
        name = symbols.text(each.name.ljust(widest))
        hanging(console, f"  {name}  {blocks}  ", f"{reach} {unit.name or plot.y.title}")


def _sampled(series: Series) -> Iterator[float | None]:
    """At most so many figures of a curve as have room, evenly over its points."""
    number = len(series.figures)
    shown = min(number, _MOST_BLOCKS)
    for place in range(shown):
        found = series.figures[round(place * (number - 1) / max(1, shown - 1))]
        yield None if found is None else found.value

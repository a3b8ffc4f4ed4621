"""Shows a running watch: one plain line per interval in a pipe, or a live view."""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from streamgage.programs.traffic.bars import bar, course, marks_for, of_whole
from streamgage.results.traffic.document import Rates, SeenInterval, Trust
from streamgage.results.traffic.words import REPLAYED, distrust, parts_of, rate_or_unknown
from streamgage.show.symbols import Symbols
from streamgage.units import format_gbps

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

_KEPT = 400
"""The most intervals in the course, which is more than a terminal has columns."""
_FIGURES = 38
"""Characters of the figures next to a bar."""
_OTHER_LINES = 10
"""The lines besides those of the domains; if not all fit, domains have no course."""
_SEPARATOR = "; "


class LiveView:
    """The view on the screen."""

    def __init__(self, live: Live, symbols: Symbols) -> None:
        """Draw on ``live``."""
        self._live = live
        self._symbols = symbols
        self._seen: deque[SeenInterval] = deque(maxlen=_KEPT)
        self._full = 0.0

    def add(
        self, source: str, names: Sequence[str], new: Sequence[SeenInterval], trust: Trust
    ) -> None:
        """Show the latest of ``new``."""
        self._seen.extend(new)
        rates = [each.total_gbps for interval in new for each in interval.domains]
        self._full = max([self._full, *(each for each in rates if each is not None)])
        if self._seen:
            self._live.update(self._picture(source, names, trust), refresh=True)

    def _picture(self, source: str, names: Sequence[str], trust: Trust) -> Text:
        from rich.text import Text

        last = self._seen[-1]
        marks = marks_for(self._symbols)
        width = self._live.console.width
        widest = max(len(name) for name in [*names, "together"])
        text = Text(no_wrap=True, overflow="crop")
        if trust.state == "replayed":
            text.append(f" {REPLAYED}\n", "bold red")
        for each in textwrap.wrap(distrust(trust) or "", max(20, width - 2)):
            text.append(f" {each}\n", "bold red" if trust.refused else "bold yellow")
        title = ("Memory traffic", source, f"{last.start + last.seconds:.0f} s", "Ctrl-C ends")
        text.append(f" {self._symbols.separator.join(title)}\n\n", "bold")
        room = max(8, width - widest - _FIGURES - 4)
        high = 2 * len(names) + _OTHER_LINES <= self._live.console.height
        for number, (name, rates) in enumerate(zip(names, last.domains, strict=True)):
            read, written = bar(rates, self._full, room, marks)
            text.append(f" {name.ljust(widest)}  ")
            text.append(read, "cyan")
            text.append(written, "yellow")
            text.append(f"{' ' * (room - len(read) - len(written))} {_figures(rates)}\n")
            if high:
                self._append_course(text, number, rates, widest + 3)
        if len(names) > 1:
            text.append(f" {'together'.ljust(widest)}  {' ' * room} {_figures(last.whole)}\n")
            words = _SEPARATOR.join(words for words, _ in parts_of(last.whole))
            text.append(f" {' ' * widest}  {words}\n" if words else "", "dim")
        line, full = course(of_whole(list(self._seen)[-(width - 2) :]), width - 2, marks)
        text.append(f"\n {line}\n", "cyan")
        text.append(
            f" {marks.read} reads  {marks.written} writes; a full bar is"
            f" {format_gbps(self._full)}, a full column {format_gbps(full)}",
            "dim",
        )
        return text

    def _append_course(self, text: Text, number: int, rates: Rates, indent: int) -> None:
        """Append the present shares of a domain's traffic, and its course."""
        words = _SEPARATOR.join(words for words, _ in parts_of(rates))
        text.append(f"{' ' * indent}{words}{'  ' if words else ''}", "dim")
        room = max(0, self._live.console.width - indent - len(words) - 3)
        seen = [(each.seconds, each.domains[number]) for each in list(self._seen)[-room:] if room]
        columns, _ = course(seen, room, marks_for(self._symbols), self._full)
        text.append(f"{columns}\n", "cyan")


def _figures(rates: Rates) -> str:
    total = f"{rate_or_unknown(rates.total_gbps):>6} GB/s"
    if rates.read_gbps is None or rates.written_gbps is None:
        return total
    apart = f"{rate_or_unknown(rates.read_gbps):>6} + {rate_or_unknown(rates.written_gbps)}"
    return f"{apart:<16} = {total}"


@contextmanager
def live_view(symbols: Symbols) -> Iterator[LiveView]:
    """Open a view on the terminal at stdout, which is removed at the end."""
    from rich.console import Console
    from rich.live import Live

    console = Console(highlight=False, markup=False)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield LiveView(live, symbols)


_MARKS = {
    "replayed": "REPLAYED ",
    "not-calibrated": "NOT CALIBRATED ",
    "rejected": "NOT BELIEVED ",
    "impossible": "NOT BELIEVED ",
}


def line(interval: SeenInterval, names: Sequence[str], trust: Trust) -> str:
    """The line of an interval: the time of its end, and the rates of each domain in GB/s."""
    parts = [_rates(name, each) for name, each in zip(names, interval.domains, strict=True)]
    if len(parts) > 1:
        parts.append(_rates("together", interval.whole))
    mark = _MARKS.get(trust.state, "")
    return f"{mark}{interval.start + interval.seconds:.2f} s: {'; '.join(parts)}"


def _rates(name: str, rates: Rates) -> str:
    total = f"{rate_or_unknown(rates.total_gbps)} GB/s"
    if rates.read_gbps is None or rates.written_gbps is None:
        known = "; ".join(words for words, _ in parts_of(rates))
        return f"{name} {total} ({known})" if known else f"{name} {total}"
    read, written = rate_or_unknown(rates.read_gbps), rate_or_unknown(rates.written_gbps)
    words = "".join(f"; {words}" for words, _ in parts_of(rates))
    return f"{name} {total} (reads {read}, writes {written}{words})"

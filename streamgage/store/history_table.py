"""The list of kept results on the terminal, the newest first."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from streamgage.results.summary import Entry, KeptRate
from streamgage.show.terminal import NARROW, Terminal, finished, new_console
from streamgage.store.history_formats import headlines
from streamgage.units import format_bytes, format_half_of, format_rate

_STATES = {"complete": "", "partial": "cut off", "invalid": "NOT VALID"}
_ORDER = ("plain", "regular", "streaming")


def render(entries: Sequence[Entry], kernel: str | None, terminal: Terminal) -> str:
    """The table; narrow terminals drop columns, not digits."""
    narrow = terminal.width < NARROW
    text = io.StringIO()
    console = new_console(text, terminal)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(" run", justify="right", no_wrap=True)
    table.add_column("started (UTC)", no_wrap=True)
    table.add_column("host", overflow="ellipsis", no_wrap=True, max_width=16)
    table.add_column("what", no_wrap=True)
    labels = any(entry.label for entry in entries)
    if labels:
        table.add_column("label", overflow="ellipsis", no_wrap=True, max_width=24)
    if not narrow:
        table.add_column("threads", justify="right", no_wrap=True)
        table.add_column("arrays", justify="right", no_wrap=True)
    table.add_column("GB/s, nominal", overflow="fold")
    for entry in entries:
        cells = [
            f" {entry.id}",
            (entry.started or entry.added)[:16].replace("T", " ") + ("" if entry.started else " *"),
            entry.host or "-",
            entry.tool or entry.kind,
            *([entry.label or ""] if labels else []),
        ]
        if not narrow:
            cells += [
                str(entry.threads or "-"),
                "-" if entry.array_bytes is None else format_bytes(entry.array_bytes),
            ]
        table.add_row(*map(Text, cells), _figures(entry, kernel))
    console.print(table)
    told = [" median ± half of its 95 % interval"]
    if any(entry.started is None for entry in entries):
        told.append("* when it was imported: its start is not known")
    console.print(Text(" · ".join(told), style="dim"))
    return finished(text)


def _figures(entry: Entry, kernel: str | None) -> Text:
    """``triad plain 47.9 ±0.7, streaming 58.8 ±1.2``, after what is wrong with it."""
    rates = headlines(entry, kernel)
    known = [each for name in _ORDER for each in rates if each.store == name] or rates[:1]
    parts: list[str] = []
    for number, rate in enumerate(known):
        if number and rate.store == "regular":
            continue  # plain stores tell as much
        name = f"{rate.kernel} {rate.store}" if not parts else rate.store
        parts.append(f"{name} {_figure(rate)}")
    text = Text()
    if state := _STATES[entry.state]:
        text.append(f"{state} ", style="bold red" if entry.state == "invalid" else "yellow")
    return text.append(", ".join(parts) or "-")


def _figure(rate: KeptRate) -> str:
    median = rate.median_gbps or 0.0
    if rate.low_gbps is None or rate.high_gbps is None:
        return format_rate(median)
    return f"{format_rate(median)} ±{format_half_of(rate.low_gbps, rate.high_gbps, median)}"

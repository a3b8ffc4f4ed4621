"""Whose output it is, and what is known of the machine that it came from: two lines."""

from __future__ import annotations

from streamgage.results.measure.judge import Answer
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_bytes, format_rate

_CHECKED = {True: "its check passed", False: "ITS CHECK FAILED", None: "no check is told of"}


def reported_line(answer: Answer, symbols: Symbols) -> str | None:
    """Benchmark, version, number of tables and its check; null for a run of our own."""
    reported = answer.run.reported
    if reported is None:
        return None
    name = " ".join(part for part in (reported.tool, reported.version) if part)
    parts = [f"Saved output of {name}"]
    if reported.language:
        parts[0] += f" ({reported.language})"
    if reported.processor:
        parts.append(reported.processor)
    parts += [count(reported.tables, "table"), _CHECKED[reported.validated]]
    return symbols.separator.join(parts)


def reported_setting_line(answer: Answer, symbols: Symbols) -> str | None:
    """Threads, arrays, caches and peak, with who says so; null for a run of our own."""
    reported, given = answer.run.reported, answer.given
    if reported is None:
        return None
    parts = []
    threads = given.threads or reported.threads
    parts.append(count(threads, "thread") if threads else "threads unknown (--threads)")
    cores = given.cores or reported.cores
    if cores:
        parts.append(count(cores, "core"))
    size = given.array_bytes or reported.array_bytes
    parts.append(
        f"arrays of {format_bytes(size)}" if size else "size of the arrays unknown (--array-bytes)"
    )
    caches = given.last_level_cache_bytes
    parts.append(
        f"last-level caches {format_bytes(caches)}" if caches else "caches unknown (--llc)"
    )
    if given.peak_gbps:
        parts.append(f"peak {format_rate(given.peak_gbps)} GB/s as given")
    elif answer.run.machine is None:
        parts.append("peak unknown (--peak)")
    return symbols.separator.join(parts)

"""Reads ``sysbench memory``: how fast one block is written or read again and again.

The format follows its printf statements (github.com/akopytov/sysbench:
src/tests/memory/sb_memory.c, 0.4 to 1.0). By default the block is 1 KiB, which fits in a cache.
Then the figure does not describe the memory.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.stream import UNITS
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.units import MIB, format_bytes

HEADER = re.compile(
    r"^[^\n]{0,60}?(?P<moved>[0-9.]{1,20}) (?P<done>[KMGT]i?)B transferred \((?P<rate>\S{1,24})"
    r" (?P<unit>[KMGT]i?)B/sec\)",
    re.M,
)
BEGINNING = re.compile(r"Running memory speed test|Memory operations type", re.I)
_BLOCK = re.compile(r"(?:block size|Memory block size): *([0-9]{1,18}) ?([KMGT]?)(?:i?B)?", re.I)
_OPERATION = re.compile(
    r"(?:(?:operation|Memory operations type): *|--memory-oper[ =])(read|write|none)", re.I
)
_THREADS = re.compile(r"(?:Number of threads: *|--(?:num-)?threads[ =])([0-9]{1,7})", re.I)
_OPERATIONS = re.compile(
    r"(?:Total operations|Operations performed): *(?P<number>[0-9]{1,18})\b"
    r"(?: \( *(?P<per_second>[0-9.]{1,20}) (?:per second|ops/sec)\))?",
    re.I,
)
_VERSION = re.compile(r"sysbench ([0-9][0-9.]{0,12})")
_SCOPE = re.compile(r"(?:scope|Memory scope type): *(global|local)", re.I)
_POWERS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
OWN = re.compile(
    r"sysbench|Running |Number of threads|Initializing|Threads started|Total operations|block size"
    r"|total size|operation|scope|Operations performed|General stat|total |Latency|min|avg|max|95th"
    r"|sum|Threads fair|events|execution|Memory |Doing memory|Test exec|per-request|approx"
    r"|[0-9.]+ M",
    re.I,
)
_SAME = 0.02
"""Two sizes of a block are the same if they differ by at most this share."""
_MOST_BLOCK = 1 << 40
_IN_CACHES = 64 * MIB
"""The smallest block whose figure surely describes the memory."""


def parse(text: str) -> ParsedOutput:
    """Read the figure of every run in ``text``. Raises ``UsageError`` if it has none."""
    matches = list(HEADER.finditer(text))
    if not matches:
        raise UsageError("it holds no result of sysbench memory: name its saved output.")
    notes = Notes("sysbench")
    tables: list[Table] = []
    small: set[int] = set()
    spans = [match.span() for match in matches]
    heads, at_once = _heads(text, spans)
    every = list(_THREADS.finditer(text))
    # A page may name the command once, above the figures of several machines.
    common = every[0] if len(every) == 1 and every[0].end() < spans[0][0] else None
    for match, preamble, place in zip(matches, heads, places(text, spans, OWN), strict=True):
        with notes.or_left_out():
            stated, block = _block(preamble), _block_by_operations(match, preamble)
            corrections: tuple[str, ...] = ()
            if stated is not None and block is not None and not _same(block, stated):
                if _same(_block_by_rate(match, preamble), stated):
                    block = stated
                    corrections = (
                        f"its blocks of {format_bytes(stated)} fit its rate, but not the"
                        f" {match['moved']} {match['done']}B transferred by its operations",
                    )
                else:
                    corrections = (
                        f"it names blocks of {format_bytes(stated)}, and its operations moved"
                        f" {format_bytes(block)} each",
                    )
            elif stated is not None:
                block = stated
            operation = _OPERATION.search(preamble)
            kernel = "load" if operation and operation[1].lower() == "read" else "init"
            if numbers.number(match["moved"]) == 0:
                raise UsageError(_nothing_moved(place.line, stated))
            # It counts in units of 1024. Old versions call them MB, new ones MiB.
            unit = UNITS[match["unit"].lower().removesuffix("i") + "i"]
            rate = numbers.rate(match["rate"], unit, f"line {place.line} ({kernel})")
            threads, version = _THREADS.search(preamble) or common, _VERSION.search(preamble)
            if block is not None and block < _IN_CACHES:
                small.add(block)
            table = Table(
                about=BenchmarkFacts("sysbench", version=version[1] if version else None),
                rows=(Row(kernel=kernel, gbps=rate, code="sysbench memory"),),
                threads=numbers.threads(threads[1]) if threads else None,
                array_bytes=block,
                corrections=corrections,
            )
            tables.append(replace(put(table, place), follows=place.follows and not at_once))
    notes.settle(tables)
    if at_once:
        notes.texts.append(
            f"{at_once} runs of sysbench ran at the same time, as with mpirun: each figure is that"
            " of one of them."
        )
    if small:
        sizes = " and ".join(format_bytes(each) for each in sorted(small)[:3])
        notes.texts.append(
            f"sysbench repeats one block of {sizes}, which a cache holds: its figure belongs to"
            " the cache and to its loop, not to the memory. Use --memory-block-size=1G, or"
            " `streamgage`."
        )
    return ParsedOutput(tuple(tables), notes.sentences())


def _nothing_moved(line: int, block: int | None) -> str:
    size = "" if block is None else f" of {format_bytes(block)}"
    return (
        f"sysbench moved nothing (line {line}): its total size is less than one block{size} for"
        " each thread. Run it again with a larger --memory-total-size or a smaller"
        " --memory-block-size."
    )


def _heads(text: str, figures: Sequence[tuple[int, int]]) -> tuple[list[str], int]:
    """The text before each figure, and the number of simultaneous runs; 0 if they ran one by one.

    The lines of simultaneous runs are mixed: their settings are known only if all are the same.
    """
    begins = [each.start() for each in BEGINNING.finditer(text)]
    open_at = [bisect(begins, start) - ended for ended, (start, _) in enumerate(figures)]
    if max(open_at) <= 1:
        ends = [0, *(end for _, end in figures)]
        return [text[end:start] for end, (start, _) in zip(ends, figures, strict=False)], 0
    before = text[: figures[-1][0]]
    settings = (_BLOCK, _OPERATION, _THREADS, _SCOPE)
    same = all(len({found.groups() for found in each.finditer(before)}) <= 1 for each in settings)
    return [before if same else ""] * len(figures), max(open_at)


def _block_by_operations(match: re.Match[str], preamble: str) -> int | None:
    """The size of a block by the bytes that all operations moved; ``None`` if that is not known."""
    found = next(reversed(list(_OPERATIONS.finditer(preamble))), None)
    moved = numbers.number(match["moved"]) * UNITS[match["done"].lower().removesuffix("i") + "i"]
    if found is None or not 1 <= moved / max(int(found[1]), 1) <= _MOST_BLOCK:
        return None
    return round(moved / int(found[1]))


def _block_by_rate(match: re.Match[str], preamble: str) -> float | None:
    """The size of a block by the rate and the operations in a second; ``None`` without them."""
    found = next(reversed(list(_OPERATIONS.finditer(preamble))), None)
    per_second = numbers.number(found["per_second"] or "") if found else 0.0
    if not per_second > 0:
        return None
    unit = UNITS[match["unit"].lower().removesuffix("i") + "i"]
    return numbers.number(match["rate"]) * unit / per_second


def _same(one: float | None, other: float) -> bool:
    return one is not None and abs(one / other - 1) <= _SAME


def _block(preamble: str) -> int | None:
    found = None
    for match in _BLOCK.finditer(preamble):
        found = match
    if found is None:
        return None
    return numbers.size(int(found[1]) * _POWERS[found[2].upper()], "blocks")


FORMAT = OutputFormat(
    "sysbench", (HEADER,), parse, BEGINNING, ("transferred (",), prints="whole-run"
)

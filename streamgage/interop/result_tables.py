"""Reads tables of results that people write: Markdown and CSV, with kernels in rows or in columns.

Such a table has rates and mostly no times. Its unit has to stand next to the figures, in the header
or right above, and nothing confirms that it counts bytes as STREAM does. A text that holds a
benchmark's own table is left to the reader of that benchmark.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from streamgage.errors import UsageError
from streamgage.interop import babelstream, numbers, stream
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.stream import UNITS
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put

_LABELS = {**stream.LABELS, **babelstream.LABELS}
_KERNEL = rf"(?:{'|'.join(sorted(_LABELS))})"
_CELL = r"[ \t\"*`_]{0,12}"
_ACROSS = (
    rf"\b{_KERNEL}\b[^\n|,;\t]{{0,30}}[|,;\t]{_CELL}{_KERNEL}\b[^\n|,;\t]{{0,30}}(?:[|,;\t]|$)"
)
_ROW = rf"^[ \t>]{{0,12}}\|?{_CELL}{_KERNEL}:?(?: ?\([^)\n]{{0,30}}\))?{_CELL}[|,;\t][^\n]{{1,400}}"
HEADER = re.compile(rf"{_ACROSS}|{_ROW}\n{_ROW}", re.M | re.I)
"""Matches the names of two kernels in neighbouring columns, or in neighbouring rows."""
_UNIT = re.compile(
    r"(?<![A-Za-z])(?P<unit>[KMGT]i?)B(?:ytes?)?(?:/s(?:ec)?\b|ps\b| ?s(?:\^|\*\*)?-1)", re.I
)
_REMARK = re.compile(
    rf"\([^)]{{0,80}}\)|[0-9][0-9.,]{{0,20}} ?(?:{_UNIT.pattern.replace('?P<unit>', '')})", re.I
)
_NAME = re.compile(rf"(?P<kernel>{_KERNEL})\b:?[^|]{{0,40}}", re.I)
_RULE = re.compile(r"[-:|+=\s\u2500-\u257f]+")
_FIGURE = re.compile(
    r"(?P<value>[-+]?[0-9][0-9.,'\u2019 ]{0,24}?(?:[eE][-+]?[0-9]{1,3})?)"
    r"(?: ?(?:±|\+/-|\+-) ?[0-9.,]{1,20} ?%?)?(?: ?\([^)]{0,40}\))?"
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:[ '\u2019][0-9]{3})+(?:[.,][0-9]+)?")
_NO_RATE = re.compile(
    r"%|percent|peak|theor|speed-?up|ratio|efficien|gain|error|std|deviation|\btimes?\b|\bm?sec|\(s\)"
    r"|\b[mu]s\b|latency|diff",
    re.I,
)
_COUNT = re.compile(
    r"(?P<before>[0-9]{1,5})?[ -]?(?:threads?|cores?|cpus?|ranks?)\b"
    r"(?: ?[:=]? ?(?P<after>[0-9]{1,5}))?"
    r"|(?:#|number of|no\. of) ?(?:threads|cores|cpus|ranks)",
    re.I,
)
_OF_LABELS = re.compile(
    r"|(?:kernel|function|test|operation|op|benchmark|name|metric|stream)s?(?: name)?", re.I
)
"""Matches what stands above a column of kernels."""
_LEAST, _MOST = 0.3, 20_000.0
"""The rates of memories in GB/s between which a comma's meaning may be decided."""
_MOST_LINES = 500
_MOST_TABLES = 200
_ABOVE = 3
"""A unit stands at most this many lines above its table."""


@dataclass(frozen=True)
class _Block:
    """A table: its lines without rules, and what stands above it."""

    line: int
    """The number of its first line."""
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """The number and the cells of each line."""
    above: str


def parse(text: str) -> ParsedOutput:
    """Read every table of results. Raises ``UsageError`` if none can be read."""
    notes = Notes("results")
    lines = text.split("\n")
    spans: list[tuple[int, int]] = []
    blocks: list[_Block] = []
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    last = -1
    at, counted = 0, 0
    for found in HEADER.finditer(text):
        at += text.count("\n", counted, found.start())
        counted = found.start()
        if at <= last or len(blocks) >= _MOST_TABLES:
            continue
        first, last = _ends(lines, at)
        blocks.append(_block(lines, first, last))
        spans.append((starts[first], starts[last + 1] - 1))
    tables: list[Table] = []
    own = re.compile(r"\|")
    section = 0
    for block, place in zip(blocks, places(text, spans, own), strict=True):
        with notes.or_left_out():
            made = list(_tables(block))
            for each in made:
                section += each.threads is None or each is made[0]
                heading = each.heading or place.heading
                tables.append(
                    replace(put(each, place), line=each.line, heading=heading, section=section)
                )
    notes.settle(tables, "its tables have no figures of kernels: take the whole table.")
    said = (
        "The tables have rates without times, so nothing confirms that they count bytes as STREAM"
        " does: two arrays for copy and scale, three for add and triad."
    )
    return ParsedOutput(tuple(tables), (*notes.sentences(), said))


def is_in(text: str) -> bool:
    """Return whether a line names kernels in cells, and one near it has a figure in a cell."""
    lines = text.split("\n")
    for found in HEADER.finditer(text):
        block = _block(lines, *_ends(lines, text.count("\n", 0, found.start())))
        if any(_is_figure(cell) for _, cells in block.rows for cell in cells):
            return True
    return False


def _separator(line: str) -> str | None:
    """What separates the cells of a line; ``None`` if nothing does."""
    return next((each for each in "|\t;," if each in line), None)


def _ends(lines: Sequence[str], number: int) -> tuple[int, int]:
    """The first and the last line of the table in which a line stands."""
    separator = _separator(lines[number]) or "|"

    def inside(line: str) -> bool:
        bare = line.strip(" \t>")
        return bool(bare) and (separator in bare or _RULE.fullmatch(bare) is not None)

    first = last = number
    while first > 0 and number - first < _MOST_LINES and inside(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and last - number < _MOST_LINES and inside(lines[last + 1]):
        last += 1
    return first, last


def _block(lines: Sequence[str], first: int, last: int) -> _Block:
    separator = next(filter(None, map(_separator, lines[first : last + 1])), "|")
    rows = []
    for number in range(first, last + 1):
        bare = lines[number].strip(" \t>" if separator != "\t" else " >")
        if not _RULE.fullmatch(bare):
            rows.append((number + 1, _cells(bare, separator)))
    return _Block(first + 1, tuple(rows), "\n".join(lines[max(0, first - _ABOVE) : first]))


def _cells(line: str, separator: str) -> tuple[str, ...]:
    if separator == "|":
        line = line.removeprefix("|").removesuffix("|")
        cells = line.split("|")
    else:
        cells = next(csv.reader([line], delimiter=separator), [])
    return tuple(re.sub(r"\*\*|__|`|<[^>]{0,20}>", "", each).strip(" \t*\u00a0") for each in cells)


def _tables(block: _Block) -> Iterator[Table]:
    """Yield the tables of a block. Raises ``UsageError`` if it has none."""
    head = next(((n, cells) for n, cells in block.rows if _kernels(cells)), None)
    if head is None:
        raise UsageError(f"the table at line {block.line} names no kernel.")
    across = len(_kernels(head[1])) > 1
    found = list(_of_rows(block, *head) if across else _of_columns(block))
    if not found:
        raise UsageError(
            f"the table at line {block.line} has no column of rates that can be read: give each"
            " kernel one figure with its unit, such as 37.2 GB/s."
        )
    yield from found


def _kernels(cells: Sequence[str]) -> dict[int, str]:
    """The kernel that each cell names, by its column."""
    found = {}
    for column, cell in enumerate(cells):
        named = _NAME.fullmatch(cell)
        if named is not None and not _is_figure(cell):
            found[column] = _LABELS[named["kernel"].lower()]
    return found if len(set(found.values())) == len(found) else {}


def _is_figure(cell: str) -> bool:
    return _FIGURE.fullmatch(_UNIT.sub("", cell).strip()) is not None


def _of_rows(block: _Block, number: int, head: Sequence[str]) -> Iterator[Table]:
    """Yield a table for each row of a block whose columns are kernels."""
    kernels = _kernels(head)
    counts = [c for c, cell in enumerate(head) if c not in kernels and _COUNT.fullmatch(cell)]
    others = [c for c in range(min(kernels)) if c not in counts]
    units = {c: _unit(head[c]) or _unit_around(block, head, kernels) for c in kernels}
    for line, printed in block.rows:
        if line <= number:
            continue
        cells, extra = _below(head, kernels, printed, line)
        texts = {c: cells[c] for c in kernels if c < len(cells) and _is_figure(cells[c])}
        if not texts:
            continue
        rates = {kernels[c]: rate for c, rate in _rates(texts, units, f"line {line}").items()}
        label = " ".join([extra, *(cells[c] for c in others if c < len(cells))]).strip()
        threads = next((cells[c] for c in counts if c < len(cells) and cells[c].isdecimal()), None)
        yield _table(rates, line, block, label or None, threads)


def _below(
    head: Sequence[str], kernels: Mapping[int, str], cells: Sequence[str], line: int
) -> tuple[Sequence[str], str]:
    """The cells that stand below those of the header, and the label that has no header.

    Raises ``UsageError`` if it is not clear which cell stands below which.
    """
    if len(cells) == len(head) + 1 and 0 in kernels and not _is_figure(cells[0]):
        return cells[1:], cells[0]
    if len(cells) == len(head) - 1 and 0 not in kernels and _is_figure(cells[0]):
        raise UsageError(
            f"line {line} has {len(cells)} cells below a header of {len(head)}: give each cell its"
            " column."
        )
    return cells, ""


def _of_columns(block: _Block) -> Iterator[Table]:
    """Yield a table for each column of rates of a block whose rows are kernels."""
    rows = {n: cells for n, cells in block.rows if _kernels(cells)}
    first = next(iter(rows))
    head = next((cells for n, cells in reversed(block.rows) if n < first), ())
    labels = {n: next(iter(_kernels(cells).items())) for n, cells in rows.items()}
    names = [kernel for _, kernel in labels.values()]
    if len(set(names)) != len(names):
        raise UsageError(
            f"the table at line {block.line} has several rows of one kernel: give each run a table."
        )
    at = min(column for column, _ in labels.values())
    width = max(map(len, rows.values()))
    if head and len(head) == width - 1 and at == 0 and not _OF_LABELS.fullmatch(head[0]):
        head = ("", *head)
    problem: UsageError | None = None
    found = False
    for column in range(width):
        name = head[column] if column < len(head) else ""
        unit = _unit(name)
        texts = {n: cells[column] for n, cells in rows.items() if column < len(cells)}
        texts = {n: each for n, each in texts.items() if _is_figure(each)}
        if column == at or not texts or _NO_RATE.search(_UNIT.sub("", name)):
            continue
        count = _COUNT.search(name)
        if unit is None and count is not None and not (count["before"] or count["after"]):
            continue
        units = dict.fromkeys(texts, unit or _unit_around(block, head, {}))
        try:
            rates = _rates(texts, units, f"the table at line {block.line}")
        except UsageError as error:
            problem = problem or error
            continue
        found = True
        label = _UNIT.sub("", name).strip(" ()[]:,-")
        threads = (count["before"] or count["after"]) if count is not None else None
        generic = not label or re.fullmatch(
            r"(?:best |max |avg )?(?:rate|bandwidth|result)s?", label, re.I
        )
        by_kernel = {labels[n][1]: rate for n, rate in rates.items()}
        yield _table(by_kernel, first, block, None if generic or threads else label, threads)
    if not found and problem is not None:
        raise problem


def _unit(text: str) -> str | None:
    found = _UNIT.search(text)
    return found["unit"].lower() if found else None


def _unit_around(block: _Block, head: Sequence[str], taken: Mapping[int, str]) -> str | None:
    """The one unit that other cells of the header or the lines above name.

    In a line above, what stands in brackets or behind a figure is a remark on that unit.
    """
    cells = [cell for c, cell in enumerate(head) if c not in taken]
    if not any(map(_UNIT.search, cells)):
        for line in reversed(block.above.split("\n")):
            bare = _REMARK.sub("", line)
            named = {found["unit"].lower() for found in _UNIT.finditer(bare)}
            if named:
                return named.pop() if len(named) == 1 else None
    for texts in (cells, [block.above]):
        units = {found["unit"].lower() for text in texts for found in _UNIT.finditer(text)}
        if len(units) == 1:
            return units.pop()
    return None


def _rates(
    texts: Mapping[int, str], units: Mapping[int, str | None], where: str
) -> dict[int, float]:
    """The rates in GB/s. Raises ``UsageError`` for one without a unit or a clear meaning."""
    found: dict[int, float] = {}
    figures = {}
    for key, text in texts.items():
        match = _FIGURE.fullmatch(_UNIT.sub("", text).strip())
        value = match["value"] if match is not None else ""
        figures[key] = re.sub(r"[ '\u2019]", "", value) if _GROUPED.fullmatch(value) else value
    plain = numbers.with_points([[each] for each in figures.values()])
    grouped = all(numbers.is_grouped(each) for each in figures.values() if "," in each)
    for (key, text), words in zip(texts.items(), plain, strict=True):
        unit = _unit(text) or units[key]
        if unit is None:
            raise UsageError(
                f"{where} has {text[:40]!r} without a unit: write it in the header or next to the"
                " figure, such as 37.2 GB/s."
            )
        ways = [words[0] if words else figures[key]]
        if "," in figures[key] and "." not in figures[key] and grouped:
            ways = [figures[key].replace(",", "."), figures[key].replace(",", "")]
        usual = [e for e in ways if _LEAST <= numbers.number(e) * UNITS[unit] / 1e9 <= _MOST]
        if len(ways) > 1 and len(usual) != 1:
            raise UsageError(
                f"{where} has {text[:40]!r}, whose comma may be decimal or not: write a point."
            )
        found[key] = numbers.rate((usual or ways)[0], UNITS[unit], where)
    return found


def _table(
    rates: Mapping[str, float], line: int, block: _Block, label: str | None, threads: str | None
) -> Table:
    tool: str = "STREAM"
    if rates.keys() - {"copy", "scale", "add", "triad"} or "babel" in block.above.lower():
        tool = "BabelStream"
    return Table(
        about=BenchmarkFacts(tool),
        rows=tuple(Row(kernel=kernel, gbps=gbps) for kernel, gbps in rates.items()),
        threads=numbers.threads(threads) if threads else None,
        line=line,
        heading=label[:80] if label else None,
    )

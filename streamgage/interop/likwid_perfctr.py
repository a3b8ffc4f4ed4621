"""Reads likwid-perfctr's MEM groups: what the counters of the memory controllers saw.

The formats follow its source (github.com/RRZE-HPC/likwid: src/applications/likwid-perfctr.lua and
groups/*/MEM*.txt) and saved outputs, as tables and as ``-O``'s CSV, with and without regions of the
marker interface, also through likwid-mpirun. MBytes are 10^6 bytes. Only one thread of each socket
reads the counters of its memory, so the others have 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.counted_traffic import ABOUT_STORES, Traffic, total_of, traffic_table
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts
from streamgage.units import listed

_METRIC = (
    r"(?P<memory>(?:MCDRAM |HBM |DDR )?Memory |(?:MCDRAM|HBM|DDR|PMM) )"
    r"(?:(?P<way>read|load|write|store|evict) )?"
    r"(?P<figure>bandwidth|data volume)(?P<part> \([^()|,\n]{1,40}\))? \[[MG]Bytes(?:/s)?\]"
    r"(?P<stat> STAT)?"
)
HEADER = re.compile(
    r"^[ \t>|]{0,20}" + re.sub(r"\?P<\w+>", "?:", _METRIC) + r"[ \t]{0,60}[|,;][^\n]{1,4000}$",
    re.M | re.I,
)
"""Matches a row with a rate of the memory, which no other group has."""
OTHER_GROUPS = re.compile(
    r"[\s\S]*?(?:^|\n)(?:Region [^\n]{1,80}, ?)?(?:Group 1: |TABLE,[^\n]{0,80}Group 1 )[\s\S]*"
)
WHY_NO_OTHERS = (
    "it has groups of likwid-perfctr without a rate of the memory: run it with -g MEM, and take its"
    " whole output."
)
OWN = re.compile(
    r"[-+|]{3}|CPU (?:name|type|clock)|Group|Region|TABLE|STRUCT|Metric|Event|\||Marker|WARNING",
    re.I,
)
_ROW = re.compile(_METRIC, re.I)
_RUNTIME = re.compile(r"Runtime \(RDTSC\) \[s\](?: STAT)?", re.I)
_GROUP = re.compile(
    r"(?:Region:? (?P<region>[^,;\n|]{1,80})[,;] ?)?Group:? ?[0-9]{1,4}"
    r"(?:(?: (?:Metric|Raw)[^,;\n]{0,8})?[:,;] ?)?(?P<name>[A-Z][A-Z0-9_]{1,20})?(?=$|[,;\s])"
)
_NAME = re.compile(r"^[ \t>|]{0,20}CPU name:[ \t,;]{1,20}(?P<name>[^\n,;|]{4,80})", re.M)
_WAYS = {
    **{"read": "read", "load": "read"},
    **{"write": "written", "store": "written", "evict": "written", "": "printed"},
}
_MOST_ROWS = 16
_MOST_LINES = 200_000
_SLACK = 0.05
"""Volume over time and the bandwidth agree if they differ by at most this share."""
_HALVES = re.compile(r"MEM[12]")
_DESCRIPTION = "read and written on the memory bus, as counters saw it"


@dataclass
class _Block:
    """The metrics of one group in one region."""

    region: str
    group: str
    line: int
    start: int
    end: int = 0
    threads: Sequence[str] = ()
    labels: set[str] | None = None
    """The labels of the rows, if no line names its columns; else ``None``."""
    in_sums: bool = False
    """``True`` while the rows are sums over all threads."""
    rates: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """The cells of each memory's rates, by what they count."""
    sums: dict[str, dict[str, str]] = field(default_factory=dict)
    """The sums over all threads, where the output has them."""
    volumes: dict[str, list[str]] = field(default_factory=dict)
    """The cells of each memory's whole volume."""
    runtime: list[str] = field(default_factory=list)


def parse(text: str) -> ParsedOutput:
    """Read every group with rates of the memory. Raises ``UsageError`` if there is none."""
    notes = Notes("likwid-perfctr")
    runs = _runs(_blocks(text))
    spans = [(run[0].start, run[-1].end) for run in runs]
    found = _NAME.search(text)
    about = BenchmarkFacts(
        "likwid-perfctr", processor=" ".join(found["name"].split()) if found else None
    )
    charts = []
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        tables = [table for each in run for table in _tables(each, notes)]
        if tables:
            charts.append(
                LinkTables(
                    about=about,
                    line=run[0].line,
                    heading=run[0].region or place.heading,
                    tests=tuple(tables),
                )
            )
    if not charts:
        raise UsageError(
            notes.why("it has no rate of the memory that likwid-perfctr counted: use -g MEM.")
        )
    halves = sorted({each.group for run in runs for each in run if _HALVES.fullmatch(each.group)})
    if halves:
        notes.texts.append(
            f"{listed(halves)} each count one half of the memory's channels: add both for the whole"
            " memory."
        )
    said = ABOUT_STORES.format(tool="likwid-perfctr")
    return ParsedOutput((), (*notes.sentences(), said), tuple(charts))


def _runs(blocks: Sequence[_Block]) -> list[list[_Block]]:
    """Put the groups of one region of a run together."""
    runs: list[list[_Block]] = []
    for each in blocks:
        last = runs[-1] if runs else []
        fits = last and last[0].region == each.region
        if fits and each.group not in {other.group for other in last}:
            last.append(each)
        else:
            runs.append([each])
    return runs


def _blocks(text: str) -> list[_Block]:
    """The blocks of metrics that have a rate of the memory; those of one group are one block."""
    found: list[_Block] = []
    region, group = "", ""
    block: _Block | None = None
    place = 0
    for number, line in enumerate(text.split("\n")[:_MOST_LINES], 1):
        cells = _cells(line)
        named = _GROUP.search(line) if not line.lstrip(" \t>").startswith("|") else None
        if named is not None:
            region, group = (named["region"] or "").strip(), named["name"] or group
            block = None
        elif cells and cells[0].lower() == "metric":
            sums = len(cells) > 1 and cells[1].lower() == "sum"
            last = found[-1] if found else None
            if sums and last and (last.region, last.group) == (region, group):
                block = last
            else:
                block = _Block(region, group, number, place, threads=() if sums else cells[1:])
                found.append(block)
            block.in_sums = sums
        elif len(cells) > 1:
            if _begins_without_names(block, cells[0]):
                columns = [f"column {each}" for each in range(1, len(cells))]
                threads = columns if len(columns) > 1 else ["all"]
                block = _Block(region, group, number, place, threads=threads, labels=set())
                found.append(block)
            if block is not None:
                _into(block, cells)
                block.end = place + len(line)
        place += len(line) + 1
    return [each for each in found if each.rates or each.sums]


def _begins_without_names(block: _Block | None, label: str) -> bool:
    """Return whether a row begins a block whose columns no line names, as grep leaves it."""
    if _ROW.fullmatch(label) is None:
        return False
    return block is None or (block.labels is not None and label in block.labels)


def _cells(line: str) -> list[str]:
    """The cells of a row of a table or of CSV."""
    bare = line.strip(" \t>")
    if bare.startswith("|"):
        return [each.strip(" *`") for each in bare.strip("|").split("|")]
    for separator in ",;":
        if separator in bare:
            return [each.strip(' "') for each in bare.rstrip(separator).split(separator)]
    return []


def _into(block: _Block, cells: Sequence[str]) -> None:
    label, figures = cells[0], list(cells[1:])
    if _RUNTIME.fullmatch(label) and not block.in_sums:
        block.runtime = figures
    found = _ROW.fullmatch(label)
    if found is None:
        return
    if block.labels is not None:
        block.labels.add(label)
        block.in_sums = found["stat"] is not None
    memory = f"{found['memory'].strip()}{found['part'] or ''}"
    way = _WAYS[(found["way"] or "").lower()]
    if found["figure"].lower() == "bandwidth":
        if block.in_sums:
            block.sums.setdefault(memory, {})[way] = figures[0]
        else:
            block.rates.setdefault(memory, {})[way] = figures
    elif way == "printed" and not block.in_sums:
        block.volumes[memory] = figures


def _tables(block: _Block, notes: Notes) -> Iterator[LinkTable]:
    """Yield the traffic of each memory that a group counts."""
    for memory in dict.fromkeys((*block.rates, *block.sums)):
        where = f"the group {block.group or 'of likwid-perfctr'} at line {block.line}"
        rows = _rows(block, memory)
        others = [n for n in dict.fromkeys((*block.rates, *block.sums)) if n != memory]
        name = " ".join(filter(None, ("traffic", block.group, memory if others else "")))
        table, problem = traffic_table(name, _DESCRIPTION, rows, where, row_axis="counted by")
        if table is None:
            notes.left_table(f"{problem}.")
            continue
        problem = problem or _unlike_volume(block, memory, where)
        if problem:
            notes.texts.append(f"likwid-perfctr contradicts itself: {problem}.")
        yield table


def _rows(block: _Block, memory: str) -> dict[str, Traffic]:
    """The traffic that each thread counted, and of all together."""
    cells = block.rates.get(memory, {})
    threads: dict[str, Traffic] = {}
    for number, name in enumerate(block.threads):
        figures = {what: _gbps(row, number) for what, row in cells.items()}
        if any(each is not None and each > 0 for each in figures.values()):
            threads[name] = Traffic(**figures)
    sums = {what: _gbps([cell], 0) for what, cell in block.sums.get(memory, {}).items()}
    everything = Traffic(**sums) if sums else total_of(threads)
    shown = threads if len(threads) <= _MOST_ROWS else {}
    return {**shown, "all": everything}


def _gbps(cells: Sequence[str], number: int) -> float | None:
    value = numbers.number(cells[number]) / 1e3 if number < len(cells) else math.nan
    return None if math.isnan(value) else value


def _unlike_volume(block: _Block, memory: str, where: str) -> str:
    """Part of a sentence if a bandwidth is not its volume over the time; else empty."""
    rates = block.rates.get(memory, {}).get("printed", [])
    for rate, volume, time in zip(
        rates, block.volumes.get(memory, []), block.runtime, strict=False
    ):
        gbps, gigabytes, seconds = (numbers.number(each) for each in (rate, volume, time))
        coarse = 2 * (numbers.rounding(volume) + numbers.rounding(time))
        if not (gbps > 0 and gigabytes > 0 and seconds > 0) or coarse > _SLACK:
            continue
        if abs(gigabytes / seconds / (gbps / 1e3) - 1) > _SLACK:
            return (
                f"{where} has {gbps / 1e3:.4g} GB/s, but {volume} GB in {time} s are"
                f" {gigabytes / seconds:.4g} GB/s"
            )
    return ""


FORMAT = OutputFormat(
    "likwid-perfctr",
    (HEADER,),
    parse,
    words=("Bytes/s]",),
    gap=OTHER_GROUPS,
    why_gap=WHY_NO_OTHERS,
    prints="traffic",
)

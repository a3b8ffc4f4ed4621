"""Reads stress-ng's ``stream``: what copy, scale, add and triad in turn read and write.

The formats follow its printf statements (github.com/ColinIanKing/stress-ng: stress-stream.c, 0.09,
0.15 and 0.19) and saved outputs of versions between them. Its MB are of 2^20 bytes: 4 operations
for 32 bytes written prove it where both are printed. A figure is that of one instance; the summary
has their mean. Old versions print reads and writes together. Their Mflop/s are eight times too
many: 4 for each byte of an array.
"""

from __future__ import annotations

import re

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.units import MIB, count

_OF_INSTANCE = (
    r"(?:\[(?P<process>[0-9]{1,10})\] )?(?:stress-ng-)?stream: memory rate:"
    r" (?:(?P<read>[0-9.]{1,20}) MB read/sec, (?P<written>[0-9.]{1,20}) MB write/sec"
    r"|(?P<moved>[0-9.]{1,20}) MB/sec),"
    r" (?P<flops>[0-9.]{1,20}) (?:double precision )?Mflop/sec"
    r"(?: \((?:args->)?instance (?P<number>[0-9]{1,6}))?"
)
_SUMMARY = (
    r"\bstream[ \t]{1,40}(?P<rate>[0-9.]{1,20})[ \t]{1,8}(?:(?:MB per sec )?memory"
    r" (?P<way>read|write) rate(?: \(MB per sec\))?"
    r"|memory rate \((?P<both>MB) per sec\)|memory rate \(Mflop per sec\)"
    r"|Mflop per sec[^\n(]{0,10}(?:\([^)\n]{1,30}\) )?compute rate)"
    r" \((?:(?:harmonic|geome\w{1,6}) mean(?: of (?P<instances>[0-9]{1,6}) instances?)?"
    r"|average per stressor)\)"
)
_STARTED = re.compile(r"dispatching hogs: [^\n]{0,200}?\b(?P<instances>[0-9]{1,6}) stream\b")
"""Matches the number of instances that stress-ng starts."""
HEADER = re.compile(rf"{_OF_INSTANCE}|{_SUMMARY}")
OWN = re.compile(r"stress-ng: ", re.I)
KERNEL = "mix-3:2"
_FLOPS_PER_BYTE_WRITTEN = 1 / 8
_PRINTED_FLOPS_PER_BYTE_MOVED = 4 / 10
"""What old versions print: per iteration 4 x the bytes of an array, and 10 x those moved."""
_SLACK = 0.01


def parse(text: str) -> ParsedOutput:
    """Read the figures of every run in ``text``. Raises ``UsageError`` if it has none."""
    runs: list[list[re.Match[str]]] = []
    for found in HEADER.finditer(text):
        again = runs and _what(found) in {_what(each) for each in runs[-1]}
        ended = runs and runs[-1][-1]["rate"] and not found["rate"]
        if not runs or again or ended:
            runs.append([])
        runs[-1].append(found)
    if not runs:
        raise UsageError("it has no memory rate of stress-ng's stream: take its whole output.")
    notes = Notes("stress-ng")
    tables: list[Table] = []
    spans = [(each[0].start(), each[-1].end()) for each in runs]
    before = 0
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        started = list(_STARTED.finditer(text, before, run[0].start()))
        before = run[-1].end()
        with notes.or_left_out():
            where = f"the output at line {place.line}"
            table = _table(run, int(started[-1]["instances"]) if started else 0, where)
            tables.append(put(table, place))
            if table.threads is None:
                notes.texts.append(
                    f"At line {place.line}, stress-ng prints the rate of one instance, but not how"
                    " many ran. Multiply the rate by their number."
                )
    notes.settle(tables)
    mixed = (
        "stress-ng runs copy, scale, add and triad in turn and prints one rate for all of them: 6"
        " bytes are read for 4 that are written, as it counts. Its arrays are often small enough"
        " for caches."
    )
    return ParsedOutput(tuple(tables), (*notes.sentences(), mixed))


def _what(found: re.Match[str]) -> str:
    if found["flops"]:
        return found["number"] or f"process {found['process']}"
    return found["way"] or found["both"] or "compute"


def _table(run: list[re.Match[str]], started: int, where: str) -> Table:
    """Make the table of all instances together.

    ``started``: how many instances the text says that there are; 0 if it does not. If nothing
    shows how many there are, the table is that of one, without a number of threads.
    """
    singles = [each for each in run if each["flops"]]
    means = {_what(each): each for each in run if each["way"] or each["both"]}
    ways = ("read", "write") if {"read", "write"} <= means.keys() else ("MB",)
    if means.keys() >= set(ways):
        instances = max(int(means[ways[0]]["instances"] or 0), len(singles), started)
        each_gbps = sum(numbers.rate(means[way]["rate"], MIB, where) for way in ways)
        gbps = max(instances, 1) * each_gbps
    elif singles:
        instances = len(singles)
        gbps = sum(
            numbers.rate(each[way], MIB, where)
            for each in singles
            for way in ("read", "written", "moved")
            if each[way]
        )
    else:
        raise UsageError(f"{where} has no rate of reads and of writes: take the whole output.")
    return Table(
        about=BenchmarkFacts("stress-ng"),
        rows=(Row(kernel=KERNEL, gbps=gbps, code=count(max(instances, 1), "instance")),),
        threads=numbers.threads(str(instances)) if instances else None,
        element_type="double",
        corrections=tuple(each for single in singles for each in _contradiction(single)),
    )


def _contradiction(single: re.Match[str]) -> list[str]:
    """A sentence if reads, writes and operations of an instance do not fit each other."""
    name = f"instance {single['number']}" if single["number"] else _what(single)
    if single["moved"]:
        moved, printed = numbers.number(single["moved"]), numbers.number(single["flops"])
        if moved > 0 and abs(printed / moved / _PRINTED_FLOPS_PER_BYTE_MOVED - 1) <= _SLACK:
            return []
        return [
            f"{name} moves {single['moved']} MB/s at {single['flops']} Mflop/s, but it prints 4"
            " operations for 10 bytes"
        ]
    read, written = numbers.number(single["read"]), numbers.number(single["written"])
    flops = numbers.number(single["flops"]) * 1e6
    fits = written > 0 and abs(read / written / 1.5 - 1) <= _SLACK
    per_byte = flops / (written * MIB) / _FLOPS_PER_BYTE_WRITTEN if written > 0 else 0.0
    if fits and abs(per_byte - 1) <= _SLACK:
        return []
    return [
        f"{name} reads {single['read']} and writes {single['written']} MB/s at"
        f" {single['flops']} Mflop/s, but its loops read 6 bytes for 4 written and do 1 operation"
        " for 8 written"
    ]


FORMAT = OutputFormat(
    "stress-ng", (HEADER,), parse, words=("memory rate", "memory read rate"), prints="whole-run"
)

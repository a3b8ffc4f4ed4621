"""Reads mbw: how fast one array is copied to another by memcpy, by a loop, and by memcpy of blocks.

The format follows its printf statements (github.com/raas/mbw: mbw.c). It prints MiB/s for every
pass and for their mean; each copied byte counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.cross_check import TOLERANCE
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import Place, places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.units import MIB

HEADER = re.compile(
    r"(?:^|(?<=[\s>]))(?P<pass>[0-9]{1,9}|AVG)[ \t]{1,16}Method: (?P<method>MEMCPY|DUMB|MCBLOCK)"
    r"[ \t]{1,16}Elapsed: (?P<seconds>\S{1,24})[ \t]{1,16}MiB: (?P<mib>\S{1,24})[ \t]{1,16}Copy:"
    r" (?P<rate>\S{1,24}) MiB/s"
)
_LINE = re.compile(r"^[^\n]{0,80}?\b(?:[0-9]{1,9}|AVG)[ \t]{1,16}Method: [^\n]{0,200}$", re.M)
"""Matches the line of a pass, complete or not."""
OWN = re.compile(
    r"(?:[0-9]+|AVG)\s+Method:|Long uses|Using [0-9]|Getting down|\$ |[^\n]{0,80}\bmbw "
)
BEGINNING = re.compile(r"Long uses [0-9]+ bytes\. Allocating 2\*")
_CODES = {"MEMCPY": "memcpy", "DUMB": "loop", "MCBLOCK": "memcpy of blocks"}
_THREADS = re.compile(r"Using ([0-9]{1,6}) worker threads")
_READ_AND_WRITTEN = 2
_ONCE = (
    "mbw counts each copied byte once. The rates shown are twice as high: like STREAM, they count"
    " the bytes read and the bytes written."
)


@dataclass
class _Run:
    passes: dict[str, list[re.Match[str]]] = field(default_factory=dict)
    """The lines of each method: its passes, then their mean."""

    def takes(self, line: re.Match[str]) -> bool:
        """Return whether a line continues this run."""
        every = [each for lines in self.passes.values() for each in lines]
        if every and every[0]["mib"] != line["mib"]:
            return False
        known = {each["pass"] for each in self.passes.get(line["method"], ())}
        return line["pass"] not in known and "AVG" not in known

    @property
    def span(self) -> tuple[int, int]:
        lines = [each for lines in self.passes.values() for each in lines]
        return lines[0].start(), lines[-1].end()


def parse(text: str) -> ParsedOutput:
    """Read the runs in ``text``. Raises ``UsageError`` if it has none."""
    runs: list[_Run] = []
    for line in HEADER.finditer(text):
        if not runs or not runs[-1].takes(line):
            runs.append(_Run())
        runs[-1].passes.setdefault(line["method"], []).append(line)
    if not runs:
        raise UsageError("it holds no figures of mbw: name its saved output.")
    notes = Notes("mbw")
    spans = [each.span for each in runs]
    tables: list[Table] = []
    before = 0
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        preamble = text[before : run.span[0]]
        before = run.span[1]
        of_run: list[Table] = []
        for method, lines in run.passes.items():
            with notes.or_left_out():
                of_run.append(put(_table(method, lines, preamble, place), place))
        methods = {table.rows[0].code: table.rows[0].gbps for table in of_run}
        tables += [replace(table, methods=methods) for table in of_run]
    for each in _LINE.finditer(text):
        if HEADER.search(each[0]) is None:
            number = text.count("\n", 0, each.start()) + 1
            notes.lost(number, "the rate of its copy is missing.")
    notes.settle(tables)
    return ParsedOutput(tuple(tables), (*notes.sentences(), _ONCE))


def _table(method: str, lines: Sequence[re.Match[str]], preamble: str, place: Place) -> Table:
    """Make one table per method. All methods copy, so each has a curve of its own in a scaling."""
    threads = _THREADS.search(preamble)
    return Table(
        about=BenchmarkFacts("mbw"),
        rows=(_row(method, lines, place.line),),
        threads=numbers.threads(threads[1]) if threads else 1,
        array_bytes=numbers.size(numbers.number(lines[0]["mib"]) * MIB, "arrays"),
        corrections=tuple(_contradictions(lines)),
    )


def _contradictions(lines: Sequence[re.Match[str]]) -> Iterator[str]:
    """Yield what is wrong where the time of a line times its rate is not the size of the array."""
    for each in lines:
        seconds, rate = numbers.number(each["seconds"]), numbers.number(each["rate"])
        size = numbers.number(each["mib"])
        slack = TOLERANCE + numbers.rounding(each["seconds"])
        if abs(seconds * rate / size - 1) > slack:
            yield (
                f"{each['method']} copied {each['mib']} MiB at {each['rate']} MiB/s, but its"
                f" {each['seconds']} s at that rate are {seconds * rate:.4g} MiB"
            )
            break


def _row(method: str, lines: Sequence[re.Match[str]], line: int) -> Row:
    """The mean over the passes, as printed.

    If the output is cut off, it is that of the passes in it.
    """
    where = f"the output at line {line} ({method})"
    rates = [
        numbers.rate(each["rate"], MIB * _READ_AND_WRITTEN, where)
        for each in lines
        if each["pass"] == "AVG"
    ]
    if not rates:
        each_pass = [numbers.rate(e["rate"], MIB * _READ_AND_WRITTEN, where) for e in lines]
        rates = [len(each_pass) / sum(1 / each for each in each_pass)]
    return Row(kernel="copy", gbps=rates[0], code=_CODES[method])


FORMAT = OutputFormat("mbw", (HEADER,), parse, BEGINNING, (" MiB/s",), prints="whole-run")

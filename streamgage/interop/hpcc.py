"""Reads STREAM in the HPC Challenge (HPCC): ``hpccoutf.txt``, whole, cut off, or filtered by grep.

The format follows its printf statements (github.com/icl-utk-edu/hpcc: src/hpcc.c, STREAM/onecpu.c).
Each figure occurs twice: in the section of its test, and as ``NAME=VALUE`` in the summary at the
end. SingleSTREAM is the rate of one process alone. StarSTREAM is the mean rate of a process while
all of them run. Both are in GB/s of 10^9 bytes. Each process has arrays of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.endings import ending_of
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import Place, places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.units import format_gbps

HEADER = re.compile(
    r"Begin of Summary section|^Begin of (?:Star|Single)STREAM section"
    r"|\b(?:Star|Single)STREAM_(?:Copy|Scale|Add|Triad)=",
    re.M,
)
SECTION = re.compile(r"^(?:Begin|(?P<end>End)) of (?:Star|Single)STREAM section\b", re.M)
"""Matches the begin and end of a section with the table of one process, which looks like STREAM's
own."""
OWN = re.compile(r"#{3,}|HPC Challenge|This is|For a version|Copyright|\w+=|Current time|\*+", re.I)
BEGINNING = re.compile(r"HPC Challenge Benchmark")
_KERNELS = ("copy", "scale", "add", "triad")
_ITEM = re.compile(
    r"^[^\n=]{0,60}?\b(?P<name>(?:Star|Single)STREAM_[A-Z][a-z]{1,8}|CommWorldProcs|sizeof_double"
    r"|STREAM_Threads|STREAM_VectorSize|Success)=(?P<value>\S{1,40})[ \t]*$"
    r"|^(?P<test>Average|Single STREAM) (?P<kernel>[A-Z][a-z]{1,8}) GB/s (?P<rate>\S{1,40})[ \t]*$"
    r"|^Running on (?P<processes>[0-9]{1,9}) processors\b"
    r"|^Array size = (?P<size>[0-9]{1,15}), Offset"
    r"|^(?P<summary>Begin of Summary section)"
    r"|(?P<banner>HPC Challenge Benchmark)"
    r"(?: (?:version|v) ?(?P<version>[0-9][0-9.]{0,10}[a-z]?))?",
    re.M,
)


@dataclass
class _Run:
    """The figures of one run, by their names in the summary in lower case."""

    start: int
    end: int
    version: str | None = None
    sections: dict[str, str] = field(default_factory=dict)
    summary: dict[str, str] = field(default_factory=dict)
    ended: bool = False
    """``True`` if its summary begins, even if that has no figure of STREAM."""

    @property
    def figures(self) -> dict[str, str]:
        """Each figure, from the summary if it is there, else from the section of its test."""
        return self.sections | self.summary

    @property
    def counts(self) -> bool:
        """``True`` if it has a summary or a figure of STREAM, not only a banner or other tests."""
        return self.ended or any(
            f"stream_{each}" in name for each in _KERNELS for name in self.figures
        )


def parse(text: str) -> ParsedOutput:
    """Read the figures of every run in ``text``. Raises ``UsageError`` if it has none."""
    runs = [each for each in _runs(text) if each.counts]
    if not runs:
        raise UsageError("it holds no figures of HPCC's STREAM: name its saved output.")
    notes = Notes("HPCC")
    spans = [(each.start, each.end) for each in runs]
    tables: list[Table] = []
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        with notes.or_left_out():
            tables += _tables(run, ending_of(text[run.start :]), place, notes)
    notes.settle(tables)
    return ParsedOutput(tuple(tables), notes.sentences())


def _runs(text: str) -> list[_Run]:
    """The runs in the order of the text. A repeated figure belongs to the next run."""
    found: list[_Run] = []
    for item in _ITEM.finditer(text):
        name, value, summary = _name_and_value(item)
        run = found[-1] if found else None
        again = run is not None and name in (run.summary if summary else run.figures)
        if run is None or again or item["banner"] or (item["summary"] and run.ended):
            run = _Run(item.start(), item.end(), version=item["version"])
            found.append(run)
        if item["summary"]:
            run.ended = True
            run.start = item.start()
        elif value:
            (run.summary if summary else run.sections)[name] = value
            if len(run.figures) == 1:
                run.start = item.start()
        run.end = item.end()
    return found


def _name_and_value(item: re.Match[str]) -> tuple[str, str, bool]:
    """The name and the value of a figure, and whether it is in the summary.

    Name and value are empty for other items.
    """
    if item["name"]:
        return item["name"].lower(), item["value"], True
    if item["test"]:
        test = "starstream" if item["test"] == "Average" else "singlestream"
        return f"{test}_{item['kernel'].lower()}", item["rate"], False
    if item["processes"]:
        return "commworldprocs", item["processes"], False
    return ("stream_vectorsize", item["size"], False) if item["size"] else ("", "", False)


def _tables(run: _Run, ending: str | None, place: Place, notes: Notes) -> list[Table]:
    """The tables of a run: of the process alone, and of all processes together."""
    figures = run.figures
    about = BenchmarkFacts("HPCC", version=run.version)
    ranks = numbers.threads(figures["commworldprocs"]) if "commworldprocs" in figures else None
    threads_per_rank = (
        numbers.threads(figures["stream_threads"]) if "stream_threads" in figures else 1
    )
    size = None
    if "stream_vectorsize" in figures:
        width = numbers.number(figures.get("sizeof_double", "8"))
        size = numbers.size(numbers.number(figures["stream_vectorsize"]) * width, "arrays")
    cut = None
    if run.sections and not run.ended and not run.summary:
        cut = "the summary is missing" + (f"; the output ends with: {ending}" if ending else "")
    found: list[Table] = []
    star = _rows(figures, "starstream", place.line, notes, ranks or 1)
    single = _rows(figures, "singlestream", place.line, notes, 1)
    for rows, number in ((single, 1), (star, ranks)):
        if not rows:
            continue
        found.append(
            replace(
                put(
                    Table(
                        about=about,
                        rows=rows,
                        threads=threads_per_rank * number if number else None,
                        ranks=number,
                        array_bytes=size,
                        element_type="double",
                        validated={"1": True, "0": False}.get(figures.get("success", "")),
                        cut=cut,
                    ),
                    place,
                ),
                heading=place.heading if number else "StarSTREAM, one process",
                follows=True if found else place.follows,
            )
        )
    if not found:
        raise UsageError(
            f"the summary of HPCC at line {place.line} has no figures of STREAM"
            + (f" and ends with: {ending}" if ending else "")
            + ": take the whole hpccoutf.txt of a run with STREAM."
        )
    if star:
        notes.texts.append(_of_star({row.kernel: row.gbps for row in star}.get("triad"), ranks))
    return found


def _of_star(triad: float | None, ranks: int | None) -> str:
    """The sentence that explains the figures of the run of all processes."""
    if ranks is None:
        return (
            "HPCC prints the rate of one process while all run, but this text does not say how"
            " many ran: StarSTREAM is shown for one process. Add the line CommWorldProcs=... of"
            " hpccoutf.txt to get the sum."
        )
    per = "" if triad is None else f", {format_gbps(triad / ranks)} a process in triad"
    return (
        f"HPCC prints the rate of one of {ranks} processes while all run{per}. The sum is shown:"
        f" {ranks} times that. SingleSTREAM is one process alone."
    )


def _rows(
    figures: dict[str, str], kind: str, line: int, notes: Notes, times: int
) -> tuple[Row, ...]:
    rows = []
    for kernel in _KERNELS:
        figure = figures.get(f"{kind}_{kernel}")
        if figure is None:
            continue
        try:
            rate = numbers.rate(figure, 1e9 * times, f"the figures at line {line} ({kernel})")
        except UsageError as error:
            notes.texts.append(f"A row was left out: {error}")
            continue
        rows.append(Row(kernel=kernel, gbps=rate))
    return tuple(rows)


FORMAT = OutputFormat(
    "HPCC",
    (HEADER,),
    parse,
    BEGINNING,
    ("Begin of S", "STREAM_"),
    section=SECTION,
    prints="whole-run",
)

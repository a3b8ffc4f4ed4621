"""Reads the output of STREAM: ``stream.c`` and ``stream.f`` of any version, and ``stream_mpi``.

The formats follow the programs' own printf and FORMAT statements (github.com/jeffhammond/STREAM:
stream.c 5.10, stream.f 5.6, Versions/stream_mpi.c 1.8, Versions/Old/1996-08-18). ``streamgage
--format stream`` prints the same table, and names its kind of store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.cross_check import fits
from streamgage.interop.devices import gpu_notes
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.rows import Layout, Notes, RawTable, tables_of
from streamgage.interop.tables import BenchmarkFacts, Row, Table
from streamgage.records import ElementType, FailedCheck
from streamgage.records.other_benchmark import UNKNOWN_STORES
from streamgage.records.run import ELEMENT_BYTES
from streamgage.units import count, format_gbps

HEADER = re.compile(
    r"Function[ \t]{1,20}(?:Best )?Rate[ \t]{0,20}\(?(?P<unit>[KMGT]i?)B/s\)?"
    r"[ \t]{1,20}(?P<times>Avg|RMS) ?time(?:\(s\))?[ \t]{1,20}Min ?time(?:\(s\))?"
    r"[ \t]{1,20}Max ?time(?:\(s\))?",
    re.I,
)
BARE = re.compile(r"\b(?:Copy|Scale|Add|Triad):(?:[ \t]{1,30}[-+.,0-9eE]{1,24}){4}[ \t]*$", re.M)
"""Matches a row that may stand without a header."""
LABELS = {
    **{"copy": "copy", "scale": "scale", "add": "add", "triad": "triad"},
    # the names in versions before 1996
    **{"assignment": "copy", "scaling": "scale", "summing": "add", "saxpying": "triad"},
}
ALL = frozenset(("copy", "scale", "add", "triad"))
OURS = "streamgage: based on a variant of the STREAM benchmark"

UNITS = {
    **{"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12},
    **{"ki": 2.0**10, "mi": 2.0**20, "gi": 2.0**30, "ti": 2.0**40},
}
OWN = re.compile(
    r"STREAM\w{0,3} version|STREAM Benchmark impl|This system uses|Assuming [ 0-9]+bytes"
    r"|Double precision appears|(?:Total )?(?:Aggregate )?Array size|Offset|Memory per array"
    r"|(?:The )?total (?:aggregate )?memory|Each (?:kernel|test) |(?:The )?\*best\*|will be used"
    r"|\*EXCLUDING|You are running|Number of Threads|Number of MPI|Printing one line"
    r"|Your (?:clock|timer)|Timing calibration|\(= *[0-9]+ (?:clock|timer)|The SCALAR value"
    r"|Increase the size|you are not getting"
    r"|WARNING -- The above|For best results|precision of your|Solution Validates|Data is distr"
    r"|Failed Validation|Expected |AvgAbsErr|AvgRelAbsErr|For array|array [abc]: "
    r"|using [0-9]+ threads per block|output in |Results are|Using (?:default|first)|Kind of store",
    re.I,
)
_VERSION = re.compile(r"STREAM\w{0,3} version \$ ?Revision: ?([0-9][0-9.]{0,10})", re.I)
_ELEMENTS = re.compile(r"Array size *= *([0-9]+)", re.I)
_SIZE = re.compile(
    r"Array size(?: \((?P<type>double|single|float)[^)\n]{0,20}\))? *= *(?P<size>[0-9.]+)"
    r" (?P<unit>[KMGT]i?)B\b",
    re.I,
)
_ELEMENT_BYTES = re.compile(
    r"(?:system uses|Assuming) +([0-9]+) +bytes per (?:array element|DOUBLE PRECISION word)", re.I
)
_COUNTED = re.compile(r"Number of Threads counted[^=\n]{0,40}= *([0-9]+)", re.I)
_REQUESTED = re.compile(r"Number of Threads(?: requested)?[^=\n]{0,40}= *([0-9]+)", re.I)
_WITHOUT_THREADS = re.compile(
    r"Array size *=(?:[^\n]{0,200}\n){2,14}[^\n]{0,40}Your clock granularity", re.I
)
"""Matches the lines in which a build with OpenMP also prints its number of threads."""
_RANKS = re.compile(r"distributed across +([0-9]+) +MPI ranks", re.I)
_FORTRAN = re.compile(r"STREAM\w{0,3} Version \$|\*EXCLUDING\* the first|Double precision appears")
_STORE = re.compile(r"^Kind of store: (regular|streaming|claim)\b", re.MULTILINE)
"""Matches the line of streamgage's own table that names its stores, if they are not plain."""
_CLOCK = re.compile(
    r"(?:clock|timer) granularity/precision appears to be +([0-9]+) microseconds", re.I
)
_CLOCK_STEP = 1e-6
"""The step in seconds of gettimeofday, with which stream.c takes all times."""
_TIMES = re.compile(r"Each (?:kernel will be executed|test is run) +([0-9]+) +times", re.I)
_RUNNING = re.compile(r"You are running each test +([0-9]+) +times", re.I)
_WARNINGS = (
    re.compile(r"Your clock granularity appears to be less than one microsecond", re.I),
    re.compile(r"WEIRD: sizeof[^\n]{0,80}"),
)
"""Warnings that are not printed in every run."""
_TYPES: dict[int, ElementType] = {4: "float", 8: "double"}
_VERDICT = re.compile(r"Solution Validates|Failed Validation", re.I)
_FAILED = re.compile(
    r"Failed Validation on array (?P<array>[abc])\[\],[^\n]{0,40}epsilon"
    r" \((?P<limit>[^)\n]{1,30})\)"
    r"(?:[^\n]{0,10}\n[^\n]{0,120}AvgRelAbsErr:[ \n]{1,12}(?P<error>[0-9.eE+-]{1,30}))?"
)
_OF_ARRAY = {"a": ["triad"], "b": ["scale"], "c": ["copy", "add"]}
"""The kernels that compute each array; copy's results are overwritten by those of add."""
_PER_REPETITION = 4
"""Operations on a value in each repetition: the error of rounding grows with their number."""
ROUNDING: dict[ElementType, float] = {"float": 2.0**-24, "double": 2.0**-53}
"""The largest relative error of rounding once."""


def parse(text: str) -> ParsedOutput:
    """Read every table in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("STREAM")
    layout = Layout("STREAM", HEADER, LABELS, 4, _usual, OWN, (2, 1, 3), (2, 1e6))
    reader = _Reader(text)
    tables = tables_of(text, layout, notes, _row, reader.table)
    if reader.mixed:
        notes.texts.append(_at_the_same_time(reader.mixed, tables))
    return ParsedOutput(tuple(_with_size(tables)), (*notes.sentences(), *gpu_notes("STREAM", text)))


def _at_the_same_time(mixed: Sequence[int], tables: Sequence[Table]) -> str:
    """Say that runs wrote at the same time, and what all of them had together if all did."""
    rates = [row.gbps for each in tables for row in each.rows if row.kernel == "triad"]
    return (
        f"The rows of {count(len(mixed), 'run')} of STREAM are mixed (first at line {min(mixed)}),"
        " so they ran at the same time. Where they shared a memory, each rate is a part of its"
        f" bandwidth; the triads of all {count(len(rates), 'run')} have {format_gbps(sum(rates))}"
        " together. Which row belongs to which run is not known."
    )


def _with_size(tables: Sequence[Table]) -> Iterator[Table]:
    """Add the size of the table before, for scripts that print the size only once."""
    before: Table | None = None
    for each in tables:
        if (
            each.array_bytes is None
            and before is not None
            and before.array_bytes is not None
            and before.about == each.about
            and fits(each, before.array_bytes)
        ):
            before = replace(each, array_bytes=before.array_bytes, element_type=before.element_type)
        else:
            before = each
        yield before


class _Reader:
    """Reads the text around tables; some facts carry over from the table before."""

    def __init__(self, text: str) -> None:
        self.ahead = verdict_ahead(text, HEADER)
        self.about = BenchmarkFacts("STREAM", language=_language(text, known=False))
        self.mixed: list[int] = []
        """The lines of tables whose rows are mixed with others'."""
        self.without_threads = (
            _WITHOUT_THREADS.search(text) is not None
            and _REQUESTED.search(text) is None
            and len(_CLOCK.findall(text)) >= len(HEADER.findall(text))
        )
        """``True`` if each table has an introduction, wherever it stands, and none has threads."""

    def table(self, raw: RawTable) -> Table:
        """Read the table with the settings in the text around its rows."""
        version = _VERSION.search(raw.before)
        if version is not None:  # else the table of a run whose first lines are missing
            language = _language(raw.before, known=True)
            self.about = BenchmarkFacts("STREAM", version=version[1], language=language)
        passed = verdict(raw.before if self.ahead else raw.after)
        if raw.mixed is not None:
            self.mixed.append(raw.line)
        table = _table(raw, self.about, passed)
        # The introductions of runs that wrote at the same time are mixed, too.
        alone = table.threads is None and self.without_threads
        return replace(table, threads=1) if alone else table


def verdict(text: str) -> bool | None:
    """Return whether the benchmark's check passed; ``None`` if it does not say."""
    found = {each[0].lower().startswith("solution") for each in _VERDICT.finditer(text)}
    return None if not found else False not in found


def verdict_ahead(text: str, header: re.Pattern[str]) -> bool:
    """Return whether verdicts stand before their tables; the first verdict decides."""
    first, table = _VERDICT.search(text), header.search(text)
    return first is not None and table is not None and first.start() < table.start()


def _usual(before: str) -> Set[str]:
    return frozenset() if OURS in before else ALL


def _language(text: str, *, known: bool) -> str | None:
    if _FORTRAN.search(text):
        return "Fortran"
    return "C" if known else None


def _table(raw: RawTable, about: BenchmarkFacts, validated: bool | None) -> Table:
    before = raw.before
    size = _ELEMENT_BYTES.search(before)
    printed = _SIZE.search(before)
    element = _element(size[1]) if size else None
    if element is None and printed is not None and printed["type"]:
        element = "double" if printed["type"].lower() == "double" else "float"
    ranks = _RANKS.search(before)
    failures = _failures(raw.after, element or "double", before)
    times = _TIMES.search(before) or _RUNNING.search(before)
    return Table(
        about=about,
        rows=(),
        threads=_threads(before),
        ranks=numbers.threads(ranks[1]) if ranks else None,
        array_bytes=_array_bytes(before, element, printed),
        element_type=element,
        validated=None if failures else validated,
        failures=failures,
        clock_seconds=_clock(before, about, ranks is not None),
        repetitions=numbers.threads(times[1]) if times else None,
        warnings=tuple(found[0] for each in _WARNINGS if (found := each.search(before))),
    )


def _failures(after: str, element: ElementType, before: str) -> tuple[FailedCheck, ...]:
    """The arrays that its own check found wrong, with the size of the error."""
    times = _TIMES.search(before) or _RUNNING.search(before)
    repetitions = int(times[1]) if times and len(times[1]) < 10 else 10
    return tuple(
        FailedCheck(
            what=f"{found['array']}[]",
            kernels=_OF_ARRAY[found["array"]],
            error=numbers.share(found["error"]),
            limit=numbers.share(found["limit"]),
            rounding=_PER_REPETITION * repetitions * ROUNDING[element],
        )
        for found in _FAILED.finditer(after)
    )


def _clock(before: str, about: BenchmarkFacts, of_ranks: bool) -> float | None:
    """The step of its clock in seconds, as it says or as its C source has it."""
    found = _CLOCK.search(before)
    if found is not None:
        return numbers.seconds(found[1] + "e-6", "its clock")
    other = of_ranks or about.language == "Fortran" or _WARNINGS[0].search(before)
    return None if other else _CLOCK_STEP


def _array_bytes(
    before: str, element: ElementType | None, printed: re.Match[str] | None
) -> int | None:
    if printed is not None:
        unit = UNITS[printed["unit"].lower()]
        return numbers.size(numbers.number(printed["size"]) * unit, "arrays")
    elements = _ELEMENTS.search(before)
    width = ELEMENT_BYTES[element or "double"]
    if elements is None:
        return None
    return numbers.size(numbers.number(elements[1]) * width, "arrays")


def _element(text: str) -> ElementType:
    found = _TYPES.get(int(text)) if len(text) < 3 else None
    if found is None:
        raise UsageError(
            f"its arrays have elements of {text[:20]} bytes; streamgage knows elements of 4 and 8"
            " bytes (float and double)."
        )
    return found


def _threads(before: str) -> int | None:
    """The number of threads of all ranks; 1 if the introduction is whole but names none."""
    threads_per_rank = _COUNTED.search(before) or _REQUESTED.search(before)
    ranks = _RANKS.search(before)
    if threads_per_rank is None and ranks is None:
        return 1 if _WITHOUT_THREADS.search(before) else None
    per_rank = numbers.threads(threads_per_rank[1]) if threads_per_rank else 1
    return per_rank * (numbers.threads(ranks[1]) if ranks else 1)


def _row(raw: RawTable, kernel: str, figures: list[str], where: str) -> Row:
    header = raw.header or raw.other_header
    # Versions with a root mean square print seconds or microseconds.
    timed = header is None or header["times"].lower() == "avg"
    if timed and numbers.number(figures[2]) == 0:
        raise UsageError(
            f"{where} has a best time of {figures[2]} s, less than its clock shows, so its rate"
            " means nothing: run it with larger arrays."
        )
    unit = 1e6 if header is None else UNITS[header["unit"].lower()]
    store = _STORE.search(raw.before) if OURS in raw.before else None
    mean, best, worst = (
        (numbers.seconds(each, where) for each in figures[1:4]) if timed else (None, None, None)
    )
    return Row(
        kernel=kernel,
        gbps=numbers.rate(figures[0], unit, where),
        seconds=best,
        mean_seconds=mean,
        worst_seconds=worst,
        store=store[1] if store else UNKNOWN_STORES,
        rounding=numbers.rounding(figures[0]) + numbers.rounding(figures[2]),
        step=numbers.step(figures[2]) if timed else None,
    )


FORMAT = OutputFormat(
    "STREAM",
    (HEADER, BARE),
    parse,
    re.compile(r"STREAM\w{0,3} version \$ ?Revision", re.I),
)

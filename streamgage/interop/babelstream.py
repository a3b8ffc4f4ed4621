"""Reads the output of BabelStream (once GPU-STREAM) in C++ and Fortran, as text and as CSV.

The formats follow the program's own code (github.com/UoB-HPC/BabelStream: src/main.cpp of 3.4 to
5.0 and of the development branch) and the saved results of
github.com/UoB-HPC/performance-portability, and those of alpaka's version
(github.com/alpaka-group/alpaka: benchmarks/babelstream). Its lines Init and Read time how arrays
are filled and copied out; they are not kernels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Set
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.babelstream_csv import ABOUT, CSV_HEADER, csv_tables
from streamgage.interop.devices import gpu_notes
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Layout, Notes, RawTable, tables_of
from streamgage.interop.stream import ROUNDING, UNITS
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.records import ElementType, FailedCheck
from streamgage.records.run import ELEMENT_BYTES

HEADER = re.compile(
    r"Function[ \t]{1,20}(?P<unit>[KMGT]i?)B(?:ytes)?/s(?:ec)?[ \t]{1,20}Min \(sec\)[ \t]{1,20}Max"
    r"[ \t]{1,20}Average"
    r"|Kernels[ \t]{1,20}Bandwidths\((?P<alpaka>[KMGT]i?)B/s\)[ \t]{1,20}MinTime\(s\)[ \t]{1,20}"
    r"MaxTime\(s\)[ \t]{1,20}AvgTime\(s\)",
    re.I,
)
TRIAD_ONLY = re.compile(r"Bandwidth \((Gi?)B/s\):[ \t]{1,20}(\S{1,40})", re.I)
LABELS = {
    **{"copy": "copy", "mul": "scale", "add": "add", "triad": "triad"},
    **{"dot": "dot", "nstream": "nstream"},
}
_ALPAKA = {
    **{"copykernel": "copy", "multkernel": "scale", "addkernel": "add", "triadkernel": "triad"},
    **{"dotkernel": "dot", "nstreamkernel": "nstream"},
}
"""The names of alpaka's kernels."""
_CLASSIC = frozenset(("copy", "scale", "add", "triad"))
_AFTER = 400
"""The length of the text after a table in which its own check may report a failure."""
_WITH_DOT = 3
"""The major version that introduced Dot."""

_VERSION = re.compile(r"^.{0,60}\bVersion: {0,5}([0-9]{1,4}(?:\.[0-9]{1,4}){0,2})", re.M)
_IMPLEMENTATION = re.compile(r"\bImplementation: {0,5}(\S[^\n]{0,40})")
_ELEMENTS = re.compile(r"(?:Number of elements|DataSize\(items\)): *([0-9]+)")
_RESIZED = re.compile(r"^Resizing array from [0-9]+ to ([0-9]+)$", re.M)
_SIZE = re.compile(r"Array size: *([0-9]+(?:\.[0-9]*)?) ([KMGT]i?)B", re.I)
_PRECISION = re.compile(r"Precision: *(double|float|REAL64|REAL32|single)\b", re.I)
_DEVICE = re.compile(
    r"(?:Using (?:CUDA|HIP|OpenCL|SYCL|alpaka) device:?|DeviceName:) {0,5}(\S[^\n]{0,80})"
)
_SOME = re.compile(r"Running {1,5}(?:Running {1,5})?(?:triad|[A-Z][a-z]{2,8}) +[0-9]+ times")
_FORTRAN = re.compile(r"BabelStream Fortran", re.I)
OWN = re.compile(
    r"(?:GPU-STREAM|BabelStream)|Version:|Implementation:|Running |Precision:|Number of elements"
    r"|Array size|Total size|Using |Driver:|Init:|Read:|Validation|Reduction|Memory:|Device"
    r"|Runtime \(seconds\)|Bandwidth \(|AcceleratorType:|NumberOfRuns:|DataSize|WorkDiv"
    r"|AccToHost|Kernels",
    re.I,
)


def parse(text: str) -> ParsedOutput:
    """Read every table in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("BabelStream")
    tables: list[Table] = []
    problems: list[UsageError] = []
    readers: tuple[tuple[re.Pattern[str], Callable[[str, Notes], list[Table]]], ...] = (
        (CSV_HEADER, _csv_tables),
        (HEADER, _text_tables),
        (TRIAD_ONLY, _triad_only),
    )
    for has, read in readers:
        if has.search(text):
            try:
                tables += read(text, notes)
            except UsageError as error:
                problems.append(error)
    if not tables:
        raise (
            problems[0]
            if problems
            else UsageError("it holds no table of BabelStream: name its saved output.")
        )
    for problem in problems:
        notes.left_table(str(problem))
    tables.sort(key=lambda each: each.line)
    found = tuple(each if each.about != ABOUT else _of_whole(each, text) for each in tables)
    return ParsedOutput(found, (*notes.sentences(), *gpu_notes("BabelStream", text)))


def _of_whole(table: Table, text: str) -> Table:
    """Add what the whole text says to a table with no words of its own around it."""
    return replace(table, about=_about(text), validated=_failed(text))


def _about(text: str) -> BenchmarkFacts:
    version, device = _VERSION.search(text), _DEVICE.search(text)
    return BenchmarkFacts(
        tool="BabelStream",
        version=version[1] if version else None,
        language="Fortran" if _FORTRAN.search(text) else None,
        processor=device[1].strip() if device else None,
    )


_PART = re.compile(
    r"Validation failed on (?P<what>a\[\]|b\[\]|c\[\]|sum)\.?[^\n]{0,20}?[Ee]rror:? {0,3}"
    r"(?P<error>[0-9.eE+-]{1,30})"
    r"(?:[^\n]{0,10}\n[^\n]{0,20}Sum was {0,3}(?P<was>[0-9.eE+-]{1,30}) but should be {0,3}"
    r"(?P<should>[0-9.eE+-]{1,30}))?"
)
_OF_RESULT = {"a[]": ["triad"], "b[]": ["scale"], "c[]": ["copy", "add"], "sum": ["dot"]}
"""The kernels that compute each of its results; copy's are overwritten by those of add."""
_SUM_LIMIT = 1e-8
"""The relative error of the sum that it allows, whatever the type of its elements."""


def _failures(after: str, element: ElementType, size: int | None) -> tuple[FailedCheck, ...]:
    """The results that its own check found wrong, with the size of the error.

    The error of a sum by rounding grows with the root of the number of its terms.
    """
    found = []
    for part in _PART.finditer(after):
        error, is_sum = numbers.share(part["error"]), part["what"] == "sum"
        was, should = numbers.number(part["was"] or ""), numbers.number(part["should"] or "")
        if should and math.isfinite(was / should):
            error = abs(was / should - 1)
        terms = None if size is None else size / ELEMENT_BYTES[element]
        found.append(
            FailedCheck(
                what=part["what"],
                kernels=_OF_RESULT[part["what"]],
                error=error,
                limit=_SUM_LIMIT if is_sum else None,
                rounding=math.sqrt(terms) * ROUNDING[element] if is_sum and terms else None,
            )
        )
    return tuple(found)


def _failed(text: str) -> bool | None:
    """``False`` if its check failed.

    ``None`` otherwise, because it prints nothing after a check that passed.
    """
    return False if re.search(r"\bvalidation (?:failed|of)\b", text, re.I) else None


def _csv_tables(text: str, notes: Notes) -> list[Table]:
    return csv_tables(text, LABELS, UNITS, notes)


def _text_tables(text: str, notes: Notes) -> list[Table]:
    labels = {**LABELS, **_ALPAKA}
    return tables_of(
        text, Layout("BabelStream", HEADER, labels, 4, _usual, OWN, (1, 3, 2)), notes, _row, _table
    )


def _usual(before: str) -> Set[str]:
    """The kernels of a whole run: Copy to Triad, and Dot since version 3.

    The Fortran version does not print which kernels were chosen.
    """
    if (_SOME.search(before) and "Running kernels" not in before) or _FORTRAN.search(before):
        return frozenset()
    version = _VERSION.search(before)
    old = version is not None and int(version[1].partition(".")[0]) < _WITH_DOT
    return _CLASSIC if old else _CLASSIC | {"dot"}


def _table(raw: RawTable) -> Table:
    around = raw.before + raw.after[:_AFTER]
    element, size = _element(raw.before), _array_bytes(raw.before)
    failures = _failures(around, element or "double", size)
    return Table(
        about=_about(raw.before),
        rows=(),
        validated=None if failures else _failed(around),
        failures=failures,
        array_bytes=size,
        element_type=element,
    )


def _row(raw: RawTable, kernel: str, figures: list[str], where: str) -> Row:
    assert raw.header is not None
    unit = raw.header["unit"] or raw.header["alpaka"]
    return Row(
        kernel=kernel,
        gbps=numbers.rate(figures[0], UNITS[unit.lower()], where),
        seconds=numbers.seconds(figures[1], where),
        worst_seconds=numbers.seconds(figures[2], where),
        mean_seconds=numbers.seconds(figures[3], where),
        step=numbers.step(figures[1]),
        code=_code(raw.before),
        rounding=numbers.rounding(figures[0]) + numbers.rounding(figures[1]),
    )


def _triad_only(text: str, _: Notes) -> list[Table]:
    """Read runs with ``--triad-only``, which print the mean rate on a line of its own."""
    tables, before = [], 0
    matches = list(TRIAD_ONLY.finditer(text))
    where = iter(places(text, [each.span() for each in matches], OWN))
    for match in matches:
        place = next(where)
        before_rate = text[before : match.start()]
        before = match.end()
        where_it_is = f"line {place.line} (triad)"
        gbps = numbers.rate(match[2], UNITS[match[1].lower()], where_it_is)
        tables.append(
            put(
                Table(
                    about=ABOUT,
                    rows=(Row(kernel="triad", gbps=gbps, code=_code(before_rate)),),
                    array_bytes=_array_bytes(before_rate),
                    element_type=_element(before_rate),
                ),
                place,
            )
        )
    return tables


def _code(before: str) -> str:
    found = _IMPLEMENTATION.search(before)
    return found[1].strip() if found else ""


def _element(before: str) -> ElementType | None:
    found = _PRECISION.search(before)
    if found is None:
        return None
    return "double" if found[1].lower() in ("double", "real64") else "float"


def _array_bytes(before: str) -> int | None:
    elements, printed = _ELEMENTS.search(before) or _RESIZED.search(before), _SIZE.search(before)
    if elements is not None:
        width = 4 if _element(before) == "float" else 8
        return numbers.size(numbers.number(elements[1]) * width, "arrays")
    if printed is None:
        return None
    unit = printed[2].lower()
    version = _VERSION.search(before)
    if version is not None and numbers.number(version[1].split(".")[0]) < 2:
        unit = unit.removesuffix("i") + "i"  # GPU-STREAM before 2.0 divided by 1024 but wrote MB
    return numbers.size(numbers.number(printed[1]) * UNITS[unit], "arrays")


FORMAT = OutputFormat(
    "BabelStream",
    (HEADER, CSV_HEADER, TRIAD_ONLY),
    parse,
    re.compile(r"^(?:BabelStream|GPU-STREAM)[^\n]{0,20}\nVersion:", re.M),
)

"""The output of BabelStream (once GPU-STREAM), as text and as CSV.

Formats after the program's own (github.com/UoB-HPC/BabelStream: src/main.cpp of 3.4 to 5.0 and of
the development branch) and the saved results of github.com/UoB-HPC/performance-portability. Its
Init and Read lines time the filling and the copying out of arrays; they are no kernels.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.babelstream_csv import ABOUT, CSV_HEADER, csv_tables
from streamgage.interop.rows import Layout, Notes, RawTable, raw_tables
from streamgage.interop.tables import About, Parsed, Row, Table
from streamgage.records import ElementType

HEADER = re.compile(
    r"Function[ \t]{1,20}([KMGT]i?)B(?:ytes)?/s(?:ec)?[ \t]{1,20}Min \(sec\)[ \t]{1,20}Max"
    r"[ \t]{1,20}Average",
    re.I,
)
TRIAD_ONLY = re.compile(r"Bandwidth \((Gi?)B/s\):[ \t]{1,20}(\S{1,40})", re.I)
LABELS = {
    **{"copy": "copy", "mul": "scale", "add": "add", "triad": "triad"},
    **{"dot": "dot", "nstream": "nstream"},
}
_CLASSIC = frozenset(("copy", "scale", "add", "triad"))
_WITH_DOT = 3
"""Major version that brought Dot."""

UNITS = {
    **{"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12},
    **{"ki": 2.0**10, "mi": 2.0**20, "gi": 2.0**30, "ti": 2.0**40},
}
_VERSION = re.compile(r"^.{0,60}\bVersion: {0,5}([0-9]{1,4}(?:\.[0-9]{1,4}){0,2})", re.M)
_IMPLEMENTATION = re.compile(r"\bImplementation: {0,5}(\S[^\n]{0,40})")
_ELEMENTS = re.compile(r"Number of elements: *([0-9]+)")
_SIZE = re.compile(r"Array size: *([0-9]+(?:\.[0-9]*)?) ([KMGT]i?)B", re.I)
_PRECISION = re.compile(r"Precision: *(double|float)")
_DEVICE = re.compile(r"Using (?:CUDA|HIP|OpenCL|SYCL) device:? {0,5}(\S[^\n]{0,80})")
_SOME = re.compile(r"Running {1,5}(?:Running {1,5})?(?:triad|[A-Z][a-z]{2,8}) +[0-9]+ times")
_ON_GPU = re.compile(r"CUDA|HIP|Thrust", re.I)


def parse(text: str) -> Parsed:
    """Every table in ``text``. Raises ``UsageError`` where it has none complete."""
    notes = Notes("BabelStream")
    tables = []
    if CSV_HEADER.search(text):
        tables += csv_tables(text, LABELS, UNITS, notes)
    if HEADER.search(text):
        layout = Layout("BabelStream", HEADER, LABELS, 4, _required)
        tables += [_table(each) for each in raw_tables(text, layout, notes)]
    if not tables:
        tables += _triad_only(text)
    if not tables:
        raise UsageError("it holds no table of BabelStream: name its saved output.")
    version, device = _VERSION.search(text), _DEVICE.search(text)
    about = About(
        tool="BabelStream",
        version=version[1] if version else None,
        processor=device[1].strip() if device else None,
    )
    failed = False if re.search(r"\bvalidation (?:failed|of)\b", text, re.I) else None
    said = list(notes.sentences())
    implementation = _IMPLEMENTATION.search(text)
    if implementation and _ON_GPU.search(implementation[1]):
        said.append(
            f"BabelStream ran by {implementation[1].strip()}, so on a GPU: what is said here of"
            " stores that read what they overwrite holds for processors with write-back caches."
        )
    found = tuple(replace(each, about=about, validated=failed) for each in tables)
    return Parsed(found, tuple(said))


def _required(before: str) -> Set[str]:
    """Copy to Triad of a run of all kernels, and Dot since version 3."""
    if _SOME.search(before) and "Running kernels" not in before:
        return frozenset()
    version = _VERSION.search(before)
    old = version is not None and int(version[1].partition(".")[0]) < _WITH_DOT
    return _CLASSIC if old else _CLASSIC | {"dot"}


def _table(raw: RawTable) -> Table:
    unit = UNITS[raw.header[1].lower()]
    code = _code(raw.before)
    return Table(
        about=ABOUT,
        rows=tuple(_row(raw, kernel, unit, code) for kernel in raw.rows),
        array_bytes=_array_bytes(raw.before),
        element_type=_element(raw.before),
    )


def _row(raw: RawTable, kernel: str, unit: float, code: str) -> Row:
    line, figures = raw.rows[kernel]
    return Row(
        kernel=kernel,
        gbps=numbers.rate(figures[0], unit, f"line {line} ({kernel})"),
        seconds=numbers.seconds(figures[1]),
        worst_seconds=numbers.seconds(figures[2]),
        mean_seconds=numbers.seconds(figures[3]),
        code=code,
    )


def _triad_only(text: str) -> list[Table]:
    """Runs of ``--triad-only``, which print the mean rate on a line of its own."""
    tables, before = [], 0
    for match in TRIAD_ONLY.finditer(text):
        said = text[before : match.start()]
        before = match.end()
        line = 1 + text.count("\n", 0, match.start())
        gbps = numbers.rate(match[2], UNITS[match[1].lower()], f"line {line} (triad)")
        tables.append(
            Table(
                about=ABOUT,
                rows=(Row(kernel="triad", gbps=gbps, code=_code(said)),),
                array_bytes=_array_bytes(said),
                element_type=_element(said),
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
    return "float" if found[1] == "float" else "double"


def _array_bytes(before: str) -> int | None:
    elements, printed = _ELEMENTS.search(before), _SIZE.search(before)
    if elements is not None:
        width = 4 if _element(before) == "float" else 8
        return numbers.size(numbers.number(elements[1]) * width, "arrays")
    if printed is None:
        return None
    return numbers.size(numbers.number(printed[1]) * UNITS[printed[2].lower()], "arrays")

"""The output of STREAM: ``stream.c`` and ``stream.f`` of any version, and ``stream_mpi``.

Formats after the programs' own printf and FORMAT statements (github.com/jeffhammond/STREAM:
stream.c 5.10, stream.f 5.6, Versions/stream_mpi.c 1.8, Versions/Old/1996-08-18). ``streamgage
--format stream`` prints the same table, and says which kind of store it is of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.rows import Layout, Notes, RawTable, raw_tables
from streamgage.interop.tables import About, Parsed, Row, Table
from streamgage.records import ElementType

HEADER = re.compile(
    r"Function[ \t]{1,20}(?:Best )?Rate[ \t]{0,20}\(?MB/s\)?[ \t]{1,20}(Avg|RMS) time"
    r"[ \t]{1,20}Min time[ \t]{1,20}Max time",
    re.I,
)
LABELS = {
    **{"copy": "copy", "scale": "scale", "add": "add", "triad": "triad"},
    # as the versions before 1996 call them
    **{"assignment": "copy", "scaling": "scale", "summing": "add", "saxpying": "triad"},
}
ALL = frozenset(("copy", "scale", "add", "triad"))
OURS = "streamgage: based on a variant of the STREAM benchmark"

_VERSION = re.compile(r"STREAM\w{0,3} version \$ ?Revision: ?([0-9][0-9.]{0,10})", re.I)
_ELEMENTS = re.compile(r"Array size *= *([0-9]+)")
_ELEMENT_BYTES = re.compile(
    r"(?:system uses|Assuming) +([0-9]+) +bytes per (?:array element|DOUBLE PRECISION word)"
)
_COUNTED = re.compile(r"Number of Threads counted[^=\n]{0,40}= *([0-9]+)", re.I)
_REQUESTED = re.compile(r"Number of Threads(?: requested)?[^=\n]{0,40}= *([0-9]+)", re.I)
_WITHOUT_THREADS = re.compile(
    r"Array size *=(?:[^\n]{0,200}\n){2,14}[^\n]{0,40}Your clock granularity", re.I
)
"""What stands before and after the number of threads, which only a build with OpenMP prints."""
_RANKS = re.compile(r"distributed across +([0-9]+) +MPI ranks", re.I)
_FORTRAN = re.compile(r"STREAM\w{0,3} Version \$|\*EXCLUDING\* the first|Double precision appears")
_STORE = re.compile(r"^Kind of store: (regular|streaming|claim)\b", re.MULTILINE)
"""Of our own table, where it is not of the plain loops."""
_TYPES: dict[int, ElementType] = {4: "float", 8: "double"}
_VERDICT = re.compile(r"Solution Validates|Failed Validation")


def parse(text: str) -> Parsed:
    """Every table in ``text``. Raises ``UsageError`` where it has none complete."""
    notes = Notes("STREAM")
    raw = raw_tables(text, Layout("STREAM", HEADER, LABELS, 4, _required), notes)
    passed = validated(text, raw)
    tables, about = [], About("STREAM", language=_language(text, known=False))
    for each, valid in zip(raw, passed, strict=True):
        version = _VERSION.search(each.before)
        if version is not None:  # else the table of a run whose first lines are not there
            language = _language(each.before, known=True)
            about = About("STREAM", version=version[1], language=language)
        tables.append(_table(each, about, validated=valid))
    return Parsed(tuple(tables), notes.sentences())


def validated(text: str, tables: Sequence[RawTable]) -> list[bool | None]:
    """Whether the benchmark's check passed, for each table; ``None`` where it does not say.

    Verdicts stand after their tables, or before them where the first one does.
    """
    starts = [each.header.start() for each in tables]
    first = _VERDICT.search(text)
    ahead = first is not None and first.start() < starts[0]
    edges = [0, *starts] if ahead else [*starts, len(text)]
    return [_verdict(text[start:end]) for start, end in pairwise(edges)]


def _verdict(text: str) -> bool | None:
    found = {each[0].startswith("Solution") for each in _VERDICT.finditer(text)}
    return None if not found else False not in found


def _required(before: str) -> Set[str]:
    return frozenset() if OURS in before else ALL


def _language(text: str, *, known: bool) -> str | None:
    if _FORTRAN.search(text):
        return "Fortran"
    return "C" if known else None


def _table(raw: RawTable, about: About, *, validated: bool | None) -> Table:
    size = _ELEMENT_BYTES.search(raw.before)
    element = _element(size[1]) if size else None
    elements = _ELEMENTS.search(raw.before)
    width = {"float": 4, None: 8, "double": 8}[element]
    ranks = _RANKS.search(raw.before)
    return Table(
        about=about,
        rows=tuple(_row(raw, kernel) for kernel in raw.rows),
        threads=_threads(raw.before),
        ranks=numbers.threads(ranks[1]) if ranks else None,
        array_bytes=numbers.size(numbers.number(elements[1]) * width, "arrays")
        if elements
        else None,
        element_type=element,
        validated=validated,
    )


def _element(text: str) -> ElementType:
    found = _TYPES.get(int(text)) if len(text) < 3 else None
    if found is None:
        raise UsageError(
            f"its arrays are of elements of {text[:20]} bytes: streamgage knows those of 4 and 8"
            " (float and double)."
        )
    return found


def _threads(before: str) -> int | None:
    """Threads of all ranks together; one where the lines that would show them are missing."""
    each = _COUNTED.search(before) or _REQUESTED.search(before)
    ranks = _RANKS.search(before)
    if each is None and ranks is None:
        return 1 if _WITHOUT_THREADS.search(before) else None
    return (numbers.threads(each[1]) if each else 1) * (numbers.threads(ranks[1]) if ranks else 1)


def _row(raw: RawTable, kernel: str) -> Row:
    line, figures = raw.rows[kernel]
    where = f"line {line} ({kernel})"
    # Tables with the root of the mean square are of versions that print seconds or microseconds.
    times = [numbers.seconds(text) for text in figures[1:4]]
    store = _STORE.search(raw.before) if OURS in raw.before else None
    mean, best, worst = times if raw.header[1].lower() == "avg" else (None, None, None)
    return Row(
        kernel=kernel,
        gbps=numbers.rate(figures[0], 1e6, where),
        seconds=best,
        mean_seconds=mean,
        worst_seconds=worst,
        store=store[1] if store else "unknown",
    )

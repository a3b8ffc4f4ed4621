"""The output of STREAM: ``stream.c`` and ``stream.f`` of any version, and ``stream_mpi``.

Formats after the programs' own printf and FORMAT statements (github.com/jeffhammond/STREAM:
stream.c 5.10, stream.f 5.6, Versions/stream_mpi.c 1.8, Versions/Old/1996-08-18). ``streamgage
--format stream`` prints the same table, with those of the kernels that were measured.
"""

from __future__ import annotations

import re
from collections.abc import Set

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.rows import Layout, Notes, RawTable, raw_tables
from streamgage.interop.tables import About, Parsed, Row, Table, parsed
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
_TYPES: dict[int, ElementType] = {4: "float", 8: "double"}


def parse(text: str) -> Parsed:
    """The records of every table in ``text``. Raises ``UsageError`` where it has none complete."""
    notes = Notes("STREAM")
    raw = raw_tables(text, Layout("STREAM", HEADER, LABELS, 4, _required), notes)
    version = _VERSION.search(text)
    about = About(
        tool="STREAM",
        version=version[1] if version else None,
        language=_language(text, known=version is not None),
        validated=validated(text, len(raw)),
    )
    return parsed(about, [_table(each) for each in raw], notes.sentences())


def validated(text: str, tables: int) -> bool | None:
    """Whether the benchmark's check passed in all tables; null where not each says so."""
    if "Failed Validation" in text:
        return False
    return True if text.count("Solution Validates") >= tables else None


def _required(before: str) -> Set[str]:
    return frozenset() if OURS in before else ALL


def _language(text: str, *, known: bool) -> str | None:
    if _FORTRAN.search(text):
        return "Fortran"
    return "C" if known else None


def _table(raw: RawTable) -> Table:
    size = _ELEMENT_BYTES.search(raw.before)
    element = _element(size[1]) if size else None
    elements = _ELEMENTS.search(raw.before)
    width = {"float": 4, None: 8, "double": 8}[element]
    return Table(
        rows=tuple(_row(raw, kernel) for kernel in raw.rows),
        threads=_threads(raw.before),
        array_bytes=numbers.size(numbers.number(elements[1]) * width, "arrays")
        if elements
        else None,
        element_type=element,
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
    """Threads of all ranks together; one where the lines that would tell are missing."""
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
    mean, best, worst = times if raw.header[1].lower() == "avg" else (None, None, None)
    return Row(
        kernel=kernel,
        gbps=numbers.rate(figures[0], 1e6, where),
        seconds=best,
        mean_seconds=mean,
        worst_seconds=worst,
    )

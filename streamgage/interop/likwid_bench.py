"""Reads the output of likwid-bench: one block of lines per test, for any number of tests.

The format follows the program's own printf statements (github.com/RRZE-HPC/likwid:
bench/likwid-bench.c) and the facts of its tests (bench/*/*.ptt). MByte/s is the mean over all
iterations. The names of tests, such as ``stream_sp_mem_avx512_fma``, are those of LIKWID 4 and 5
for x86-64, Armv8 and POWER. ``stream`` is STREAM's triad; ``triad`` is the Schoenauer triad;
``_mem`` and ``_nt`` store past the caches.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.endings import ending_of
from streamgage.interop.kernels import KERNELS, arrays_of
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.records import ElementType
from streamgage.units import format_gbps

BANNER = re.compile(r"LIKWID MICRO BENCHMARK")
_FIGURES = re.compile(
    r"^[ \t]{0,8}Cycles:[ \t]{1,40}[0-9]{1,20}[ \t]{0,20}\n[ \t]{0,8}CPU Clock:", re.M
)
"""Matches the first figures of a test, which people post without the banner above."""
_RATE = re.compile(
    r"^(?:[ \t]{0,8}(?:Cycles|Time|Iterations|MFlops/s|Data volume \(Byte\)|Number of Flops"
    r"|Size \(Byte\)|Inner loop executions):[^\n]{0,60}\n){0,8}"
    r"[ \t]{0,8}MByte/s:[ \t]{1,40}[0-9.]+",
    re.M,
)
"""Matches a rate, with the figures right above it, that was taken from an output."""
_NAMED = re.compile(
    r"^[ \t]{0,8}Test:[ \t]{1,20}\w{1,60}[ \t]{0,20}"
    r"(?=(?:\n(?![ \t]{0,8}Test:)[^\n]{0,200}){0,60}?\n[ \t]{0,8}MByte/s:[ \t]{1,40}[0-9.])",
    re.M,
)
"""Matches the line with the name of a test, which stands above its figures."""
HEADERS = (BANNER, _NAMED, _FIGURES, _RATE)
_COMMAND = re.compile(
    r"likwid-bench\b[^\n]{0,200}?[ \t](?:-t|--test)[ \t=]{1,10}(?P<test>\w{1,60})"
    r"[^\n]{0,400}"
)
_GROUP = re.compile(
    r"(?:-[wW]|--[wW]orkgroup)[ \t=]{1,4}[A-Z][0-9]{0,4}:(?P<size>[0-9.]{1,12})(?P<unit>[kMG])B"
    r"(?::(?P<threads>[0-9]{1,6}))?"
)
"""Matches a work group on the command line: the size of all its arrays, and its threads."""
_POWERS = {"k": 1e3, "M": 1e6, "G": 1e9}
_TEST = re.compile(r"Test:[ \t]{0,20}(\S{1,60})")
_FIELD = {
    name: re.compile(rf"{re.escape(name)}:[ \t]{{1,40}}(\S{{1,40}})")
    for name in (
        *("MByte/s", "MFlops/s", "Time", "Iterations", "Iterations per thread", "Size (Byte)"),
        *("Data volume (Byte)", "Number of Flops"),
        *("Load bytes per element", "Store bytes per elem."),
    )
}
_VECTOR = re.compile(r"Vector length ([0-9]{1,18})/([0-9]{1,18})")
"""Matches the elements and bytes of each array as allocated, which are printed before the
banner."""
OWN = re.compile(
    r"Allocate:|Initialization:|Warning: Sanit|Warning: |Group: |Using [0-9]+ |Running without"
    r"|CPU (?:name|type|clock)|\[?\+?[-+|]",
)
_GROUPS = re.compile(r"Using ([0-9]{1,6}) work groups?")
"""Matches the number of work groups; each has arrays of that length."""
_AGREE = 0.01
"""Two figures for the same thing agree if they differ by less than this share."""
_THREADS = re.compile(r"Using ([0-9]+) threads")
_WIDTH = {"double": 8, "float": 4}
_KERNELS = {
    **{"copy": "copy", "clcopy": "copy"},
    **{"load": "load", "clload": "load"},
    **{"store": "init", "clstore": "init"},
    **{"stream": "triad", "stream_triad": "triad"},
    **{"triad": "striad", "schoenauer_triad": "striad"},
    **{"daxpy": "daxpy", "ddot": "dot", "sum": "sum", "update": "update"},
    **{"add": "add", "mul": "multiply"},
}
"""The kernels by the names of tests. The ``cl`` tests touch one element per line, which moves the
same lines."""
_ISA = re.compile(r"(?:sse|avx|avx512|neon|sve(?:128|256|512)|vsx)(?:[0-9]{1,2})?")
_UNROLLED = re.compile(r"(?<=[a-z])[0-9]{1,2}$")
_OF_NO_CONSEQUENCE = re.compile(r"fma|pair|plain|dp|scalar[0-9]{0,2}")


def parse(text: str) -> ParsedOutput:
    """Read the table of every test in ``text``. Raises ``UsageError`` if no test is complete."""
    headers = _headers(text)
    if not headers:
        raise UsageError("it holds no output of likwid-bench: name its saved output.")
    notes = Notes("likwid-bench")
    ends = [header.start() for header in headers[1:]] + [len(text)]
    blocks = [_Block(text[b.start() : end]) for b, end in zip(headers, ends, strict=True)]
    spans = [(b.start(), b.start() + each.length) for b, each in zip(headers, blocks, strict=True)]
    tables: list[Table] = []
    before = 0
    for (start, end), block, place in zip(spans, blocks, places(text, spans, OWN), strict=True):
        found = None
        with notes.or_left_out():
            found = _table(block, text[before:start], place.line, notes)
        before = end
        if found is not None:
            tables.append(put(found, place))
    notes.settle(
        tables,
        "none of its tests streams through memory like one of streamgage's kernels"
        f" ({' '.join(notes.texts)}): interpret runs of tests such as copy, stream, triad, load.",
    )
    return ParsedOutput(tuple(tables), notes.sentences())


def _headers(text: str) -> list[re.Match[str]]:
    """The start of each test: its banner, else its name, its figures, or those around its rate."""
    found: list[re.Match[str]] = []
    opened: re.Pattern[str] | None = None
    every = [match for header in HEADERS for match in header.finditer(text)]
    for match in sorted(every, key=lambda each: each.end() if each.re is _RATE else each.start()):
        if match.re is _NAMED and opened is BANNER:
            continue
        if match.re in (BANNER, _NAMED) or opened is None or (opened is _FIGURES is match.re):
            found.append(match)
        if match.re is _RATE:
            opened = None
        elif opened is not BANNER:
            opened = match.re
    return found


class _Block:
    """The lines below the banner of one test."""

    def __init__(self, text: str) -> None:
        matches = {name: each.search(text) for name, each in _FIELD.items()}
        rate = matches["MByte/s"]
        named = _TEST.search(text, 0, rate.start() if rate else len(text))
        self.test = named[1] if named else None
        self.fields = {name: found[1] for name, found in matches.items() if found}
        self.length = max((m.end() for m in (*matches.values(), named) if m), default=0)
        threads = _THREADS.search(text)
        self.threads = threads[1] if threads else None
        groups = _GROUPS.search(text)
        self.groups = int(groups[1]) if groups else 1
        self.ending = ending_of(text[self.length :])

    def number(self, name: str) -> float | None:
        """The figure with that name if it is above 0; else ``None``."""
        value = numbers.number(self.fields.get(name, ""))
        return value if 0 < value < math.inf else None


def _table(block: _Block, before: str, line: int, notes: Notes) -> Table | None:
    """Read the figures of one test; ``None`` if its kernel is not known."""
    command = next(reversed(list(_COMMAND.finditer(before))), None)
    groups = list(_GROUP.finditer(command[0])) if command else []
    name = block.test or (command["test"] if command else None)
    if name is None:
        raise UsageError(_cut_off(line, "the name of its test", block))
    test = read_test(name)
    if test is None:
        notes.unknown(line + 1, name)
        return None
    rate = block.fields.get("MByte/s")
    if rate is None:
        raise UsageError(_cut_off(line, "its MByte/s", block))
    kernel = KERNELS[test.kernel]
    expected = [count * _WIDTH[test.type] for count in (kernel.loads, kernel.stores)]
    counted = [
        numbers.number(block.fields[kind])
        for kind in ("Load bytes per element", "Store bytes per elem.")
        if kind in block.fields
    ]
    if len(counted) == 2 and counted != expected:
        notes.counted_otherwise(line + 1, name)
        return None
    printed = numbers.rate(rate, 1e6, f"the test {test.name} at line {line}")
    array = _array_bytes(test, block, before)
    if array is None and groups:
        sizes = (numbers.number(each["size"]) * _POWERS[each["unit"]] for each in groups)
        array = sum(sizes) / arrays_of(test.kernel)
    gbps, corrections = _proved(test, block, printed, array)
    time, passes = block.number("Time"), block.number("Iterations per thread")
    return Table(
        about=BenchmarkFacts("likwid-bench"),
        rows=(
            Row(
                kernel=test.kernel,
                gbps=gbps,
                mean_seconds=time / passes if time and passes else None,
                store=test.store,
                isa=test.isa,
                code=f"likwid-bench {test.name}",
            ),
        ),
        threads=_threads(block) or _threads_of(groups),
        array_bytes=None if array is None else numbers.size(array, "arrays"),
        shares_size=True,
        element_type=test.type,
        corrections=corrections,
    )


def _threads(block: _Block) -> int | None:
    """The number of threads.

    If no line names it, it is the iterations of all threads divided by those of one.
    """
    if block.threads:
        return numbers.threads(block.threads)
    all_iterations, per_thread = block.number("Iterations"), block.number("Iterations per thread")
    if not all_iterations or not per_thread or all_iterations % per_thread:
        return None
    return numbers.threads(f"{all_iterations / per_thread:.0f}")


def _threads_of(groups: Sequence[re.Match[str]]) -> int | None:
    """The threads of the work groups on the command line; ``None`` if one does not say."""
    counts = [each["threads"] for each in groups]
    if not counts or None in counts:
        return None
    return numbers.threads(str(sum(map(int, counts))))


def _proved(
    test: Test, block: _Block, printed: float, array: float | None
) -> tuple[float, tuple[str, ...]]:
    """Check the rate against the flops and the data volume; return it, with a note if it was wrong.

    Release 4.3.3 counts the bytes of an array only once if it is both read and written.
    """
    kernel = KERNELS[test.kernel]
    moved = (kernel.loads + kernel.stores) * _WIDTH[test.type]
    others = []
    flops = block.number("MFlops/s")
    if flops is not None and kernel.flops:
        others.append(flops * 1e6 / kernel.flops * moved / 1e9)
    time, passes = block.number("Time"), block.number("Iterations per thread")
    if array is not None and time and passes:
        others.append(array / _WIDTH[test.type] * passes * moved / time / 1e9)
    if not others or any(abs(each / printed - 1) <= _AGREE for each in others):
        return printed, ()
    once = moved / (moved - _WIDTH[test.type])
    if (
        len(others) == 1
        and not kernel.write_allocates
        and abs(others[0] / printed / once - 1) <= _AGREE
    ):
        by = f"its flops give {format_gbps(others[0])}"
    elif len(others) < 2 or abs(others[0] / others[1] - 1) > _AGREE:
        return printed, ()
    else:
        by = (
            "its flops, and its array length x iterations / time, both give"
            f" {format_gbps(others[0])}"
        )
    return others[0], (
        f"The test {test.name} prints {format_gbps(printed)}, but moves {moved} bytes an iteration:"
        f" {by}, which is shown",
    )


def _array_bytes(test: Test, block: _Block, before: str) -> float | None:
    """The bytes of one array: as allocated, else from the volume or the flops of an iteration.

    The printed size counts either arrays or the bytes of an iteration, depending on the release.
    """
    vector = None
    for match in _VECTOR.finditer(before):
        vector = match
    kernel, width = KERNELS[test.kernel], _WIDTH[test.type]
    if vector is not None and int(vector[2]) == int(vector[1]) * width:
        return float(vector[2]) * max(block.groups, 1)
    passes = block.number("Iterations per thread")
    flops = block.number("Number of Flops")
    volume, size = block.number("Data volume (Byte)"), block.number("Size (Byte)")
    moved = kernel.loads + kernel.stores
    choices = []
    if passes and volume:
        choices.append(volume / passes / moved)
    if size:
        choices.append(size / arrays_of(test.kernel))
    if passes and flops and kernel.flops:
        by_flops = flops / passes / kernel.flops * width
        if any(abs(each / by_flops - 1) <= _AGREE for each in choices):
            return by_flops
    return choices[0] if choices else None


def _cut_off(line: int, what: str, block: _Block) -> str:
    reason = f" The output ends with: {block.ending}." if block.ending else ""
    return (
        f"the output of likwid-bench at line {line} is cut off: {what} is missing.{reason} Take the"
        " whole output of the run, or leave that test out."
    )


@dataclass(frozen=True)
class Test:
    """A test of likwid-bench, in the names of streamgage."""

    __test__ = False

    name: str
    kernel: str
    store: str
    isa: str
    type: ElementType


def read_test(name: str) -> Test | None:
    """Read the name of a test; ``None`` if its kernel is unknown."""
    words = name.lower().split("_")
    kernel = None
    for length in (2, 1):
        base = _UNROLLED.sub("", "_".join(words[:length]))
        if kernel is None and base in _KERNELS:
            kernel, words = _KERNELS[base], words[length:]
    if kernel is None:
        return None
    streaming, isa, single = False, "", False
    for word in words:
        if word in ("mem", "nt"):
            streaming = True
        elif word == "sp":
            single = True
        elif _ISA.fullmatch(word):
            isa = word
        elif not _OF_NO_CONSEQUENCE.fullmatch(word):
            return None
    stores = KERNELS[kernel].stores
    return Test(
        name=name,
        kernel=kernel,
        store="streaming" if streaming and stores else "regular",
        isa=isa,
        type="float" if single else "double",
    )


FORMAT = OutputFormat("likwid-bench", HEADERS, parse, prints="whole-run")

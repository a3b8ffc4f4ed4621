"""The output of likwid-bench: a block of lines a test, of any number of tests.

Format after the program's own printf statements (github.com/RRZE-HPC/likwid: bench/likwid-bench.c)
and the facts of its tests (bench/*/*.ptt). MByte/s there is the mean over all iterations.

Names of tests, such as ``stream_sp_mem_avx512_fma``, are those of LIKWID 4 and 5 for x86-64, Armv8
and POWER. ``stream`` is STREAM's triad; ``triad`` is the Schoenauer triad; ``_mem`` and ``_nt``
store past the caches.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.kernels import KERNELS
from streamgage.interop.rows import Notes
from streamgage.interop.tables import About, Parsed, Row, Table
from streamgage.records import ElementType

BANNER = re.compile(r"LIKWID MICRO BENCHMARK")
_TEST = re.compile(r"Test:[ \t]{0,20}(\S{1,60})")
_FIELD = {
    name: re.compile(rf"{re.escape(name)}:[ \t]{{1,40}}(\S{{1,40}})")
    for name in (
        *("MByte/s", "Time", "Iterations per thread", "Size (Byte)"),
        *("Load bytes per element", "Store bytes per elem."),
    )
}
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
"""The ``cl`` tests touch one element per line: the same lines move."""
_ISA = re.compile(r"(?:sse|avx|avx512|neon|sve(?:128|256|512)|vsx)(?:[0-9]{1,2})?")
_UNROLLED = re.compile(r"(?<=[a-z])[0-9]{1,2}$")
_OF_NO_CONSEQUENCE = re.compile(r"fma|pair|plain|dp|scalar[0-9]{0,2}")


def parse(text: str) -> Parsed:
    """The table of every test in ``text``. Raises ``UsageError`` where it has none complete."""
    banners = list(BANNER.finditer(text))
    if not banners:
        raise UsageError("it holds no output of likwid-bench: name its saved output.")
    notes = Notes("likwid-bench")
    ends = [banner.start() for banner in banners[1:]] + [len(text)]
    tables: list[Table] = []
    line, counted = 1, 0
    for banner, end in zip(banners, ends, strict=True):
        line += text.count("\n", counted, banner.start())
        counted = banner.start()
        found = _block(text[banner.end() : end], line, notes)
        if found is not None:
            tables.append(found)
    if not tables:
        raise UsageError(
            "no test in it streams through memory as one of streamgage's kernels does"
            f" ({' '.join(notes.said)}): interpret runs of tests such as copy, stream, triad, load."
        )
    return Parsed(tuple(tables), notes.sentences())


def _block(text: str, line: int, notes: Notes) -> Table | None:
    """The figures of one test; ``None`` where its kernel is not known."""
    named = _TEST.search(text)
    if named is None:
        raise UsageError(_cut_off(line, "the name of its test"))
    test = read_test(named[1])
    if test is None:
        notes.unknown(line + 1, named[1])
        return None
    rate = _field(text, "MByte/s")
    if rate is None:
        raise UsageError(_cut_off(line, "its MByte/s"))
    counted = [_field(text, kind) for kind in ("Load bytes per element", "Store bytes per elem.")]
    kernel = KERNELS[test.kernel]
    expected = [count * _WIDTH[test.type] for count in (kernel.loads, kernel.stores)]
    told = [numbers.number(each) for each in counted if each is not None]
    if len(told) == 2 and told != expected:
        notes.counted_otherwise(line + 1, named[1])
        return None
    return Table(
        about=About("likwid-bench"),
        rows=(_row(test, text, rate, line),),
        threads=_threads(text),
        array_bytes=_array_bytes(test, text),
        element_type=test.type,
    )


def _row(test: Test, text: str, rate: str, line: int) -> Row:
    time, passes = _field(text, "Time"), _field(text, "Iterations per thread")
    total = numbers.seconds(time) if time else None
    count = numbers.seconds(passes) if passes else None
    return Row(
        kernel=test.kernel,
        gbps=numbers.rate(rate, 1e6, f"the test {test.name} at line {line}"),
        mean_seconds=total / count if total and count else None,
        store=test.store,
        isa=test.isa,
        code=f"likwid-bench {test.name}",
    )


def _field(text: str, name: str) -> str | None:
    found = _FIELD[name].search(text)
    return found[1] if found else None


def _threads(text: str) -> int | None:
    found = _THREADS.search(text)
    return numbers.threads(found[1]) if found else None


def _array_bytes(test: Test, text: str) -> int | None:
    """Of one array: the size that is printed counts every load and store of an element."""
    size = _field(text, "Size (Byte)")
    if size is None:
        return None
    kernel = KERNELS[test.kernel]
    return numbers.size(numbers.number(size) / (kernel.loads + kernel.stores), "arrays")


def _cut_off(line: int, what: str) -> str:
    return (
        f"the output of likwid-bench at line {line} is cut off: {what} is missing. Take the whole"
        " output of the run, or leave that test out."
    )


@dataclass(frozen=True)
class Test:
    """A test, in our words."""

    __test__ = False

    name: str
    kernel: str
    store: str
    isa: str
    type: ElementType


def read_test(name: str) -> Test | None:
    """What ``name`` says; ``None`` where it names no test of a known kernel."""
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

"""Reads bw_mem of lmbench: the bandwidth over the size of the working set.

The formats follow its source (lmbench 3: src/bw_mem.c, src/lib_timing.c) and saved outputs. It only
prints two numbers, MB and MB/s of 10^6 bytes. The text before them says what they measure: a
command line, a heading of the script ``lmbench``, or the name of the test at the beginning of the
line. A byte that is copied, or read and written back, counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import SizeCurve, SizeCurves, SizePoint
from streamgage.interop.kernels import KERNELS
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import Place, places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts

_TESTS = {
    "frd": "sum",
    "rd": "sum",
    "fwr": "init",
    "wr": "init",
    "bzero": "init",
    "rdwr": "update",
    "fcp": "copy",
    "cp": "copy",
    "bcopy": "copy",
}
"""The kernels by the names of tests. ``rd``, ``wr``, ``rdwr`` and ``cp`` use one word in eight, but
count the bytes of all words."""
_HEADINGS = {
    "libc bcopy unaligned": "bcopy",
    "libc bcopy aligned": "bcopy",
    "memory bzero bandwidth": "bzero",
    "unrolled bcopy unaligned": "fcp",
    "unrolled partial bcopy unaligned": "cp",
    "memory read bandwidth": "frd",
    "memory partial read bandwidth": "rd",
    "memory write bandwidth": "fwr",
    "memory partial write bandwidth": "wr",
    "memory partial read/write bandwidth": "rdwr",
}
"""The tests by the script's headings. Its aligned copies come after the others and are left out."""
_NAMES = "|".join(sorted(_TESTS, key=len, reverse=True))
COMMAND = re.compile(
    r"^[^\n]{0,120}?\bbw_mem\b(?P<options>[^\n]{0,60}?)[ \t][0-9]{1,12}[kKmMgG]?[bB]?"
    rf"[ \t]{{1,8}}(?P<test>{_NAMES})\b[^\n]{{0,80}}$",
    re.M,
)
HEADING = re.compile(rf'^"?(?P<name>{"|".join(_HEADINGS)})[ \t]*$', re.M | re.I)
NAMED = re.compile(
    rf"^[ \t]{{0,8}}(?P<test>{_NAMES})[ \t]+(?P<mb>[0-9.]{{1,16}})[ \t]+"
    r"(?P<rate>[0-9.]{1,16})[ \t]*$",
    re.M,
)
HEADERS = (COMMAND, HEADING, NAMED)
OWN = re.compile(r"[a-z]{0,6}[ \t]*[0-9.]+[ \t]+[0-9.]+$|\*{5,}|[^\n]{0,120}\bbw_mem\b", re.I)
_FIGURES = re.compile(
    r"\W{0,6}([0-9]{1,9}\.[0-9]{2,6})[ \t]{1,8}([0-9]{1,9}\.[0-9]{1,4})[ \t]*(?:#[^\n]{0,200})?"
)
"""Matches a size and its rate, with a comment behind them or not."""
_PARALLEL = re.compile(r"-P[ \t]{0,4}([0-9]{1,6})\b")
_MEGABYTE = 1e6
_LINES_AFTER = 5
"""The figures of a command stand at most this many lines below it."""
_MOST_SIZES = 200


@dataclass(frozen=True)
class _Figure:
    start: int
    test: str
    threads: int | None
    mb: str
    rate: str


def parse(text: str) -> ParsedOutput:
    """Read the figures of every run in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("lmbench")
    figures = sorted(
        [*_commands(text), *_headings(text), *_named_figures(text)], key=lambda e: e.start
    )
    if not figures:
        raise UsageError(
            "it has no figures of lmbench's bw_mem: put the command line, which says what they"
            " measure, above each pair of numbers."
        )
    groups = list(_groups(figures))
    spans = [(each[0].start, each[-1].start + 1) for each in groups]
    found = []
    for group, place in zip(groups, places(text, spans, OWN), strict=True):
        chart = _chart(group, place, notes)
        if chart is not None:
            found.append(chart)
    if not found:
        raise UsageError(notes.why("its figures of bw_mem are not numbers."))
    return ParsedOutput((), notes.sentences(), tuple(found))


def _commands(text: str) -> Iterator[_Figure]:
    """Yield the first pair of numbers within a few lines below each command."""
    found = list(COMMAND.finditer(text))
    for number, match in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        below = text[match.end() : min(end, match.end() + 2000)]
        for line in below.split("\n")[1 : 1 + _LINES_AFTER]:
            pair = _FIGURES.fullmatch(line)
            if pair is not None:
                parallel = _PARALLEL.search(match["options"])
                threads = int(parallel[1]) if parallel else 1
                yield _Figure(
                    match.start(),
                    match["test"],
                    threads if 1 <= threads <= numbers.MOST_ON_ONE_MACHINE else None,
                    pair[1],
                    pair[2],
                )
                break


def _headings(text: str) -> Iterator[_Figure]:
    """Yield the pairs of numbers below each heading of the script, up to an empty line."""
    for match in HEADING.finditer(text):
        name = match["name"].lower()
        if name == "libc bcopy aligned":
            continue
        below = text[match.end() : match.end() + 20_000]
        for number, line in enumerate(below.split("\n")[1:_MOST_SIZES]):
            pair = _FIGURES.fullmatch(line)
            if pair is None:
                break
            yield _Figure(match.start() + number, _HEADINGS[name], None, pair[1], pair[2])


def _named_figures(text: str) -> Iterator[_Figure]:
    for match in NAMED.finditer(text):
        yield _Figure(match.start(), match["test"], None, match["mb"], match["rate"])


def _groups(figures: list[_Figure]) -> Iterator[list[_Figure]]:
    """Group the figures.

    A new group starts if a size occurs again in a test, or the number of threads changes.
    """
    group: list[_Figure] = []
    seen: set[tuple[str, str]] = set()
    for each in figures:
        if group and ((each.test, each.mb) in seen or each.threads != group[0].threads):
            yield group
            group, seen = [], set()
        group.append(each)
        seen.add((each.test, each.mb))
    if group:
        yield group


def _chart(group: list[_Figure], place: Place, notes: Notes) -> SizeCurves | None:
    curves = []
    for test, kernel in _TESTS.items():
        facts = KERNELS[kernel]
        words = facts.loads + facts.stores
        arrays = 2 if kernel == "copy" else 1
        points: dict[int, SizePoint] = {}
        for each in group:
            if each.test != test:
                continue
            try:
                size = numbers.size(numbers.number(each.mb) * _MEGABYTE * arrays, "working sets")
                gbps = numbers.rate(each.rate, _MEGABYTE * words, f"bw_mem {test} {each.mb}")
            except UsageError as error:
                notes.lost(place.line, str(error))
                continue
            points[size] = SizePoint(size, gbps)
        if points:
            ordered = tuple(points[size] for size in sorted(points))
            curves.append(SizeCurve(kernel, test, group[0].threads, ordered))
    if not curves:
        return None
    return SizeCurves(
        about=BenchmarkFacts("lmbench"),
        line=place.line,
        heading=place.heading,
        curves=tuple(curves),
    )


FORMAT = OutputFormat("lmbench", HEADERS, parse)

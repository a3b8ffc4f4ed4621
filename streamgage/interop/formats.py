"""Finds the benchmark that wrote a text, and its tables."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import groupby, zip_longest
from pkgutil import iter_modules
from typing import TypeVar

from streamgage import interop
from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.interop import result_tables
from streamgage.interop.bare_rows import Proof, proof_of, with_headers, without_header
from streamgage.interop.charts import AnyChart
from streamgage.interop.cross_check import cross_checked
from streamgage.interop.endings import ending_of, wants_memory
from streamgage.interop.labels import (
    LabelledPart,
    in_whole,
    kind_of,
    split_by_label,
)
from streamgage.interop.named_hardware import with_hardware
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.pasted import clean, joined_rows, plain
from streamgage.interop.rows import ROWS_MISSING
from streamgage.interop.tables import Table
from streamgage.interop.unread import why_unread
from streamgage.interop.weak_nodes import weak_nodes
from streamgage.units import SAME_SIZE, count

Shown = TypeVar("Shown", Table, AnyChart)
_SECTIONS = 10
"""The bits of the number of a section below those of its label."""
_MOST_PARTS = 50
"""The benchmark may change at most this often within one text."""


def declared_formats() -> tuple[OutputFormat, ...]:
    """The ``FORMAT`` of each module of this folder that has one."""
    modules = sorted(each.name for each in iter_modules(interop.__path__))
    found = [
        getattr(import_module(f"{interop.__name__}.{name}"), "FORMAT", None)
        for name in modules
        if not __name__.endswith(f".{name}")
    ]
    return tuple(each for each in found if each is not None)


FORMATS = declared_formats()
"""The output formats of all benchmarks that can be read."""

_COUNTED_ALREADY = (
    "The rates of this output already count the lines that stores read (rate x time is more than"
    " the arrays hold); the nominal rates shown do not count them."
)
KNOWN = f"{', '.join(each.name for each in FORMATS[:-1])} or {FORMATS[-1].name}"

_OURS = re.compile(r'\s{0,20}\{"record":')


def parse_output(text: str) -> ParsedOutput:
    """Read the tables and charts that benchmarks printed, each kind in the order of the text.

    If the lines have labels of nodes, tasks or files, each label is an output of its own. Raises
    ``UsageError`` if no benchmark is known and has a complete row.
    """
    text = clean(text)
    if not text.strip():
        raise UsageError(f"it is empty: name the saved output of {KNOWN}.")
    if _OURS.match(text):
        raise UsageError(f"it holds records of streamgage: {advice('show', 'FILE')} shows them.")
    text = plain(text)
    parts = split_by_label(text)
    if parts:
        try:
            return _of_labels(parts)
        except UsageError as error:
            try:
                return _with_headers(LabelledPart("", text.split("\n")), None)
            except UsageError:
                raise error from None
    return _with_headers(LabelledPart("", text.split("\n")), None)


def _of_labels(parts: Sequence[LabelledPart]) -> ParsedOutput:
    """Read the output of each label. Raises ``UsageError`` if none can be read."""
    bare = [joined_rows(each.lines) for each in parts if without_header(each.text)]
    proof = proof_of(bare) if bare else None
    tables: list[Table] = []
    charts: list[AnyChart] = []
    notes: dict[str, list[str]] = {}
    problems: list[UsageError] = []
    left_out: dict[str, str] = {}
    several = len(parts) > 1
    read: list[LabelledPart] = []
    for number, part in enumerate(parts):
        try:
            parsed = _with_headers(part, proof)
        except UsageError as error:
            said_why = in_whole(str(error), part.numbers)
            if part.label or len(parts) == 1:
                problems.append(UsageError(f"{part.label}: {said_why}" if several else said_why))
                left_out[part.label] = said_why
            continue
        read.append(part)
        for note in parsed.notes:
            notes.setdefault(note, []).append(part.label)
        # Tables of files may be members of one series, as files in a folder are.
        section = 0 if part.is_file else number
        tables += [
            replace(
                table,
                heading=part.label or table.heading,
                section=section << _SECTIONS | table.section,
            )
            if several
            else table
            for table in parsed.tables
        ]
        charts += [replace(e, heading=part.label) if several else e for e in parsed.charts]
    if not tables and not charts:
        raise problems[0]
    said = [
        note if len(labels) == len(read) or not several else f"{_some(labels)}: {note}"
        for note, labels in notes.items()
    ]
    if several:
        said += _about_labels(read, tables)
    said += [f"A part was left out: {problem}" for problem in problems]
    return ParsedOutput(tuple(tables), tuple(said), tuple(charts), left_out)


def _some(labels: Sequence[str]) -> str:
    named = [each or "lines without a label" for each in labels]
    return ", ".join(named[:3]) + (f" and {len(named) - 3} more" if len(named) > 3 else "")


def _about_labels(parts: Sequence[LabelledPart], tables: Sequence[Table]) -> Iterator[str]:
    """Yield what the labels name, and which of them are slow."""
    kinds = {kind_of(each) for each in parts if each.label}
    kind = kinds.pop() if len(kinds) == 1 else "label"
    if len(parts) > 1:
        yield f"Its lines are of {count(len(parts), kind)}; each is an output of its own."
    sizes = [each.array_bytes for each in tables if each.array_bytes]
    if len({each.threads for each in tables}) > 1 or (
        sizes and max(sizes) > (1 + SAME_SIZE) * min(sizes)
    ):
        return  # of a scaling or a series, whose rates differ for that reason
    kernels = dict.fromkeys(row.kernel for table in tables for row in table.rows)
    for kernel in kernels if len(kernels) == 1 else ("triad", "copy"):
        rates: dict[str, float] = {}
        for table in tables:
            rates |= {str(table.heading): r.gbps for r in table.rows if r.kernel == kernel}
        slow = weak_nodes(kernel.capitalize(), rates, kind)
        yield from slow
        if slow:
            return


def _with_headers(part: LabelledPart, proof: Proof | None) -> ParsedOutput:
    """Read a part, whose rows get the header that their figures prove if they have none.

    ``proof``: what the rows of all parts prove together.
    """
    numbers = part.numbers or list(range(1, len(part.lines) + 1))
    part = replace(part, lines=joined_rows(part.lines))
    if not without_header(part.text):
        return _in_whole(_parse(part.text), numbers, part.numbers)
    proof = proof or proof_of([part.lines])
    lines, places = with_headers(part.lines, proof.shape) if proof is not None else ([], [])
    if proof is None or len(lines) == len(part.lines):
        return _in_whole(_parse(part.text), numbers, part.numbers)
    parsed = _in_whole(_parse("\n".join(lines)), [numbers[each - 1] for each in places], [1])
    said = (
        f"The header of its rows is missing. Rate x time gives {proof.array_bytes // 8 / 1e6:.6g}"
        f" million elements in each, so they are rows of {proof.shape.name}."
    )
    tables = [
        each if each.array_bytes else replace(each, array_bytes=proof.array_bytes)
        for each in parsed.tables
    ]
    # Whoever takes single rows from an output knows that others are missing.
    notes = [each for each in parsed.notes if not each.startswith(ROWS_MISSING)]
    return ParsedOutput(tuple(tables), (*notes, said), parsed.charts)


def _in_whole(parsed: ParsedOutput, numbers: list[int], moved: Sequence[int]) -> ParsedOutput:
    """Return the output with the numbers of lines in the whole text; nothing if none moved."""
    if not moved:
        return parsed

    def line(number: int) -> int:
        return numbers[number - 1] if 1 <= number <= len(numbers) else number

    return ParsedOutput(
        tuple(replace(each, line=line(each.line)) for each in parsed.tables),
        tuple(in_whole(each, numbers) for each in parsed.notes),
        tuple(replace(each, line=line(each.line)) for each in parsed.charts),
    )


def _parse(text: str) -> ParsedOutput:
    """Read a text whose lines have no labels."""
    parts = _parts(text)
    if not parts:
        if result_tables.is_in(text):
            return with_hardware(text, result_tables.parse(text))
        raise UsageError(_unknown(text))
    tables: list[Table] = []
    charts: list[AnyChart] = []
    notes: list[str] = []
    problems: list[str] = []
    line, counted = 0, 0
    for each, start, end in parts:
        line += text.count("\n", counted, start)
        counted = start
        name = f"{each.name}: " if len(parts) > 1 else ""
        try:
            # Empty lines replace the text before a part, so that lines keep their numbers.
            parsed = _as_printed(each, each.parse("\n" * line + text[start:end]))
        except UsageError as error:
            problems.append(str(error))
            continue
        for table in parsed.tables:
            try:
                tables.append(cross_checked(table))
            except UsageError as error:
                problems.append(f"at line {table.line}, {error}" if table.line else str(error))
        charts += parsed.charts
        notes += [f"{name}{note}" for note in parsed.notes]
    if not tables and not charts:
        raise UsageError(problems[0])
    if any(row.convention == "hardware" for table in tables for row in table.rows):
        notes.append(_COUNTED_ALREADY)
    notes += [f"A table was left out: {problem}" for problem in problems]
    return with_hardware(text, ParsedOutput(tuple(tables), tuple(notes), tuple(charts)))


def _as_printed(form: OutputFormat, parsed: ParsedOutput) -> ParsedOutput:
    """The output, whose figures are what this benchmark prints."""
    if form.prints == "best":
        return parsed
    return replace(
        parsed,
        tables=tuple(_printing(form, table) for table in parsed.tables),
        charts=tuple(_printing(form, chart) for chart in parsed.charts),
    )


def _printing(form: OutputFormat, shown: Shown) -> Shown:
    return replace(shown, about=replace(shown.about, prints=form.prints))


def _parts(text: str) -> list[tuple[OutputFormat, int, int]]:
    """Split the text into the outputs of benchmarks, in their order."""
    known = [(number, each) for number, each in enumerate(FORMATS) if each.may_be_in(text)]
    sections = sorted((*span, number) for number, each in known for span in each.sections(text))
    starts = sorted(
        (start, number)
        for number, each in known
        for start in each.starts(text)
        if _owner(sections, start) in (None, number)
    )
    stretches = [(n, [start for start, _ in each]) for n, each in groupby(starts, lambda e: e[1])]
    if len(stretches) > _MOST_PARTS:
        raise UsageError(
            f"the benchmarks in it change more than {_MOST_PARTS} times: write one file for each."
        )
    parts, cut = [], 0
    for (number, headers), after in zip_longest(stretches, stretches[1:]):
        end = len(text)
        if after is not None:
            end = _beginning(FORMATS[after[0]], text, headers[-1], after[1][0])
        parts.append((FORMATS[number], cut, end))
        cut = end
    return parts


def _owner(sections: list[tuple[int, int, int]], place: int) -> int | None:
    """The index of the format in whose section ``place`` lies; ``None`` if it lies in none."""
    before = bisect(sections, place, key=lambda each: each[0])
    if not before:
        return None
    _, end, owner = sections[before - 1]
    return owner if place < end else None


def _beginning(each: OutputFormat, text: str, after: int, header: int) -> int:
    """Where the output with this first header starts, at the benchmark's first line."""
    found = each.beginning.search(text, after, header) if each.beginning is not None else None
    place = header if found is None else found.start()
    return text.rfind("\n", after, place) + 1 or place


def _unknown(text: str) -> str:
    """Why nothing can be read. A reason that the text itself gives comes first."""
    reason = ending_of(text)
    for each in FORMATS:
        if each.gap is not None and each.gap.fullmatch(text):
            return each.why_gap
        if each.beginning is None or not each.beginning.search(text):
            continue
        if reason is None:
            return (
                f"it is cut off before the table of {each.name}: take the whole output of the run,"
                " or run it again."
            )
        advice = (
            f"Run {each.name} with smaller arrays."
            if wants_memory(text)
            else "Fix that, and run it again."
        )
        return f"the run of {each.name} ended before its table: {reason!r}. {advice}"
    return (
        why_unread(text)
        or _without_meaning(text)
        or f"it holds no table of a known benchmark: name the saved output of {KNOWN}."
    )


_FIGURE = re.compile(
    r"^[^\n]{0,80}?\b(?:Copy|Scale|Add|Triad|memcpy)\b[*`:|= \t]{1,40}[0-9][0-9.,]{0,20}"
    r"(?:[ \t|]{0,20}[KMGT]i?B(?:ytes)?/s(?:ec)?)?",
    re.M | re.I,
)
"""Matches a line with a kernel and a figure that no benchmark prints so."""

_RATE_UNIT = re.compile(r"\b[KMGT]i?B(?:ytes)?/s", re.I)


def _without_meaning(text: str) -> str | None:
    """Why the first line with a kernel and a figure cannot be read; ``None`` if there is none."""
    found = _FIGURE.search(text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start()) + 1
    shown = " ".join(found[0].split())[-60:]
    whole = text[found.start() :].split("\n", 1)[0]
    lacks = "no time" if _RATE_UNIT.search(whole) else "no unit and no time"
    return (
        f"line {line} has {shown!r} with {lacks} next to it, and no benchmark that is known prints"
        " such rows, so nothing shows what the figure means: take the whole output of the run."
    )

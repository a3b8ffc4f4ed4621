"""Reads NVIDIA's nvbandwidth: transfers between the host and its GPUs, as text and as JSON.

The formats follow its source (github.com/NVIDIA/nvbandwidth: output.cpp, json_output.cpp) and saved
outputs of versions 0.5 to 0.10. A matrix has a row and a column for each CPU or GPU; its title says
which. Rates are GB/s of 10^9 bytes, each byte counted once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.endings import ending_of
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts

HEADER = re.compile(
    r"^[^\n]{0,20}?\b[Rr]unning ([a-z][a-z0-9]{0,20}(?:_[a-z0-9]{1,20}){1,8})\.?[ \t]*$", re.M
)
"""Matches the header of a test in text output."""
JSON = re.compile(r'"nvbandwidth"[ \t\r\n]{0,20}:[ \t\r\n]{0,20}\{')
BEGINNING = re.compile(r"nvbandwidth Version:")
OWN = re.compile(
    r"nvbandwidth|Built from|CUDA (?:Runtime|Driver)|Driver Version|Device \d|Waived|Running|NOTE"
    r"|Performance can|Additional system|SUM |MIN |MAX |AVG |COEFFICIENT|[0-9N/A. \t]+$",
    re.I,
)
_VERSION = re.compile(r"nvbandwidth Version: ?v?([0-9]{1,3}(?:\.[0-9]{1,3}){0,2})")
_DEVICE = re.compile(r"^[^\n]{0,40}?\bDevice ([0-9]{1,3}): ([^\n(]{1,80})", re.M)
_TITLE = re.compile(r"^[^\n]{0,200}(?P<unit>\(GB/s\)|\(ns\))[^\n]{0,40}$", re.M)
_NUMBERS = re.compile(r"\s*[0-9]{1,3}(?:[ \t]+[0-9]{1,3}){0,127}\s*")
_ROW = re.compile(r"\s*([0-9]{1,3})((?:[ \t]+(?:[0-9]{1,8}(?:\.[0-9]{1,6})?|N/A)){1,128})\s*")
_KINDS = re.compile(r"\b(?P<first>CPU|GPU)\(row\)|\b(?P<second>CPU|GPU)\(column\)", re.I)
_ARROW = re.compile(r"\(row\) (->|<-|<->) ", re.I)
_AXES = {"->": ("from", "to"), "<-": ("to", "from"), "<->": ("", ""), None: ("", "")}
"""What rows and columns are, by the arrow between them in a description."""
_WAIVED = re.compile(r"Waiv(?:ed|ing)|ERROR|Error", re.I)
_LISTED = re.compile(r"[0-9]{1,3}: {0,3}([^(]{1,80}?) *(?:\(|$)")
"""Matches a device in JSON: ``0: NVIDIA GeForce RTX 5090 (00000000:0c:00): (host)``."""
_BRACES = re.compile(r'"(?:[^"\\\n]|\\.){0,400}"|[{}]')
"""Matches braces outside of strings, and strings."""
_MOST_LINES = 140
"""The most lines of a matrix."""
_MOST_TESTS = 500
_UNITS = {"(GB/s)": "GB/s", "(ns)": "ns"}


def parse(text: str) -> ParsedOutput:
    """Read every test in ``text``. Raises ``UsageError`` if no test has a figure."""
    notes = Notes("nvbandwidth")
    charts = [*_of_json(text, notes), *_joined(_of_text(text, notes))]
    if not charts:
        reason = ending_of(text)
        ending = f", and ends with: {reason}" if reason else ""
        raise UsageError(
            notes.why(
                f"it holds no test of nvbandwidth with a figure{ending}: take the whole output of a"
                " run whose tests were not all waived."
            )
        )
    return ParsedOutput((), notes.sentences(), tuple(charts))


def _of_text(text: str, notes: Notes) -> Iterator[LinkTables]:
    """Yield one result per run: the tests under one banner."""
    headers = list(HEADER.finditer(text))
    if not headers:
        return
    banners = [each.start() for each in BEGINNING.finditer(text)]
    ends = [each.start() for each in headers[1:]] + [len(text)]
    runs: dict[int, list[tuple[re.Match[str], int]]] = {}
    before = 0
    for header, end in zip(headers, ends, strict=True):
        while before < len(banners) and banners[before] < header.start():
            before += 1
        runs.setdefault(before, []).append((header, end))
    spans = [(each[0][0].start(), each[-1][1]) for each in runs.values()]
    for (run, tests), place in zip(runs.items(), places(text, spans, OWN), strict=True):
        begin = banners[run - 1] if run else max(0, tests[0][0].start() - 2000)
        head = text[begin : tests[0][0].start()]
        found: dict[str, LinkTable] = {}
        waived = []
        for header, end in tests[:_MOST_TESTS]:
            table = _table(header[1], text[header.end() : min(end, header.end() + 40_000)])
            if table is None:
                waived.append(header[1])
            else:
                found.setdefault(header[1], table)
        if not found:
            notes.left_table(f"no test at line {place.line} has a complete matrix.")
            continue
        version = _VERSION.search(head)
        devices = [each[2].strip() for each in _DEVICE.finditer(head)]
        yield LinkTables(
            about=_about(version[1] if version else None, devices),
            line=place.line,
            heading=place.heading,
            tests=tuple(found.values()),
            waived=tuple(waived),
            devices=tuple(devices),
        )


def _joined(runs: Iterable[LinkTables]) -> list[LinkTables]:
    """Merge consecutive runs on the same GPUs if no test occurs twice."""
    found: list[LinkTables] = []
    for each in runs:
        last = found[-1] if found else None
        names = {test.test for test in each.tests}
        if (
            last is not None
            and (last.about, last.devices) == (each.about, each.devices)
            and each.heading in {None, last.heading}
            and names.isdisjoint(test.test for test in last.tests)
        ):
            found[-1] = replace(
                last, tests=last.tests + each.tests, waived=last.waived + each.waived
            )
            continue
        found.append(each)
    return found


def _about(version: str | None, devices: list[str]) -> BenchmarkFacts:
    kinds = list(dict.fromkeys(devices))
    return BenchmarkFacts("nvbandwidth", version, processor=kinds[0] if len(kinds) == 1 else None)


def _table(test: str, text: str) -> LinkTable | None:
    """Read the matrix below the name of a test; ``None`` if there is no complete one."""
    title = _TITLE.search(text)
    if title is None:
        return None
    columns: list[str] = []
    rows: dict[str, list[float | None]] = {}
    for line in text[title.end() :].split("\n")[:_MOST_LINES]:
        found = _ROW.fullmatch(line) if columns else None
        if found is not None and len(found[2].split()) == len(columns):
            if found[1] in rows:
                return None
            rows[found[1]] = [_figure(each) for each in found[2].split()]
        elif not columns and _NUMBERS.fullmatch(line):
            columns = line.split()
        elif rows and line.strip():
            break
    return _whole(test, title[0].strip(), rows, columns, _UNITS[title["unit"]])


def _figure(word: str) -> float | None:
    """Read a figure; ``None`` for ``N/A``, and for figures that no link can have."""
    value = numbers.number(word)
    return value if 0 < value <= numbers.MOST_GBPS else None


def _cell(value: object) -> float | None:
    return _figure(str(value)) if isinstance(value, str | int | float) else None


def _whole(
    test: str,
    description: str,
    rows: Mapping[str, list[float | None]],
    columns: list[str],
    unit: str,
) -> LinkTable | None:
    kinds = {"row": "CPU", "column": "GPU"}
    for match in _KINDS.finditer(description):
        kinds["row" if match["first"] else "column"] = (match["first"] or match["second"]).upper()
    if "(row)" not in description.lower():
        kinds["row"] = "GPU" if description.lower().startswith("memcpy local") else kinds["row"]
    cells = tuple(map(tuple, rows.values()))
    if len(set(columns)) != len(columns) or not any(e is not None for row in cells for e in row):
        return None
    arrow = _ARROW.search(description)
    row_word, column_word = _AXES[arrow and arrow[1]]
    return LinkTable(
        test=test,
        description=" ".join(description.split())[:200],
        rows=tuple(f"{kinds['row']} {each}" for each in rows),
        columns=tuple(f"{kinds['column']} {each}" for each in columns),
        cells=cells,
        unit=unit,
        row_axis=f"{row_word} {kinds['row']}".strip(),
        column_axis=f"{column_word} {kinds['column']}".strip(),
    )


def _of_json(text: str, notes: Notes) -> Iterator[LinkTables]:
    """Yield the result of each JSON document in ``text``, whatever stands around it."""
    line, counted = 1, 0
    end = 0
    for match in JSON.finditer(text):
        if match.start() < end:
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        end = _end_of_object(text, match.end() - 1)
        try:
            found: Any = msgspec.json.decode(text[match.end() - 1 : end])
        except (msgspec.DecodeError, RecursionError):
            notes.left_table(f"the JSON at line {line} is not complete.")
            continue
        chart = _of_document(found, line)
        if chart is None:
            notes.left_table(f"the JSON at line {line} has no test with a figure.")
        else:
            yield chart


def _end_of_object(text: str, start: int) -> int:
    """The position after the brace that closes the one at ``start``, or the end of the text."""
    depth = 0
    for match in _BRACES.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def _of_document(document: object, line: int) -> LinkTables | None:
    if not isinstance(document, dict):
        return None
    found: dict[str, Any] = document
    tests: dict[str, LinkTable] = {}
    waived = []
    cases = found.get("testcases")
    for case in cases[:_MOST_TESTS] if isinstance(cases, list) else []:
        name = case.get("name") if isinstance(case, dict) else None
        if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{3,60}", name):
            continue
        table = _of_case(name, case)
        if table is not None:
            tests.setdefault(name, table)
        else:
            waived.append(name)
    if not tests:
        return None
    version = found.get("version")
    shown = version.removeprefix("v") if isinstance(version, str) else ""
    names = found.get("GPU Device list")
    listed = [e for e in names if isinstance(e, str)] if isinstance(names, list) else []
    devices = [match[1] for each in listed if (match := _LISTED.match(each))]
    return LinkTables(
        about=_about(shown if re.fullmatch(r"[0-9.]{1,12}", shown) else None, devices),
        line=line,
        tests=tuple(tests.values()),
        waived=tuple(waived),
        devices=tuple(devices),
    )


def _of_case(name: str, case: Mapping[str, Any]) -> LinkTable | None:
    description, matrix = case.get("bandwidth_description"), case.get("bandwidth_matrix")
    if not isinstance(description, str) or not isinstance(matrix, list) or not matrix:
        return None
    unit = next((each for each in _UNITS if each in description), None)
    if unit is None or not all(isinstance(row, list) and row for row in matrix):
        return None
    width = len(matrix[0])
    if any(len(row) != width for row in matrix) or max(width, len(matrix)) > _MOST_LINES:
        return None
    rows = {str(number): [*map(_cell, row)] for number, row in enumerate(matrix)}
    columns = [str(number) for number in range(width)]
    return _whole(name, description.strip(), rows, columns, _UNITS[unit])


FORMAT = OutputFormat(
    "nvbandwidth",
    (HEADER, JSON),
    parse,
    BEGINNING,
    ("unning ", '"nvbandwidth"'),
)

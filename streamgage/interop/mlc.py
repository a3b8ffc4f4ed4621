"""The bandwidths that Intel's Memory Latency Checker (MLC) prints: peak injection, or maximum.

Formats after saved outputs of versions 3.1 to 3.11 (tests/support/foreign_outputs.py names them).
MLC names the mix of reads and writes, not a formula, and is closed source: a mix is a kernel of its
own, and its bytes are those that MLC counts. Its matrices and latencies are left out.
"""

from __future__ import annotations

import re

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.tables import About, Parsed, Row, Table

HEADER = re.compile(
    r"Measuring (?:Peak(?: Injection)?|Maximum) Memory Bandwidths for the system", re.I
)
_ROW = re.compile(
    r"^[^\n]{0,60}?(ALL Reads|[1-3]:1 Reads-Writes|Stream-triad like)"
    r"[ \t]{0,20}:[ \t]{0,40}(\S{1,40})",
    re.I | re.M,
)
_KERNELS = {
    "all reads": "load",
    "3:1 reads-writes": "mix-3:1",
    "2:1 reads-writes": "mix-2:1",
    "1:1 reads-writes": "mix-1:1",
    "stream-triad like": "triad",
}
_VERSION = re.compile(r"Memory Latency Checker - v([0-9]{1,3}(?:\.[0-9]{1,3})?[a-z]?)")
_OTHERS = re.compile(r"Measuring (?:idle latenc|Memory Bandwidths between|Loaded Latenc)", re.I)
_MEGABYTE = 1e6
"""It prints so: ``1 MB/sec = 1,000,000 Bytes/sec``."""


def parse(text: str) -> Parsed:
    """The table of every run in ``text``. Raises ``UsageError`` where it has none complete."""
    headers = list(HEADER.finditer(text))
    if not headers:
        raise UsageError("it holds no bandwidths of Intel MLC: name its saved output.")
    tables, before, line = [], 0, 1
    ends = [header.start() for header in headers[1:]] + [len(text)]
    version = None
    for header, end in zip(headers, ends, strict=True):
        line += text.count("\n", before, header.start())
        for named in _VERSION.finditer(text, before, header.start()):
            version = named[1]
        before = header.start()
        tables.append(_table(text[header.end() : end], line, version))
    left_out = (
        "Intel MLC: its matrices and latencies were left out. `streamgage numa` and `streamgage"
        " latency` measure them.",
    )
    return Parsed(tuple(tables), left_out if _OTHERS.search(text) else ())


def _table(text: str, line: int, version: str | None) -> Table:
    found: dict[str, Row] = {}
    for match in _ROW.finditer(text):
        label, kernel = match[1], _KERNELS[match[1].lower()]
        place = line + text.count("\n", 0, match.start())
        if kernel in found:
            raise UsageError(
                f"line {place} has a second row {label!r} in the bandwidths at line {line}: the"
                " output of several runs is mixed, so write one file a run."
            )
        rate = numbers.rate(match[2], _MEGABYTE, f"line {place} ({label})")
        found[kernel] = Row(kernel=kernel, gbps=rate)
    missing = [label for label, kernel in _KERNELS.items() if kernel not in found]
    if missing:
        raise UsageError(
            f"the bandwidths of Intel MLC at line {line} are cut off: {', '.join(missing)} is"
            " missing. Take the whole output of the run, or leave that table out."
        )
    return Table(About("Intel MLC", version), tuple(found.values()))

"""Which benchmark wrote a text, and its records."""

from __future__ import annotations

import re
from collections.abc import Callable

from streamgage.errors import UsageError
from streamgage.interop import babelstream, likwid_bench, stream, the_bandwidth_benchmark
from streamgage.interop.babelstream_csv import CSV_HEADER
from streamgage.interop.tables import Parsed

Parser = Callable[[str], Parsed]

_FORMATS: tuple[tuple[str, tuple[re.Pattern[str], ...], Parser], ...] = (
    ("STREAM", (stream.HEADER,), stream.parse),
    (
        "TheBandwidthBenchmark",
        (the_bandwidth_benchmark.HEADER,),
        the_bandwidth_benchmark.parse,
    ),
    (
        "BabelStream",
        (babelstream.HEADER, CSV_HEADER, babelstream.TRIAD_ONLY),
        babelstream.parse,
    ),
    ("likwid-bench", (likwid_bench.BANNER,), likwid_bench.parse),
)

KNOWN = "STREAM, TheBandwidthBenchmark, BabelStream or likwid-bench"

_BEGINNINGS = {
    "STREAM": re.compile(r"STREAM\w{0,3} version \$ ?Revision", re.I),
    "TheBandwidthBenchmark": re.compile(r"Total allocated datasize:"),
    "BabelStream": re.compile(r"^BabelStream *\nVersion:", re.M),
}
"""What a benchmark prints before its table: a run that was stopped has nothing else."""

_OURS = re.compile(r'\s{0,20}\{"record":')
_MARKS = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
"""Colours of a terminal."""


def parse_output(text: str) -> Parsed:
    """The records of what a benchmark printed.

    Raises ``UsageError`` where the text is of none that is known, of several, or cut off.
    """
    text = _MARKS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UsageError(f"it is empty: name the saved output of {KNOWN}.")
    if _OURS.match(text):
        raise UsageError("it holds records of streamgage: `streamgage show FILE` shows them.")
    found = [
        (name, parse)
        for name, patterns, parse in _FORMATS
        if any(pattern.search(text) for pattern in patterns)
    ]
    if not found:
        raise UsageError(_unknown(text))
    if len(found) > 1:
        names = " and ".join(name for name, _ in found)
        raise UsageError(
            f"it holds tables of {names}: write one file for each benchmark, and interpret them one"
            " at a time."
        )
    return found[0][1](text)


def _unknown(text: str) -> str:
    for name, pattern in _BEGINNINGS.items():
        if pattern.search(text):
            return (
                f"it is cut off before the table of {name}: take the whole output of the run, or"
                " run it again."
            )
    return f"it holds no table that is known: name the saved output of {KNOWN}."

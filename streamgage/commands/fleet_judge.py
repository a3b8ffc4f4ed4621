"""Say which of many nodes are slow, from the lines that they printed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Unpack

from streamgage.advice import command_name
from streamgage.errors import UsageError
from streamgage.interop.tables import Table
from streamgage.interop.text import text_of
from streamgage.measurement.fleet import (
    DrainOptions,
    FleetAnswer,
    FleetJudge,
    JudgeOptions,
    drain_slow,
    lines_instead,
    require_terminal,
)
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, Form, command
from streamgage.options.label import LabelOptions, label_in
from streamgage.options.place import StoringOptions, destination_in
from streamgage.options.question import Question
from streamgage.options.values import PathLike, several
from streamgage.records.foreign import open_foreign
from streamgage.records.node import FleetLine, NodeLine, NodeReader, RecordedRun, SilentNode
from streamgage.results.fleet import KIND
from streamgage.results.fleet.gather import Gathered, gather
from streamgage.results.fleet.nodes import folded
from streamgage.results.fleet.of_outputs import lines_of
from streamgage.units import count, listed, shortened

ANSWERS = Question.FLEET
EXAMPLES = (
    ("streamgage fleet judge fleet.jsonl", "Show which nodes are slow, silent or odd."),
    (
        "streamgage fleet judge fleet.jsonl --page fleet.html",
        "A page with histograms and the suspects; --topology adds a map.",
    ),
    (
        "streamgage fleet judge fleet.jsonl --write-baseline baseline.json",
        "Save what healthy nodes reach, as a baseline for later.",
    ),
    (
        "streamgage fleet judge stream-*.log",
        "Judge nodes by what STREAM printed on each.",
    ),
    (
        "streamgage fleet judge fleet.jsonl --print-drain",
        "Print the commands that drain the slow nodes.",
    ),
)
EXIT_STATUSES = {
    "0": "Every node that was to answer was judged, and is fine.",
    "1": "A node is slow, or computed something wrong.",
    "3": "No node is known to be slow, but some have no result, or could not be judged.",
    "4": "The command itself failed: a full disk, or a damaged package.",
}
_LONGEST_LINE = 1 << 24
_MOST_OTHER_BYTES = 1 << 26
_MOST_OTHER_LINES = 1_000_000
"""So much is read before the first line of a node."""
_LISTED = 60
_LONGEST_REASON = 160
_STDIN = "-"


class Options(JudgeOptions, DrainOptions, LabelOptions, StoringOptions, total=False):
    """Options that ``fleet judge`` shares with other commands."""


@command(
    Display(
        KIND.formats,
        measures=True,
    )
)
def fleet_judge(
    *files: Annotated[PathLike | Iterable[PathLike], Form("FILE...", many=True, file=True)],
    **options: Unpack[Options],
) -> FleetAnswer:
    """Say which of many nodes are slow, from what they printed.

    Args:
        files: Files with lines of nodes, in any order and with any launcher's prefix; or outputs
            of STREAM from many nodes, as `interpret` reads them; -: standard input.
        **JudgeOptions
        **DrainOptions
        **LabelOptions
        **StoringOptions

    Raises:
        UsageError: an option cannot be met, or no file has a line of a node.
    """
    notes = Notes(options["progress"])
    called = label_in(options)
    if options.get("drain"):
        require_terminal()
    judging = FleetJudge(options, destination_in(options["store"], notes), notes)
    names = [name for each in files for name in several("files", each)]
    with without_collector():
        fleet = judging.judged(gathered(names, notes), called)
    if options.get("drain"):
        notes(drain_slow(fleet))
    return judging.ended(fleet, lines=lines_instead(fleet, options))


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the collector of garbage from looking at the lines of 10,000 nodes again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def gathered(names: list[str], notes: Notes) -> Gathered:
    """Read the lines of the files. Raises ``UsageError`` if the files have no line of a node."""
    if not names:
        raise UsageError(
            "fleet judge needs a file: name one with lines of nodes, or - for standard input."
        )
    remarks: list[str] = []
    reader = NodeReader()
    others: dict[str, list[bytes]] = {}

    def lines() -> Iterator[bytes]:
        read = 0
        for name in names:
            for line in _lines_of(name):
                if reader.has_nodes:
                    others.clear()
                else:
                    others.setdefault(name, []).append(line)
                yield line
                read += len(line)
                too_many = reader.lines > _MOST_OTHER_LINES or read > _MOST_OTHER_BYTES
                if too_many and not reader.has_nodes:
                    raise UsageError(
                        f"{name} has no line of a node in its first {reader.lines} lines: name what"
                        f" {command_name('fleet run')} wrote."
                    )

    def of_nodes() -> Iterator[FleetLine | RecordedRun]:
        for line in lines():
            yield from reader.feed(line)
        yield from reader.finish()

    found = gather(of_nodes())
    if (
        not found.units
        and not found.silent
        and (of_others := _of_outputs(others, reader.other_text, notes))
    ):
        found = gather(of_others)
        for each in found.notes:
            notes(each)
        return found
    reader.say(remarks.append, names[0] if len(names) == 1 and names[0] != _STDIN else "")
    if not found.units and not found.silent and found.run is None:
        why = f" ({' '.join(remarks)})" if remarks else ""
        raise UsageError(
            f"{', '.join(names)[:200]} has no line of a node{why}: name what"
            f" {command_name('fleet run')} wrote, or what `streamgage-engine --json` printed on"
            " each node."
        )
    found.said = reader.other_text
    found.notes = [*remarks, *found.notes]
    for each in found.notes:
        notes(each)
    return found


def _of_outputs(
    files: Mapping[str, Sequence[bytes]], said: Mapping[str, str], notes: Notes
) -> list[NodeLine | SilentNode]:
    """The lines that outputs of another benchmark make; empty if no file has a table.

    ``said``: the last text of each label that launchers put before lines.
    Raises ``UsageError`` if a table names no node, or for a line that stopped the only table.
    """
    from streamgage.interop.formats import parse_output

    tables: list[Table] = []
    stopped: UsageError | None = None
    left_out: dict[str, str] = {}
    for name, lines in files.items():
        called = "standard input" if name == _STDIN else name
        try:
            parsed = parse_output(text_of(b"".join(lines), called))
        except UsageError as error:
            if stopped is None and "line " in str(error):
                stopped = UsageError(f"{called} cannot be judged: {error}")
            left_out[called] = str(error)
            continue
        tables += [replace(each, source=called) for each in parsed.tables]
        left_out |= parsed.left_out
    if not tables:
        if stopped is not None:
            raise stopped
        return []
    labelled = any(each.heading for each in tables)
    left_out = {**(said if labelled else {}), **left_out}
    found = list(lines_of(tables, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), left_out))
    tools = listed(sorted({each.about.tool for each in tables}))
    hosts = len({each.host for each in found if isinstance(each, NodeLine)})
    without = [each for each in found if isinstance(each, SilentNode)]
    if without:
        first = shortened(without[0].reason, _LONGEST_REASON)
        named = folded((each.host for each in without), _LISTED)
        notes(f"No table can be read of {named}; {without[0].host}: {first}")
    notes(
        f"These are tables of {tools} from {count(hosts, 'node')}: one figure a kernel for each,"
        " without samples, and nothing shows what disturbed a run."
    )
    return found


def _lines_of(name: str) -> Iterator[bytes]:
    if name == _STDIN:
        if sys.stdin is None:
            raise UsageError("Standard input is closed: name a file with lines of nodes.")
        yield from _each(sys.stdin.buffer)
        return
    try:
        with open_foreign(Path(name)) as file:
            yield from _each(file)
    except OSError as error:
        raise UsageError(
            f"{name} cannot be read: {error.strerror}; name a file with lines of nodes."
        ) from error


def _each(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; a longer one than records may have comes in pieces, to save memory."""
    while line := file.readline(_LONGEST_LINE):
        yield line

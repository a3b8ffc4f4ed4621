"""Measures this node once by the engine alone, for the check of the node."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from streamgage.errors import UNCERTAIN, USAGE, StreamgageError, UsageError
from streamgage.process.engine import not_started, raise_not_loaded, raise_other_version
from streamgage.process.process import ENGINE, LAST_LINES, message_lines
from streamgage.process.program import answer_of
from streamgage.records.node import NodeLine, Note, read_node_lines

_MOST_SECONDS = 120.0
"""Seconds after which an engine hangs and is ended; a run of a check takes far less."""


class NotMeasuredError(StreamgageError):
    """A check could not measure, so nothing is known about the node."""

    exit_status = UNCERTAIN


def measure_node(engine: Path, arguments: Sequence[str], spent: float = 0.0) -> NodeLine:
    """Run the engine with ``--check`` and these arguments, and return its output; see ``ask_node``.

    ``spent`` is the time that the check has used so far, in seconds; the engine takes the rest.
    """
    return ask_node(engine, ["--check", "--spent", f"{spent:.3f}", *arguments], _MOST_SECONDS)


def ask_node(
    engine: Path, arguments: Sequence[str], most_seconds: float, note: Note = lambda _: None
) -> NodeLine:
    """Run the engine with ``--json`` and these arguments, and return its output.

    ``note`` gets its warnings.

    Raises ``UsageError`` if the engine refuses them, ``NotMeasuredError`` if there is no result.
    """
    command: list[str | Path] = [engine, "--json", *arguments]
    try:
        done = answer_of(command, most_seconds)
    except subprocess.TimeoutExpired as error:
        raise NotMeasuredError(
            f"{ENGINE} took more than {most_seconds:.0f} s, and was ended: the node may hang."
        ) from error
    except (OSError, subprocess.SubprocessError) as error:
        raise NotMeasuredError(str(not_started(engine, error))) from error
    lines = message_lines(done.stderr.splitlines()[-LAST_LINES:])
    try:
        raise_not_loaded(engine, done.status, lines)
    except StreamgageError as error:
        raise NotMeasuredError(str(error)) from error
    if done.status == USAGE:
        raise UsageError(lines[-1] if lines else f"{ENGINE} refused the check.")
    found = [
        each
        for each in read_node_lines(done.stdout.splitlines(), lambda _: None)
        if isinstance(each, NodeLine)
    ]
    if not found:
        why = lines[-1] if lines else f"{ENGINE} ended with status {done.status} and no result."
        raise NotMeasuredError(why)
    try:
        raise_other_version(engine, found[0].engine)
    except StreamgageError as error:
        raise NotMeasuredError(str(error)) from error
    for sentence in lines:
        note(sentence)
    return found[0]

"""Interpret: what the saved output of another benchmark means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from streamgage.analysis.user_facts import Given
from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output, read_text
from streamgage.records import Reported
from streamgage.records.reader import Note
from streamgage.records.run import collect
from streamgage.results.measure.judge import Answer, answer
from streamgage.units import count, format_bytes


def interpret(file: Path, given: Given, note: Note) -> Answer:
    """The answer that the output in ``file`` gives, ``-`` being standard input.

    ``note`` gets what was left out. Raises ``UsageError`` where the file holds no whole output
    of a benchmark that is known.
    """
    text = read_text(file)
    name = "standard input" if str(file) == "-" else str(file)
    try:
        parsed = parse_output(text)
    except UsageError as error:
        raise UsageError(f"{name} cannot be interpreted: {error}") from error
    for sentence in parsed.notes:
        note(sentence)
    run = collect(parsed.records)
    if run.reported is not None:
        for sentence in _contradictions(run.reported, given):
            note(sentence)
    return answer(run, given)


def _contradictions(reported: Reported, given: Given) -> Iterator[str]:
    """Where the user says other than the file, so that a slip of the hand is seen."""
    if (
        given.threads is not None
        and reported.threads is not None
        and given.threads != reported.threads
    ):
        yield (
            f"The output tells of {count(reported.threads, 'thread')}; --threads {given.threads} is"
            " used."
        )
    if (
        given.array_bytes is not None
        and reported.array_bytes is not None
        and abs(given.array_bytes - reported.array_bytes) > 0.01 * reported.array_bytes
    ):
        yield (
            f"The output tells of arrays of {format_bytes(reported.array_bytes)};"
            f" --array-bytes {format_bytes(given.array_bytes)} is used."
        )

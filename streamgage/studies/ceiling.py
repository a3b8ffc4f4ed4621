"""What the kept runs of ``measure`` tell of this machine.

What its memory can give, and whether a source of traffic is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from streamgage.analysis.run import collect
from streamgage.analysis.summary import answer
from streamgage.analysis.watched import Trial, ceiling_of, is_of, trial_of, why_not_a_ceiling
from streamgage.errors import StreamgageError
from streamgage.recording import decode_lines, read_records
from streamgage.records import Machine
from streamgage.watched import Ceiling

NOTHING_KEPT = "no measurement of this machine is kept: run streamgage measure"


@dataclass(frozen=True)
class Kept:
    """What is known from earlier runs."""

    ceiling: Ceiling | str
    """That of the newest run that tells it, or why there is none."""
    trial: Trial | None
    """Of the newest run that tried the source, back to the one that tells the ceiling."""


def look_back(folder: Path, machine: Machine, source: str) -> Kept:
    """What the runs in ``folder`` tell of ``machine`` and of that source of traffic."""
    newest: str | None = None
    trial: Trial | None = None
    for file in _of_host(folder, machine.host):
        try:
            run = collect(read_records(file, _nobody))
        except StreamgageError:
            continue
        if trial is None and is_of(run, machine):
            trial = trial_of(run, source, file)
        why = why_not_a_ceiling(run, machine)
        ceiling = ceiling_of(answer(run), file) if why is None else None
        if ceiling is not None:
            return Kept(ceiling, trial)
        newest = newest or why or "no rate of it is known to be what crossed the memory bus"
    if newest is None:
        return Kept(NOTHING_KEPT, trial)
    return Kept(
        f"no kept measurement tells what all of this machine's memory can give (of the newest:"
        f" {newest}): run streamgage measure",
        trial,
    )


def _of_host(folder: Path, host: str) -> Iterator[Path]:
    """Records files of that host, the newest first; only their first lines are looked at."""
    try:
        files = sorted(folder.glob("*.jsonl"), reverse=True)
    except OSError:
        return
    for file in files:
        try:
            with file.open("rb") as lines:
                first = next(decode_lines([lines.readline()], _nobody), None)
        except (OSError, StreamgageError):
            continue
        if isinstance(first, Machine) and first.host == host:
            yield file


def _nobody(_sentence: str) -> None:
    """Runs that cannot be read are no concern of a watch."""

"""PETSc's log as CSV (``-log_view :FILE:ascii_csv``; tried with 3.18 and 3.26).

A header, then a row for each stage, event and rank: ``Stage Name,Event Name,Rank,Count,Time,...``.
An event's time is that of its slowest rank, each rank's summed over the stages.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from streamgage.results.study.applications.phase_time import PhaseTime, TimesError

EVENTS = ("PCSetUp", "KSPSolve", "MatMult", "PCApply")
"""Those that a study tells of where nothing else is asked for."""
SERVER_STAGE = "PCMPI"
"""The stage in which the ranks of the MPI linear solver server work."""
CHECK_STAGE = "check"
"""The stage in which a program checks its result, as apps/poisson does: no part of the solve."""
_MOST_RANKS = 10_000_000
_HEAD = ("Stage Name", "Event Name", "Rank", "Count", "Time")


@dataclass(frozen=True)
class _Row:
    stage: str
    event: str
    rank: int
    count: int
    seconds: float


def is_petsc_log(text: str) -> bool:
    """Whether the text begins as such a log does."""
    return text.startswith(",".join(_HEAD[:2]))


def has_server(text: str) -> bool:
    """Whether the ranks of a server solved: what they did is within a solve of the main stage."""
    return any(
        row.stage == SERVER_STAGE and row.event == "KSPSolve" and row.count for row in _rows(text)
    )


def read_petsc_log(
    text: str, ranks: int | None = None, *, stage: str | None = None
) -> dict[str, PhaseTime]:
    """Every event that was counted, by name, of all stages but ``check``; ``stage``: of that alone.

    ``ranks``: how many must report each; ``None``: as many as the log has. Raises ``TimesError``
    where that is not a whole log.
    """
    rows = list(_rows(text))
    found = max((row.rank for row in rows), default=-1) + 1
    wanted = found if ranks is None else ranks
    if found != wanted:
        raise TimesError(f"The log has rows of {found} ranks, and {wanted} ran: it is cut short.")
    told: dict[tuple[str, str], set[int]] = {}
    of_ranks: dict[str, dict[int, tuple[int, float]]] = {}
    for row in rows:
        told.setdefault((row.stage, row.event), set()).add(row.rank)
        if row.stage == stage or (stage is None and row.stage != CHECK_STAGE):
            of_event = of_ranks.setdefault(row.event, {})
            count, seconds = of_event.get(row.rank, (0, 0.0))
            of_event[row.rank] = (count + row.count, seconds + row.seconds)
    for (of_stage, event), which in told.items():
        if len(which) != wanted:
            raise TimesError(
                f"The log has rows of {len(which)} of {wanted} ranks for {event} in {of_stage}: it"
                " is cut short."
            )
    events = {
        event: PhaseTime(max(s for _, s in ranked.values()), max(c for c, _ in ranked.values()))
        for event, ranked in of_ranks.items()
        if event != "summary" and any(count for count, _ in ranked.values())
    }
    if stage is not None and not events:
        raise TimesError(f"The log counts nothing in stage {stage}.")
    return events


def _rows(text: str) -> Iterator[_Row]:
    """The rows of a log, each of which is whole."""
    if not is_petsc_log(text):
        raise TimesError("That is no log of PETSc as CSV: ask it for -log_view :{log}:ascii_csv.")
    if not text.endswith("\n"):
        raise TimesError("The log ends within a line: it is cut short.")
    lines = csv.reader(text.splitlines())
    head = [name.strip() for name in next(lines)]
    try:
        columns = [head.index(name) for name in _HEAD]
    except ValueError as error:
        raise TimesError("The log lacks a column: it is of a PETSc that is not known.") from error
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        try:
            stage, event, rank, count, seconds = (line[column].strip() for column in columns)
            row = _Row(stage, event, int(rank), int(float(count)), float(seconds))
            if not (isfinite(row.seconds) and row.seconds >= 0 and 0 <= row.rank < _MOST_RANKS):
                raise ValueError(line)
            yield row
        except (IndexError, ValueError, OverflowError) as error:
            raise TimesError(f"Line {number} of the log cannot be read.") from error

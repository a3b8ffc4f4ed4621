"""Reads the times of one run of a program: from its log, its output, or the wall clock."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from streamgage.analysis.user_pattern import UserPattern

WALL = "whole run"
"""The only phase of a program that is timed by the wall clock."""
MATCHED = "time"
"""The phase whose time a regular expression finds."""


_FRAME = re.compile(r"\s*[-=]{10,}\s*$")
"""The frame around a launcher's own message, as Open MPI and Hydra print it."""
_WORD = re.compile(r"[A-Za-z]{2}")
EVENTS = ("PCSetUp", "KSPSolve", "MatMult", "PCApply")
"""The events that a study shows by default."""
SERVER_STAGE = "PCMPI"
"""The stage in which the ranks of the MPI linear solver server work."""
CHECK_STAGE = "check"
"""The stage in which a program checks its result, as apps/poisson does. It is no part of the
solve."""
_MOST_RANKS = 10_000_000
_HEAD = ("Stage Name", "Event Name", "Rank", "Count", "Time")


class Source(StrEnum):
    """Where times come from; the choices of ``--time``."""

    AUTO = "auto"
    PETSC = "petsc"
    JSON = "json"
    WALL = "wall"


@dataclass(frozen=True)
class Reading:
    """The output of one run."""

    printed: str
    log: str | None
    """The text of the log; ``None`` if no log was requested."""
    seconds: float | None
    """The seconds from start to end; ``None`` if unknown."""
    n: int
    by_ranks: bool
    status: int = 0
    """The exit status; negative after a signal."""


def ended_well(reading: Reading) -> None:
    """Raise ``TimesError`` with the last line of its output if the run failed."""
    if reading.status == 0:
        return
    last = _last_words(reading.printed)
    how = f"by signal {-reading.status}" if reading.status < 0 else f"with status {reading.status}"
    raise TimesError(f"The program ended {how}{f': {last[:160]}' if last else '.'}")


def _last_words(printed: str) -> str:
    """The last meaningful line, before a launcher's framed message about the end."""
    lines = printed.splitlines()
    frame = next((number for number, line in enumerate(lines) if _FRAME.match(line)), len(lines))
    for part in (lines[:frame], lines[frame:]):
        for line in reversed(part):
            if _WORD.search(line):
                return line.strip()
    return ""


def read_times(
    reading: Reading, source: Source, pattern: UserPattern | None
) -> dict[str, PhaseTime]:
    """The seconds of each phase, at least one. Raises ``TimesError`` if they are not available."""
    if pattern is not None:
        return {MATCHED: PhaseTime(_matched(reading.printed, pattern), None)}
    text = reading.printed if reading.log is None else reading.log
    if source is Source.AUTO:
        source = _source_of(reading)
    match source:
        case Source.PETSC:
            stage = SERVER_STAGE if has_server(text) else None
            events = read_petsc_log(text, reading.n if reading.by_ranks else None, stage=stage)
            known = {name: events[name] for name in EVENTS if name in events}
            for name, each in known.items():
                _positive(each.seconds, f"The log says that {name} took")
            if not known:
                raise TimesError(f"The log counts none of {', '.join(EVENTS)}.")
            return _by_iteration(known, reading.printed)
        case Source.JSON:
            return _json_lines(text)
        case _:
            if reading.seconds is None:
                raise TimesError(
                    "There is no log and no time: name a --time-regex for what the program printed."
                )
            return {WALL: PhaseTime(reading.seconds, None)}


def _by_iteration(known: dict[str, PhaseTime], printed: str) -> dict[str, PhaseTime]:
    """Add the number of iterations to the solve, if the program reports it in JSON lines.

    PETSc's log only counts calls.
    """
    solve = known.get("KSPSolve")
    if solve is None:
        return known
    counts = []
    for line in printed.splitlines():
        content = _json_of(line) if line.startswith("{") else None
        count = content.get("iterations") if isinstance(content, dict) else None
        if isinstance(count, int) and count > 0:
            counts.append(count)
    return {**known, "KSPSolve": PhaseTime(solve.seconds, sum(counts) or None)}


def _json_of(line: str) -> object:
    """The JSON of the line; ``None`` if it has none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _source_of(reading: Reading) -> Source:
    """The source that suits the log's content; the wall clock if there is no log."""
    if reading.log is None:
        return Source.WALL
    if is_petsc_log(reading.log):
        return Source.PETSC
    if any(line.lstrip().startswith("{") for line in reading.log.splitlines()):
        return Source.JSON
    if not reading.log:
        raise TimesError("The program wrote nothing to {log}.")
    raise TimesError(
        "The log is neither CSV of PETSc nor JSON lines: name another --time, or a --time-regex."
    )


def _matched(text: str, pattern: UserPattern) -> float:
    """The seconds in the only place that matches: the first group, or the whole match."""
    found = pattern.matches(text)
    if len(found) != 1:
        times = "nothing" if not found else f"{len(found)} places"
        raise TimesError(f"--time-regex matches {times} of what the program printed, not one.")
    shown = found[0][1] if pattern.groups else found[0][0]
    try:
        seconds = float(shown)
    except (TypeError, ValueError) as error:
        raise TimesError(f"--time-regex matches {shown!r}, which is not a number.") from error
    return _positive(seconds, "--time-regex matches")


def _json_lines(text: str) -> dict[str, PhaseTime]:
    """Read lines such as ``{"phase": "solve", "seconds": 1.5, "count": 20}``; skip other lines."""
    found: dict[str, PhaseTime] = {}
    for line in text.splitlines():
        if not line.lstrip().startswith("{"):
            continue
        content = _json_of(line)
        if content is None:
            raise TimesError("A JSON line cannot be read: it is cut short.")
        if not isinstance(content, dict) or "phase" not in content:
            continue
        name, seconds, count = (content.get(key) for key in ("phase", "seconds", "count"))
        if not isinstance(name, str) or not isinstance(seconds, int | float):
            raise TimesError('A JSON line has no number "seconds".')
        if name in found:
            raise TimesError(f"The phase {name} is there twice.")
        counted = count if isinstance(count, int) and count > 0 else None
        found[name] = PhaseTime(_positive(_float(seconds), f"The phase {name} took"), counted)
    if not found:
        raise TimesError('There is no JSON line with "phase" and "seconds".')
    return found


def _float(number: float) -> float:
    """Convert to a float; integers in JSON have no limit."""
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _positive(seconds: float, what: str) -> float:
    if not seconds > 0 or not math.isfinite(seconds):
        raise TimesError(f"{what} {seconds:g} seconds, which is too little to compare.")
    return seconds


class TimesError(Exception):
    """The times of a run are not available; the message says why, in a sentence."""


@dataclass(frozen=True)
class PhaseTime:
    """The seconds of a phase, and the number of calls or iterations in it.

    ``None`` if it is unknown.
    """

    seconds: float
    count: int | None


@dataclass(frozen=True)
class _Row:
    stage: str
    event: str
    rank: int
    count: int
    seconds: float


def is_petsc_log(text: str) -> bool:
    """Return whether the text begins like a log of PETSc."""
    return text.startswith(",".join(_HEAD[:2]))


def has_server(text: str) -> bool:
    """Return whether the log shows a solve by a server's ranks within a solve of the main stage."""
    return any(
        row.stage == SERVER_STAGE and row.event == "KSPSolve" and row.count for row in _rows(text)
    )


def read_petsc_log(
    text: str, ranks: int | None = None, *, stage: str | None = None
) -> dict[str, PhaseTime]:
    """Read every event that was counted, by name, in all stages but ``check``.

    ``stage``: read only this stage. ``ranks``: how many ranks must report each event; ``None``: as
    many as the log has. The log is CSV (``-log_view :FILE:ascii_csv``; tried with 3.18 and 3.26): a
    header, then a row for each stage, event and rank. An event's time is that of its slowest rank;
    the times of each rank are summed over the stages. Raises ``TimesError`` if the log is not
    complete.
    """
    rows = list(_rows(text))
    found = max((row.rank for row in rows), default=-1) + 1
    wanted = found if ranks is None else ranks
    if found != wanted:
        raise TimesError(
            f"The log has rows of {found} {'rank' if found == 1 else 'ranks'}, and {wanted} ran: it"
            " is cut short."
        )
    ranks_of: dict[tuple[str, str], set[int]] = {}
    of_ranks: dict[str, dict[int, tuple[int, float]]] = {}
    for row in rows:
        ranks_of.setdefault((row.stage, row.event), set()).add(row.rank)
        if row.stage == stage or (stage is None and row.stage != CHECK_STAGE):
            of_event = of_ranks.setdefault(row.event, {})
            count, seconds = of_event.get(row.rank, (0, 0.0))
            of_event[row.rank] = (count + row.count, seconds + row.seconds)
    for (of_stage, event), which in ranks_of.items():
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
    """Yield the rows of a log. Raises ``TimesError`` if a row is not complete."""
    if not is_petsc_log(text):
        raise TimesError("This is not a CSV log of PETSc: run it with -log_view :{log}:ascii_csv.")
    if not text.endswith("\n"):
        raise TimesError("The log ends within a line: it is cut short.")
    lines = csv.reader(text.splitlines())
    head = [name.strip() for name in next(lines)]
    try:
        columns = [head.index(name) for name in _HEAD]
    except ValueError as error:
        raise TimesError(
            "The log has no such column: this version of PETSc is not known."
        ) from error
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        try:
            stage, event, rank, count, seconds = (line[column].strip() for column in columns)
            row = _Row(stage, event, int(rank), int(float(count)), float(seconds))
            if not (0 <= row.seconds < math.inf and 0 <= row.rank < _MOST_RANKS):
                raise ValueError(line)
            yield row
        except (IndexError, ValueError, OverflowError) as error:
            raise TimesError(f"Line {number} of the log cannot be read.") from error

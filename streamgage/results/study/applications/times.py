"""The times of one run of a program: from its log, its output or the clock on the wall."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from enum import StrEnum

from streamgage.results.study.applications.petsc.log import (
    EVENTS,
    SERVER_STAGE,
    has_server,
    is_petsc_log,
    read_petsc_log,
)
from streamgage.results.study.applications.phase_time import PhaseTime, TimesError

__all__ = ["PhaseTime", "Reading", "Source", "TimesError", "ended_well", "read_times"]

WALL = "whole run"
"""The phase of a program of which only the clock on the wall tells."""
MATCHED = "time"
"""The phase of a time that a regular expression finds."""


_FRAME = re.compile(r"\s*[-=]{10,}\s*$")
"""Of a launcher's own message: Open MPI's, Hydra's."""
_WORD = re.compile(r"[A-Za-z]{2}")


class Source(StrEnum):
    """Where times come from; choices of ``--time``."""

    AUTO = "auto"
    PETSC = "petsc"
    JSON = "json"
    WALL = "wall"


@dataclass(frozen=True)
class Reading:
    """What one run left."""

    printed: str
    log: str | None
    """``None`` where none was asked for."""
    seconds: float | None
    """From its start to its end; ``None`` where nobody knows."""
    n: int
    by_ranks: bool
    status: int = 0
    """With which it ended; negative after a signal."""


def ended_well(reading: Reading) -> None:
    """Raises ``TimesError`` with the last line of what it printed where it did not."""
    if reading.status == 0:
        return
    last = _last_words(reading.printed)
    how = f"by signal {-reading.status}" if reading.status < 0 else f"with status {reading.status}"
    raise TimesError(f"The program ended {how}{f': {last[:160]}' if last else '.'}")


def _last_words(printed: str) -> str:
    """The last line that says something, before what a launcher says of the end in a frame."""
    lines = printed.splitlines()
    frame = next((number for number, line in enumerate(lines) if _FRAME.match(line)), len(lines))
    for part in (lines[:frame], lines[frame:]):
        for line in reversed(part):
            if _WORD.search(line):
                return line.strip()
    return ""


def read_times(
    reading: Reading, source: Source, pattern: re.Pattern[str] | None
) -> dict[str, PhaseTime]:
    """Seconds by phase, one at least. Raises ``TimesError`` where they cannot be had."""
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
                    "There is no log, and nobody took the time: name a --time-regex for what it"
                    " printed."
                )
            return {WALL: PhaseTime(reading.seconds, None)}


def _by_iteration(known: dict[str, PhaseTime], printed: str) -> dict[str, PhaseTime]:
    """The solve with its iterations, where JSON lines of the program tell them.

    PETSc's log counts its calls alone.
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
    """What the line holds; ``None`` where that is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _source_of(reading: Reading) -> Source:
    """By what the log holds; the clock where there is none."""
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


def _matched(text: str, pattern: re.Pattern[str]) -> float:
    """Seconds of the one place that matches: the first group, or the whole match."""
    found = list(pattern.finditer(text))
    if len(found) != 1:
        times = "nothing" if not found else f"{len(found)} places"
        raise TimesError(f"--time-regex matches {times} of what the program printed, not one.")
    shown = found[0][1] if pattern.groups else found[0][0]
    try:
        seconds = float(shown)
    except (TypeError, ValueError) as error:
        raise TimesError(f"--time-regex matches {shown!r}, which is no number.") from error
    return _positive(seconds, "--time-regex matches")


def _json_lines(text: str) -> dict[str, PhaseTime]:
    """Lines such as ``{"phase": "solve", "seconds": 1.5, "count": 20}``; others are passed over."""
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
            raise TimesError('A JSON line lacks "seconds" as a number.')
        if name in found:
            raise TimesError(f"The phase {name} is there twice.")
        counted = count if isinstance(count, int) and count > 0 else None
        found[name] = PhaseTime(_positive(_float(seconds), f"The phase {name} took"), counted)
    if not found:
        raise TimesError('There is no JSON line with "phase" and "seconds".')
    return found


def _float(number: float) -> float:
    """JSON's integers have no limit."""
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _positive(seconds: float, what: str) -> float:
    if not seconds > 0 or not math.isfinite(seconds):
        raise TimesError(f"{what} {seconds:g} seconds, which is no time to compare.")
    return seconds

"""Explains in a sentence why a run by ranks failed, from messages of engine and launcher."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable, Sequence

from streamgage.process.process import ENGINE, signal_name
from streamgage.records import PlacementRecord, RankPlace

_PID = re.compile(r"\bPID:? (\d+)", re.IGNORECASE)
_RANK = re.compile(r"\bnoticed that process rank (\d+)\b")
_SIGNAL = re.compile(r"(?:signal|EXIT CODE:) (\d+)")
_BOILERPLATE = re.compile(
    r"MPI_ABORT was invoked|application called MPI_Abort|Abort\(|=\s+BAD TERMINATION|Primary job "
    r"|\S+ noticed that process rank|\[\S+:\d+\] \[\[\d+,\d+\],\d+\] ORTE_ERROR_LOG"
)
"""Beginnings of launchers' reports that they end the ranks; the rest adds nothing."""
MOST_LINES = 12
_SPEAKER = f"{ENGINE}: "


def as_text(lines: Iterable[bytes]) -> tuple[str, ...]:
    """The lines of the launcher and the ranks as text, without frames and empty lines."""
    texts = (line.decode("utf-8", "replace").strip() for line in lines)
    return tuple(text for text in texts if text and not re.fullmatch(r"[-=*]+", text.strip("| ")))


def of_the_engine(lines: Sequence[str]) -> tuple[str, ...]:
    """The ranks' own messages, as sentences."""
    return tuple(line.removeprefix(_SPEAKER) for line in lines if line.startswith(_SPEAKER))


def before_the_end(lines: Sequence[str], sentence: str | None) -> tuple[str, ...]:
    """Messages printed before the ranks were ended; ``sentence`` is left out."""
    kept: list[str] = []
    for line in lines:
        if _BOILERPLATE.match(line):
            break
        if sentence is None or line.partition(": ")[2] != sentence:
            kept.append(line)
    return tuple(kept[-MOST_LINES:])


def lost_rank(lines: Sequence[str], placement: PlacementRecord | None) -> str | None:
    """A sentence about the rank that the launcher saw dying; ``None`` if it names none."""
    places = (placement.ranks if placement else None) or []
    for number, line in enumerate(lines):
        place = _named(line, places)
        if place is not None:
            # Open MPI gives the signal in the same line, Hydra in the next.
            died = _SIGNAL.search(" ".join(lines[number : number + 2]))
            by = int(died[1]) if died and int(died[1]) < 65 else None
            who = f"rank {place.rank} on host {place.host} (process {place.pid})"
            if by == signal.SIGKILL and _RANK.search(line) is None:
                # Hydra kills the others, and reports the first in their order.
                return (
                    "A rank died during the measurement, and the launcher killed the others: it"
                    f" names {who}, which may be one of these. The run was ended."
                )
            how = "" if by is None else f", ended by {signal_name(by)}"
            return f"R{who[1:]} died during the measurement{how}; the run was ended."
    return None


def _named(line: str, places: Sequence[RankPlace]) -> RankPlace | None:
    """Find the rank in a line: Open MPI names its number, and Hydra its process."""
    rank, pid = _RANK.search(line), _PID.search(line)
    for place in places:
        if rank is not None and place.rank == int(rank[1]):
            return place
        if rank is None and pid is not None and place.pid == int(pid[1]):
            return place
    return None


def _all(ranks: int) -> str:
    return "The one rank" if ranks == 1 else f"The {ranks} ranks"


def not_started(ranks: int, seconds: float, silent: Sequence[str]) -> str:
    """Say why no rank has sent a record."""
    if silent:
        return (
            f"{_all(ranks)} did not start within {seconds:.0f} s: {_hosts(silent)}"
            " not answer the launcher; bring it back, or take it out of the host file."
        )
    return (
        f"{_all(ranks)} did not start within {seconds:.0f} s: try the launcher by itself, or"
        " give more time with --timeout."
    )


def around(lines: Sequence[str], started: bool) -> tuple[str, ...]:
    """The lines to show: the first ones if the ranks did not start, otherwise the last ones."""
    return tuple(lines[-MOST_LINES:] if started else lines[:MOST_LINES])


def ended_early(status: int, *, started: bool) -> str:
    """A sentence for a launcher that ended before the last record, with no rank known as lost."""
    if started:
        return f"The launcher ended without the last record of rank 0 (exit status {status})."
    return (
        f"The launcher ended with exit status {status} before its ranks had met: read its messages"
        " and those of the MPI library."
    )


def fell_silent(seconds: float, silent: Sequence[str]) -> str:
    """A sentence for ranks that sent records and then fell silent."""
    if silent:
        return (
            f"Nothing came from the ranks for {seconds:.0f} s: {_hosts(silent)} no longer answer"
            " the launcher. What was measured until then is stored."
        )
    return (
        f"Nothing came from the ranks for {seconds:.0f} s, so they were ended. What was measured"
        " until then is stored."
    )


def _hosts(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if names[5:] else "")
    return f"host {shown} does" if len(names) == 1 else f"hosts {shown} do"

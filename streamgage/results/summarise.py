"""What a store is to know of a result without reading it."""

from __future__ import annotations

from datetime import UTC, datetime

from streamgage.records.run import Run
from streamgage.results.document import Document
from streamgage.results.kinds import kind_of
from streamgage.results.measure.document import Result
from streamgage.results.measure.variant_rates import Answer
from streamgage.results.summary import State, Summary


def summary_of(document: Document, found: Answer | None = None, *, partial: bool) -> Summary:
    """The summary of a result; ``found`` tells more of it, where it is one of ``measure``."""
    kind = kind_of(document)
    machine = document.machine
    run = found.run if found is not None else None
    reported = document.reported if isinstance(document, Result) else None
    return Summary(
        kind=kind.name,
        label=document.label,
        started=_time(machine.time) if machine is not None else None,
        host=machine.host if machine is not None else None,
        processor=machine.processor if machine is not None else None,
        tool=reported.tool if reported is not None else None,
        threads=kind.threads(document),
        array_bytes=(run.memory.array_bytes if run is not None and run.memory else None)
        or (reported.array_bytes if reported is not None else None)
        or kind.settings(document).array_bytes,
        state=_state(document, partial=partial),
        rates=list(kind.rates(document)),
    )


def _time(text: str) -> str | None:
    """``text`` where it is a time, as a list can be ordered by it; else null."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def why_partial(run: Run) -> str | None:
    """Why a run is not whole, a sentence; null where it is."""
    if run.end is None and run.reported is None:
        return "Its records stop before its end: what is there was measured until then."
    if run.end is None or run.end.reason == "complete":
        return None
    why = {"interrupted": "It was interrupted", "terminated": "It was terminated"}
    return f"{why.get(run.end.reason, 'It failed')} before its end."


def _state(document: Document, *, partial: bool) -> State:
    if isinstance(document, Result) and any(each.valid is False for each in document.kernels):
        return "invalid"
    return "partial" if partial else "complete"

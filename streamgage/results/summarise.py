"""What a store is to know of a result without reading it."""

from __future__ import annotations

from datetime import UTC, datetime

from streamgage.records.run import Run
from streamgage.results.array_setup import words_of_setup
from streamgage.results.document import Document
from streamgage.results.kinds import kind_of
from streamgage.results.measure.variant_rates import Answer
from streamgage.results.summary import State, Summary


def summary_of(document: Document, found: Answer | None = None, *, partial: bool) -> Summary:
    """The summary of a result; for one of ``measure``, ``found`` adds more."""
    kind = kind_of(document)
    machine = document.machine
    run = found.run if found is not None else None
    reported = kind.reported(document)
    return Summary(
        kind=kind.name,
        label=document.label,
        started=_time((machine.time if machine is not None else kind.started(document)) or ""),
        host=machine.host if machine is not None else None,
        processor=machine.processor if machine is not None else None,
        tool=reported.tool if reported is not None else None,
        threads=kind.threads(document),
        array_bytes=(run.memory.array_bytes if run is not None and run.memory else None)
        or kind.settings(document).array_bytes,
        array_setup=words_of_setup(document.array_setup) if document.array_setup else None,
        state=_state(document, partial=partial),
        trust=kind.words(document).trust.verdict,
        rates=list(kind.rates(document)),
    )


def _time(text: str) -> str | None:
    """``text`` as a time by which a list can be ordered; ``None`` where it is no time."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def why_partial(run: Run) -> str | None:
    """Why a run is not complete, as a sentence; ``None`` where it is complete."""
    if run.end is None and run.reported is None:
        return "Its records stop before its end: what is there was measured until then."
    if run.end is None or run.end.reason == "complete":
        return None
    why = {"interrupted": "It was interrupted", "terminated": "It was terminated"}
    return f"{why.get(run.end.reason, 'It failed')} before its end."


def _state(document: Document, *, partial: bool) -> State:
    if kind_of(document).invalid(document):
        return "invalid"
    return "partial" if partial else "complete"

"""Summarises a result for lists and searches in a store."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from streamgage.records.run import Run
from streamgage.results.array_setup import words_of_setup
from streamgage.results.kind import Headline
from streamgage.results.result import Result
from streamgage.results.summary import Summary, SummaryRate


def summary_of(result: Result[Any], *, partial: bool | None = None) -> Summary:
    """Summarise a result. ``partial``: whether it is incomplete, if that is known."""
    kind, document, memory = result.kind, result.document, result.run.memory
    if partial is None:
        partial = result.partial is not None
    machine = document.machine
    reported = kind.reported(document)
    return Summary(
        kind=kind.name,
        label=document.label,
        started=_time((machine.time if machine is not None else kind.started(document)) or ""),
        host=machine.host if machine is not None else None,
        processor=kind.settings(document).device
        or (machine.processor if machine is not None else None),
        tool=reported.tool if reported is not None else None,
        threads=kind.threads(document),
        array_bytes=(memory.array_bytes if memory else None) or kind.settings(document).array_bytes,
        array_setup=words_of_setup(document.array_setup) if document.array_setup else None,
        state="invalid" if kind.invalid(document) else "partial" if partial else "complete",
        trust=result.trust.verdict,
        rates=_by_headline(kind.headline(document), kind.rates(document)),
    )


def _by_headline(main: Headline | None, rates: Iterable[SummaryRate]) -> list[SummaryRate]:
    """The best rates, with that of the headline first, then those of the same kernel."""
    named = "" if main is None else main.what.partition(",")[0]

    def place(rate: SummaryRate) -> tuple[bool, bool]:
        kernel, stores = rate.kernel, f"{rate.kernel} {rate.store}"
        return named not in (kernel, stores), not f"{named} ".startswith(f"{kernel} ")

    return sorted(_best(rates), key=place)


def _best(rates: Iterable[SummaryRate]) -> Iterable[SummaryRate]:
    """The best rate of each kernel, where it has several: by placement, mode or compiler."""
    found: dict[tuple[object, ...], SummaryRate] = {}
    for each in rates:
        key = (each.kernel, each.store, each.isa, each.tuned, each.type)
        best = found.setdefault(key, each)
        if (each.median_gbps or 0) > (best.median_gbps or 0):
            found[key] = each
    return found.values()


def _time(text: str) -> str | None:
    """Return ``text`` if it is a time by which a list can be sorted; else ``None``."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def why_partial(run: Run) -> str | None:
    """Why a run is not complete, as a sentence; ``None`` if it is complete."""
    if run.end is None and run.reported is None:
        return "Its records stop early and hold only what was measured until then."
    if run.end is None or run.end.reason == "complete":
        return None
    why = {"interrupted": "It was interrupted", "terminated": "It was terminated"}
    return f"{why.get(run.end.reason, 'It failed')} before its end."

"""One run of a series, by a process of its own."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.records.run import Run


@dataclass(frozen=True)
class FreshRun:
    """One process; ``failure`` is a sentence where it is to be in no statistics."""

    condition: str
    round: int
    run: Run
    failure: str | None
    records: str | None

"""How long a part of a program took."""

from __future__ import annotations

from dataclasses import dataclass


class TimesError(Exception):
    """The times of a run cannot be had; the text says why, as a sentence."""


@dataclass(frozen=True)
class PhaseTime:
    """Seconds, and how many calls or iterations they were of; ``None`` where nobody says."""

    seconds: float
    count: int | None

"""One thing that a set-up consists of, as far as a result tells it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamgage.records import Machine, Reported
from streamgage.records.run import Run
from streamgage.results.kinds import kind_of
from streamgage.results.measure.document import Result
from streamgage.results.settings import Settings
from streamgage.store.load import Loaded


@dataclass(frozen=True)
class Told:
    """What a result says, in words; ``number`` where it is one that may differ a little."""

    text: str
    number: float | None = None


@dataclass(frozen=True)
class Setting:
    """Settings are the same where their texts are, or their numbers lie within ``apart``."""

    what: str
    why: str
    """Why a difference matters, in a few words."""
    of: Callable[[Loaded], Told | None]
    """Null where the result does not tell."""
    apart: float = 0.0

    def alike(self, one: Told, other: Told) -> bool:
        """Whether there is no difference that is worth a word."""
        if one.number is not None and other.number is not None:
            return abs(one.number - other.number) <= self.apart
        return one.text == other.text


def machine_of(result: Loaded) -> Machine | None:
    """The machine that measured."""
    return result.document.machine


def run_of(result: Loaded) -> Run | None:
    """Its samples and records, where they are there and are streamgage's own."""
    run = result.answer.run if result.answer is not None else None
    return None if run is None or run.reported is not None else run


def reported_of(result: Loaded) -> Reported | None:
    """What another benchmark says of itself."""
    return result.document.reported if isinstance(result.document, Result) else None


def settings_of(result: Loaded) -> Settings:
    """What its document says of how it was set up."""
    return kind_of(result.document).settings(result.document)


def told(text: str | None, number: float | None = None) -> Told | None:
    """What is shown, where there is a text."""
    return Told(text, number) if text else None

"""Reads one setting from a result, such as its binding or its compiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from streamgage.records import Machine, Reported
from streamgage.records.run import Run
from streamgage.results.result import Result
from streamgage.results.settings import Settings


@dataclass(frozen=True)
class SettingValue:
    """What a result records, in words; ``number`` if it is one that may differ a little."""

    text: str
    number: float | None = None


@dataclass(frozen=True)
class Setting:
    """A setting. Numbers within ``apart`` are the same, other values if their texts are."""

    what: str
    why: str
    """Why a difference matters, in a few words."""
    of: Callable[[Result[Any]], SettingValue | None]
    """Reads the value; ``None`` if the result does not record it."""
    apart: float = 0.0

    def same(self, one: SettingValue, other: SettingValue) -> bool:
        """Return whether the two values count as the same."""
        if one.number is not None and other.number is not None:
            return abs(one.number - other.number) <= self.apart
        return one.text == other.text


def machine_of(result: Result[Any]) -> Machine | None:
    """The machine that measured."""
    machine: Machine | None = result.document.machine
    return machine


def run_of(result: Result[Any]) -> Run | None:
    """Its samples and records; ``None`` if there are none, or if they are another benchmark's."""
    run = result.records
    return None if run is None or run.reported is not None else run


def reported_of(result: Result[Any]) -> Reported | None:
    """What another benchmark reports about itself."""
    return result.kind.reported(result.document)


def settings_of(result: Result[Any]) -> Settings:
    """The settings that its document records."""
    return result.kind.settings(result.document)


def said(name: str) -> Callable[[Result[Any]], SettingValue | None]:
    """A function that reads the setting of that name from the document."""
    return lambda result: told(getattr(settings_of(result), name))


def told(text: str | None, number: float | None = None) -> SettingValue | None:
    """The value with that text; ``None`` if there is no text."""
    return SettingValue(text, number) if text else None

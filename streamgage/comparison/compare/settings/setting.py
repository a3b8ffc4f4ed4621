"""Reads one setting from a result, such as its binding or its compiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from streamgage.records import BenchmarkOutput, Machine
from streamgage.records.run import Run
from streamgage.results.result import Result
from streamgage.results.settings import Settings


@dataclass(frozen=True)
class SettingValue:
    """The recorded value of a setting, in words.

    ``number`` is set for values that may differ a little.
    """

    text: str
    number: float | None = None


@dataclass(frozen=True)
class Setting:
    """One setting.

    Two numbers within ``apart`` count as the same; other values if their texts are equal.
    """

    what: str
    why: str
    """Why a difference matters, in a few words."""
    of: Callable[[Result[Any]], SettingValue | None]
    """Reads the value from a result; ``None`` if the result does not record it."""
    apart: float = 0.0

    def same(self, first: SettingValue, second: SettingValue) -> bool:
        """Return whether the two values count as the same."""
        if first.number is not None and second.number is not None:
            return abs(first.number - second.number) <= self.apart
        return first.text == second.text


def machine_of(result: Result[Any]) -> Machine | None:
    """The machine that measured the result."""
    machine: Machine | None = result.document.machine
    return machine


def run_of(result: Result[Any]) -> Run | None:
    """The run with its records; ``None`` if there are none, or if another benchmark measured it."""
    run = result.records
    return None if run is None or run.reported is not None else run


def reported_of(result: Result[Any]) -> BenchmarkOutput | None:
    """What another benchmark reports about itself; ``None`` for a result of streamgage."""
    return result.kind.reported(result.document)


def settings_of(result: Result[Any]) -> Settings:
    """The settings that the document of the result records."""
    return result.kind.settings(result.document)


def read_setting(name: str) -> Callable[[Result[Any]], SettingValue | None]:
    """Make a function that reads the setting of that name from the document of a result."""
    return lambda result: setting_value(getattr(settings_of(result), name))


def setting_value(text: str | None, number: float | None = None) -> SettingValue | None:
    """Make the value with that text; ``None`` if the text is empty or ``None``."""
    return SettingValue(text, number) if text else None

"""The differences between the set-ups, which often explain the ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from streamgage.comparison.compare.document import Difference, UnrecordedSettings
from streamgage.comparison.compare.settings import SETTINGS, Setting, SettingValue
from streamgage.comparison.compare.side import Side
from streamgage.results.kinds import kind_of

_MOST_TEXTS = 3


@dataclass(frozen=True)
class _ImportantProperty:
    """A property that changes figures a lot."""

    words: str
    settings: frozenset[str]
    """The settings that record this property; one of them is enough."""


_IMPORTANT = (
    _ImportantProperty("the number of threads", frozenset({"threads", "workers"})),
    _ImportantProperty("the size of the arrays", frozenset({"size of each array"})),
    _ImportantProperty("where the threads ran", frozenset({"binding", "CPUs"})),
)


def differences(sides: Sequence[Side]) -> list[Difference]:
    """The recorded settings that differ, most important first."""
    found = []
    for setting in SETTINGS:
        recorded = [_values_of_side(setting, side) for side in sides]
        if any(_differ(setting, one, other) for one, other in combinations(recorded, 2)):
            found.append(
                Difference(
                    what=setting.what,
                    values=[_text(setting, values) for values in recorded],
                    sides=[
                        side.label
                        for side, values in zip(sides[1:], recorded[1:], strict=True)
                        if _differ(setting, recorded[0], values)
                    ],
                    why=setting.why,
                )
            )
    return found


def unrecorded(sides: Sequence[Side]) -> list[UnrecordedSettings]:
    """For each side, the settings that it does not record but another side does."""
    recorded = [{each.what for each in SETTINGS if _values_of_side(each, side)} for side in sides]
    names = [each.what for each in SETTINGS if any(each.what in known for known in recorded)]
    missing = [[name for name in names if name not in known] for known in recorded]
    return [
        UnrecordedSettings(side=side.label, what=names)
        for side, names in zip(sides, missing, strict=True)
        if names
    ]


def unlike_within(side: Side) -> list[str]:
    """The settings that differ within one side, except those that change with every run."""
    found = []
    for setting in SETTINGS:
        known = _values_of_side(setting, side)
        if any(not setting.same(known[0], other) for other in known[1:]):
            found.append(setting.what)
    return found


def unrecorded_by_all(sides: Sequence[Side]) -> list[str]:
    """The most important properties that no side records, in words."""
    varied = kind_of(sides[0].results[0].document).varied
    recorded = {each.what for each in SETTINGS for side in sides if _values_of_side(each, side)}
    return [each.words for each in _IMPORTANT if not each.settings & (recorded | varied)]


def _differ(
    setting: Setting, first: Sequence[SettingValue], second: Sequence[SettingValue]
) -> bool:
    """Return whether one of the two sides has a value that the other lacks."""
    if not first or not second:
        return False
    return any(
        not any(setting.same(value, another) for another in against)
        for values, against in ((first, second), (second, first))
        for value in values
    )


def _values_of_side(setting: Setting, side: Side) -> list[SettingValue]:
    values = [setting.of(each) for each in side.results]
    return [value for value in values if value is not None]


def _text(setting: Setting, values: Sequence[SettingValue]) -> str | None:
    """The texts of a side, each once. Of texts that count as the same, only the first is shown."""
    shown: list[SettingValue] = []
    for value in values:
        if not any(setting.same(value, other) for other in shown):
            shown.append(value)
    texts = [each.text for each in shown]
    more = f" and {len(texts) - _MOST_TEXTS} more" if len(texts) > _MOST_TEXTS else ""
    return " / ".join(texts[:_MOST_TEXTS]) + more if texts else None

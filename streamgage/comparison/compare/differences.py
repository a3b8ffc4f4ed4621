"""The differences between the set-ups, which often explain the ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from streamgage.comparison.compare.document import Difference, Untold
from streamgage.comparison.compare.settings import SETTINGS, Setting, SettingValue
from streamgage.comparison.compare.side import Side
from streamgage.results.kinds import kind_of

_MOST_TEXTS = 3


@dataclass(frozen=True)
class _Weighty:
    """A property that changes figures a lot."""

    words: str
    settings: frozenset[str]
    """Any one of these settings shows it."""


_WEIGHTY = (
    _Weighty("the number of threads", frozenset({"threads", "workers"})),
    _Weighty("the size of the arrays", frozenset({"size of each array"})),
    _Weighty("where the threads ran", frozenset({"binding", "CPUs"})),
)


def differences(sides: Sequence[Side]) -> list[Difference]:
    """The settings that differ, most important first. An unrecorded setting is no difference."""
    found = []
    for setting in SETTINGS:
        told = [_told(setting, side) for side in sides]
        if any(_differ(setting, one, other) for one, other in combinations(told, 2)):
            found.append(
                Difference(
                    what=setting.what,
                    values=[_text(setting, values) for values in told],
                    sides=[
                        side.label
                        for side, values in zip(sides[1:], told[1:], strict=True)
                        if _differ(setting, told[0], values)
                    ],
                    why=setting.why,
                )
            )
    return found


def untold(sides: Sequence[Side]) -> list[Untold]:
    """For each side, the settings that it does not record but another side does."""
    told = [{each.what for each in SETTINGS if _told(each, side)} for side in sides]
    names = [each.what for each in SETTINGS if any(each.what in known for known in told)]
    missing = [[name for name in names if name not in known] for known in told]
    return [
        Untold(side=side.label, what=names)
        for side, names in zip(sides, missing, strict=True)
        if names
    ]


def unlike_within(side: Side) -> list[str]:
    """The settings that differ within one side, without those that change with every run."""
    found = []
    for setting in SETTINGS:
        known = _told(setting, side)
        if any(not setting.same(known[0], other) for other in known[1:]):
            found.append(setting.what)
    return found


def untold_by_all(sides: Sequence[Side]) -> list[str]:
    """The most important properties that no side records, in words."""
    varied = kind_of(sides[0].results[0].document).varied
    told = {each.what for each in SETTINGS for side in sides if _told(each, side)}
    return [each.words for each in _WEIGHTY if not each.settings & (told | varied)]


def _differ(setting: Setting, one: Sequence[SettingValue], other: Sequence[SettingValue]) -> bool:
    """Return whether one of the two has a value that the other lacks. Equal mixes do not differ."""
    if not one or not other:
        return False
    return any(
        not any(setting.same(value, another) for another in against)
        for values, against in ((one, other), (other, one))
        for value in values
    )


def _told(setting: Setting, side: Side) -> list[SettingValue]:
    values = [setting.of(each) for each in side.results]
    return [value for value in values if value is not None]


def _text(setting: Setting, values: Sequence[SettingValue]) -> str | None:
    """The texts of a side, each once. Of texts that count as the same, it shows the first."""
    shown: list[SettingValue] = []
    for value in values:
        if not any(setting.same(value, other) for other in shown):
            shown.append(value)
    texts = [each.text for each in shown]
    more = f" and {len(texts) - _MOST_TEXTS} more" if len(texts) > _MOST_TEXTS else ""
    return " / ".join(texts[:_MOST_TEXTS]) + more if texts else None

"""The effects of settings and places on the figures of a class, so that no class falls to pieces.

Nodes of the same hardware are one class, however many kernels and versions of BIOS they run. What a
setting or a rack adds is estimated from all nodes of the class, one property after the other
(backfitting, with medians), and shrunk: an effect counts as far as effects of its property differ
by more than chance (Efron and Morris 1975). So many settings without an effect take nothing away,
and one that costs 3 % is shown and does not make its nodes slow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from streamgage.analysis.statistics.intervals import median

FEWEST_OF_A_VALUE = 5
"""A value that fewer nodes have gets no effect: one slow node would be its own setting."""
_ROUNDS = 3
_MEDIAN = 1.5708
"""The variance of a median over that of a mean, of a normal sample."""
_SURE = 4.0
"""Standard errors from which on an effect is taken for one."""
_QUARTILE = 0.6745
PLACE = "place"
"""The property that says where a node stands."""


@dataclass(frozen=True)
class Effect:
    """What one value of a property adds to the logarithm of a figure."""

    name: str
    """The property."""
    value: str
    nodes: int
    size: float
    sure: bool
    """Whether it is far more than chance makes of as many nodes."""


class Fit:
    """What is left of each figure of a class after all effects, and the effects."""

    def __init__(self, rest: Sequence[float], effects: Sequence[Effect]) -> None:
        """Keep them."""
        self.rest = rest
        self.effects = effects
        self._sizes = {(each.name, each.value): each.size for each in effects}

    def shift(self, properties: Mapping[str, str]) -> float:
        """The sum of the effects on a node with these settings."""
        return sum(self._sizes.get(each, 0.0) for each in properties.items())


def fitted(values: Sequence[float], properties: Sequence[Mapping[str, str]], floor: float) -> Fit:
    """Fit the effects on logarithms of figures. ``properties``: the settings of each node.

    ``floor``: the least scale of the rest.
    """
    middle = median(sorted(values))
    rest = [value - middle for value in values]
    names = dict.fromkeys(name for each in properties for name in each)
    if not names:
        return Fit(values, [])
    members = {name: _members(properties, name) for name in names}
    members = {name: of for name, of in members.items() if len(of) > 1}
    sizes: dict[str, dict[str, float]] = {name: {} for name in members}
    errors: dict[tuple[str, str], float] = {}
    for _ in range(_ROUNDS if len(members) > 1 else 1):
        for name, of in members.items():
            for value, places in of.items():
                own = sizes[name].get(value, 0.0)
                for place in places:
                    rest[place] += own
            scale = max(floor, _scale(rest, of))
            raw = {value: median(sorted(rest[p] for p in places)) for value, places in of.items()}
            usual = median(sorted(raw[value] for value, places in of.items() for _ in places))
            found = {value: each - usual for value, each in raw.items()}
            noise = {value: _MEDIAN * scale**2 / len(places) for value, places in of.items()}
            true = _variance(found, noise)
            for value, places in of.items():
                size = found[value] * true / (true + noise[value]) if true else 0.0
                sizes[name][value] = size
                errors[name, value] = sqrt(noise[value])
                for place in places:
                    rest[place] -= size
    effects = [
        Effect(
            name=name,
            value=value,
            nodes=len(places),
            size=sizes[name][value],
            sure=abs(sizes[name][value]) >= _SURE * errors[name, value],
        )
        for name, of in members.items()
        for value, places in of.items()
    ]
    return Fit([each + middle for each in rest], effects)


def _members(properties: Sequence[Mapping[str, str]], name: str) -> dict[str, list[int]]:
    """The nodes with each value of a property, of values that enough nodes have."""
    found: dict[str, list[int]] = {}
    for place, each in enumerate(properties):
        if (value := each.get(name)) is not None:
            found.setdefault(value, []).append(place)
    return {value: at for value, at in found.items() if len(at) >= FEWEST_OF_A_VALUE}


def _scale(rest: Sequence[float], members: Mapping[str, Sequence[int]]) -> float:
    """The scale within the values of a property."""
    apart: list[float] = []
    for places in members.values():
        middle = median(sorted(rest[place] for place in places))
        apart += [abs(rest[place] - middle) for place in places]
    return median(sorted(apart)) / _QUARTILE


def _variance(found: Mapping[str, float], noise: Mapping[str, float]) -> float:
    """The variance of the true effects: what differs by more than chance makes."""
    number = len(found)
    if number < 2:
        return 0.0
    total = sum(found[value] ** 2 for value in found) / (number - 1)
    chance = sum(noise.values()) / number
    # The variance of so few effects is itself uncertain: twice its standard error counts as chance.
    return max(0.0, total - chance * (1 + 2 * sqrt(2 / (number - 1))))

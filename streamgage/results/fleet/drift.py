"""Finds nodes that have become slower than they were in earlier fleets.

What all nodes of a class share on a night is taken off. Each node is held against the highest level
that it held, as ``history --changes`` finds levels: a node that fell some nights ago does not make
its fall usual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import expm1, log, log1p, sqrt

from streamgage.analysis.statistics.changes import SoundLevel, sound_level
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.outliers import FEWEST, Bulk, bulk_of, false_discovery
from streamgage.records.node import NodeLine
from streamgage.results.fleet.causes import Changed
from streamgage.results.fleet.classes import Group
from streamgage.results.fleet.document import Drift, Fleet

MOST_RUNS = 10
"""Earlier fleets that are looked at."""
_FALSE = 0.05
_LEAST_SCALE = 2e-3
_CONSISTENT = 1.4826
_USUAL_SCALE = 0.01
"""Taken where too few nodes are known from before: of single runs on one node, on another day."""


@dataclass(frozen=True)
class PastNode:
    """The figures of a node in an earlier fleet."""

    time: str
    gbps: Mapping[str, float]
    properties: Mapping[str, str]


@dataclass(frozen=True)
class PastRun:
    """An earlier fleet run."""

    time: str
    nodes: Mapping[str, PastNode]


@dataclass(frozen=True)
class Drifts:
    """How speed has changed: of each unit (by name), and of each class (by number)."""

    nodes: Mapping[str, Drift]
    classes: Mapping[int, float]
    """The median change of a class that has become faster or slower as a whole."""


def past_of(fleet: Fleet) -> PastRun:
    """A stored fleet as the past of a later one."""
    nodes = {
        each.name: PastNode(
            time=each.runs[0].time,
            gbps={figure.kernel: figure.gbps for figure in each.runs[0].figures},
            properties=fleet.classes[each.group].properties,
        )
        for each in fleet.nodes
        if each.runs[0].disturbed is None
    }
    return PastRun(fleet.time or "", nodes)


def drifts_of(
    first: Mapping[str, NodeLine],
    groups: Sequence[Group],
    past: Sequence[PastRun],
    kernel: str | None,
    limit: float,
) -> Drifts:
    """``first``: the first run of each node; ``past``: the newest first."""
    if kernel is None or not past:
        return Drifts({}, {})
    found: dict[str, Drift] = {}
    shifts: dict[int, float] = {}
    for number, group in enumerate(groups):
        nights = _Nights(first, group, past, kernel)
        changed = nights.changed()
        bulk = _bulk(list(changed.values()))
        chances = [bulk.lower_tail(change) for change in changed.values()]
        for unit, share in zip(changed, false_discovery(chances), strict=True):
            effect = changed[unit] - bulk.middle
            if share <= _FALSE and effect <= log1p(-limit):
                found[unit] = nights.drift(unit, effect)
        shift = nights.shift
        if shift is not None and abs(shift) >= -log1p(-limit):
            shifts[number] = expm1(shift)
    return Drifts(found, shifts)


class _Nights:
    """The figures of the nodes of a class, night by night, without what all nights share."""

    def __init__(
        self, first: Mapping[str, NodeLine], group: Group, past: Sequence[PastRun], kernel: str
    ) -> None:
        self._kernel = kernel
        self._properties = group.properties
        self._past: dict[str, list[tuple[int, PastNode]]] = {}
        self._now: dict[str, float] = {}
        for unit in group.units:
            earlier = _earlier(unit, first[unit], group, past, kernel)
            now = next((e.gbps for e in first[unit].figures if e.kernel == kernel), None)
            if earlier and now is not None:
                self._past[unit] = earlier
                self._now[unit] = log(now)
        self._of_night = self._shared(len(past))
        self._rest = {
            unit: [log(each.gbps[kernel]) - self._of_night[night] for night, each in earlier]
            for unit, earlier in self._past.items()
        }
        self._noise = self._noise_of_nights()

    def _shared(self, nights: int) -> list[float]:
        """What all nodes of the class have in common on each night, the newest first."""
        apart: list[list[float]] = [[] for _ in range(nights)]
        for earlier in self._past.values():
            logarithms = [log(each.gbps[self._kernel]) for _, each in earlier]
            usual = median(sorted(logarithms))
            for (night, _), value in zip(earlier, logarithms, strict=True):
                apart[night].append(value - usual)
        return [median(sorted(of)) if len(of) >= FEWEST else 0.0 for of in apart]

    def _noise_of_nights(self) -> float:
        """The deviation of one night of one node, from all nodes together."""
        steps = [abs(b - a) for rest in self._rest.values() for a, b in pairwise(rest)]
        if len(steps) < FEWEST:
            return _USUAL_SCALE
        return max(_CONSISTENT * median(sorted(steps)) / sqrt(2), _LEAST_SCALE)

    def _level(self, unit: str) -> SoundLevel:
        """The level of a node before tonight; places count from its oldest night."""
        return sound_level(self._rest[unit][::-1], self._noise)

    def changed(self) -> dict[str, float]:
        """The logarithm of each node tonight over the level that it held."""
        return {unit: now - self._level(unit).value for unit, now in self._now.items()}

    @property
    def shift(self) -> float | None:
        """The change of the whole class tonight; ``None`` if too few nodes are known from before.

        It is held against the level that the class held, as a node is.
        """
        if len(self._now) < FEWEST:
            return None
        nights = [of for of in self._of_night if of]
        before = sound_level(nights[::-1], self._noise).value if nights else 0.0
        now = median(sorted(now - self._level(unit).value for unit, now in self._now.items()))
        return now - before

    def drift(self, unit: str, effect: float) -> Drift:
        """Describe a node that is slower than it was."""
        level = self._level(unit)
        oldest_first = [each for _, each in reversed(self._past[unit])]
        held = oldest_first[level.first : level.end]
        fine = held[-1]
        changed = [
            Changed(name=name, before=was, now=now)
            for name, now in self._properties.items()
            if now is not None and (was := fine.properties.get(name)) is not None and was != now
        ]
        return Drift(
            kernel=self._kernel,
            before_gbps=median(sorted(each.gbps[self._kernel] for each in held)),
            effect=expm1(effect),
            since=fine.time,
            changed=changed,
        )


def _earlier(
    unit: str, line: NodeLine, group: Group, past: Sequence[PastRun], kernel: str
) -> list[tuple[int, PastNode]]:
    """The earlier runs of a node that were measured as this one, with the number of the night.

    The newest comes first, as in ``past``.
    """
    size = group.properties["array size"]
    found = []
    for night, run in enumerate(past):
        each = run.nodes.get(unit)
        if each is None or kernel not in each.gbps or each.time == line.time:
            continue
        if each.properties.get("array size") == size:
            found.append((night, each))
    return found


def _bulk(changes: Sequence[float]) -> Bulk:
    """The change of the nodes of a class."""
    if len(changes) < FEWEST:
        return Bulk(0.0, _USUAL_SCALE, FEWEST)
    return bulk_of(changes, _LEAST_SCALE)

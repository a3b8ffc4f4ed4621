"""Finds nodes that have become slower than they were in earlier fleets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import expm1, log, log1p

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
    changes: dict[str, tuple[float, int]] = {}
    before: dict[str, list[PastNode]] = {}
    for number, group in enumerate(groups):
        for host in group.units:
            earlier = _earlier(host, first[host], group, past, kernel)
            now = next((e.gbps for e in first[host].figures if e.kernel == kernel), None)
            if earlier and now is not None:
                before[host] = earlier
                change = log(now / median(sorted(each.gbps[kernel] for each in earlier)))
                changes[host] = change, number
    bulks = {number: _bulk(number, changes) for number in range(len(groups))}
    hosts = list(changes)
    chances = [bulks[changes[host][1]].lower_tail(changes[host][0]) for host in hosts]
    found: dict[str, Drift] = {}
    least = log1p(-limit)
    for host, share in zip(hosts, false_discovery(chances), strict=True):
        change, number = changes[host]
        effect = change - bulks[number].middle
        if share <= _FALSE and effect <= least:
            found[host] = _drift(kernel, effect, before[host], groups[number], limit)
    shifts = {
        number: expm1(bulk.middle)
        for number, bulk in bulks.items()
        if bulk.n >= FEWEST and abs(bulk.middle) >= -least
    }
    return Drifts(found, shifts)


def _earlier(
    host: str, line: NodeLine, group: Group, past: Sequence[PastRun], kernel: str
) -> list[PastNode]:
    """The earlier runs of a node that were measured as this one, the newest first."""
    found = [
        each.nodes[host] for each in past if host in each.nodes and kernel in each.nodes[host].gbps
    ]
    size = group.properties["array size"]
    return [
        each
        for each in found
        if each.time != line.time and each.properties.get("array size") == size
    ]


def _bulk(number: int, changes: Mapping[str, tuple[float, int]]) -> Bulk:
    """The change of the nodes of a class."""
    values = [change for change, of in changes.values() if of == number]
    if len(values) < FEWEST:
        return Bulk(0.0, _USUAL_SCALE, FEWEST)
    return bulk_of(values, _LEAST_SCALE)


def _drift(
    kernel: str, effect: float, earlier: Sequence[PastNode], group: Group, limit: float
) -> Drift:
    usual = median(sorted(each.gbps[kernel] for each in earlier))
    fine = next((each for each in earlier if each.gbps[kernel] >= (1 - limit) * usual), earlier[0])
    changed = [
        Changed(name=name, before=was, now=now)
        for name, now in group.properties.items()
        if now is not None and (was := fine.properties.get(name)) is not None and was != now
    ]
    return Drift(
        kernel=kernel,
        before_gbps=usual,
        effect=expm1(effect),
        since=fine.time,
        changed=changed,
    )

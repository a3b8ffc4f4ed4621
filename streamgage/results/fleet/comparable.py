"""The figures of a fleet that ``compare`` uses: those of each class."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.evidence import observations_of, within_reason
from streamgage.results.comparable import Figure
from streamgage.results.fleet.document import Fleet, FleetNode


def figures(document: Fleet, *_: object) -> Iterator[Figure | None]:
    """``triad, 2x EPYC 9654 ...``: the nodes of a class stand for each other."""
    of_class: list[list[FleetNode]] = [[] for _ in document.classes]
    for node in document.nodes:
        of_class[node.group].append(node)
    for group, nodes in zip(document.classes, of_class, strict=True):
        for each in group.figures:
            found = [node.figure(each.kernel) for node in nodes]
            times = [1 / one.gbps for one in found if one is not None]
            if not times or not all(map(within_reason, times)):
                continue
            yield Figure(
                key=(each.kernel, group.name),
                name=f"{each.kernel}, {group.name}",
                kernel=each.kernel.partition(" ")[0],
                unit="GB/s",
                seconds=1 / each.median_gbps,
                evidence=observations_of([[time] for time in times]),
                n=len(times),
                of="runs",
            )

"""``--format csv``: a line a point, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.scale.document import PlacedPoint, Scaling

COLUMNS = (
    *("binding", "kernel", "store", "workers", "n", "threads_per_worker"),
    *("gbps", "gbps_low", "gbps_high", "speedup", "speedup_low", "speedup_high"),
    *("efficiency", "efficiency_low", "efficiency_high", "rounds", "samples"),
    *("cpus", "threads_per_node", "cores", "bound", "moved"),
)


def render(answer: Scaling) -> str:
    """A header line and a line for each point, six digits; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    places = {(each.name, point.n): point for each in answer.bindings for point in each.points}
    for curve in answer.curves:
        for point in curve.points:
            writer.writerow(
                [
                    *(curve.binding, curve.kernel, curve.store),
                    *(answer.workers, point.n, answer.threads_per_worker),
                    *_bounded(point.gbps),
                    *_bounded(point.speedup),
                    *_bounded(point.efficiency),
                    *(point.rounds, point.samples),
                    *_placed(places.get((curve.binding, point.n))),
                ]
            )
    return text.getvalue()


def _bounded(figure: Bounded | None) -> list[str]:
    values = (None,) * 3 if figure is None else (figure.value, figure.low, figure.high)
    return ["" if value is None else f"{value:.6g}" for value in values]


def _placed(point: PlacedPoint | None) -> list[str]:
    if point is None:
        return [""] * 5
    nodes = " ".join(f"{node}:{number}" for node, number in point.per_node.items())
    bound = "" if point.bound is None else str(point.bound).lower()
    return [point.cpus or "", nodes, str(point.cores), bound, str(point.moved)]

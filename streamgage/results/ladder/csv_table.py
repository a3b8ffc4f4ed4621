"""``--format csv``: a line a point, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from streamgage.results.ladder.document import Ladder, LadderCurve

COLUMNS = (
    *("mode", "kernel", "store", "threads", "bytes", "level"),
    *("gbps", "gbps_low", "gbps_high", "bytes_per_cycle", "rounds", "samples"),
)


def render(answer: Ladder) -> str:
    """A header line and a line for each point, six digits; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for curve in answer.curves:
        for point in curve.points:
            per_cycle = (
                ""
                if not curve.core_hertz
                else f"{point.gbps.value * 1e9 / curve.core_hertz / curve.threads:.6g}"
            )
            bounded = (point.gbps.value, point.gbps.low, point.gbps.high)
            writer.writerow(
                [
                    *(curve.mode, curve.kernel, curve.store, curve.threads, point.bytes),
                    level_of(curve, point.bytes),
                    *("" if value is None else f"{value:.6g}" for value in bounded),
                    *(per_cycle, point.rounds, point.samples),
                ]
            )
    return text.getvalue()


def level_of(curve: LadderCurve, size: int) -> str:
    """The level on whose plateau a working set lies; empty on a slope."""
    for step in curve.steps:
        if step.low_bytes <= size <= step.high_bytes:
            return step.level
    return ""

"""``--format csv``: a line a figure, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.latency.document import Latencies

COLUMNS = (
    *("figure", "bytes", "mix", "share", "generators", "gbps", "gbps_low", "gbps_high"),
    *("ns", "ns_low", "ns_high", "rounds"),
)


def render(answer: Latencies) -> str:
    """A header line, a line for each working set and each pace; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for point in answer.idle:
        figures = _bounded(point.seconds, 1e9)
        writer.writerow(["idle", point.bytes, *[""] * 6, *figures, point.rounds])
    for curve in answer.loaded:
        for each in curve.points:
            writer.writerow(
                [
                    *("loaded", "", curve.mix, f"{each.share:g}", curve.generators),
                    *_bounded(each.gbps, 1.0),
                    *_bounded(each.seconds, 1e9),
                    each.rounds,
                ]
            )
    return text.getvalue()


def _bounded(figure: Bounded, scale: float) -> list[str]:
    values = (figure.value, figure.low, figure.high)
    return ["" if value is None else f"{scale * value:.6g}" for value in values]

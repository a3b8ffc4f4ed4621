"""A line an interval and domain, for spreadsheets and data frames. Empty: not known."""

from __future__ import annotations

import csv
import io

from streamgage.tools.traffic.document import WatchedTraffic

COLUMNS = (
    *("start_seconds", "seconds", "domain", "read_gbps", "written_gbps", "total_gbps"),
    *("reason", "source", "replayed", "calibration"),
)


def render(watched: WatchedTraffic) -> str:
    """A header line and the lines; rates in GB/s with six digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for interval in watched.intervals:
        for domain, rates, reason in zip(
            watched.domains, interval.domains, interval.reasons, strict=True
        ):
            numbers = (rates.read_gbps, rates.written_gbps, rates.total_gbps)
            writer.writerow(
                [
                    f"{interval.start:.9g}",
                    f"{interval.seconds:.9g}",
                    domain.name,
                    *("" if each is None else f"{each:.6g}" for each in numbers),
                    reason or "",
                    watched.source,
                    "true" if watched.replayed else "false",
                    watched.trust.state,
                ]
            )
    return text.getvalue()

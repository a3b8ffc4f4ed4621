"""The memory traffic as data: one row per interval and domain."""

from __future__ import annotations

from streamgage.results.traffic.document import Rates, SeenInterval, TrafficResult, Volume
from streamgage.show.page import Data, Datum

_Row = tuple[SeenInterval, Volume, Rates, str | None]
_DIGITS = 9
"""The significant digits of seconds, enough for a day in tenths of a millisecond."""


def data_of(traffic: TrafficResult) -> Data[_Row]:
    """Make the data, with rates in GB/s."""
    return Data(
        columns=[
            Datum("start_seconds", lambda each: each[0].start, _DIGITS),
            Datum("seconds", lambda each: each[0].seconds, _DIGITS),
            Datum("domain", lambda each: each[1].name),
            Datum("read_gbps", lambda each: each[2].read_gbps),
            Datum("written_gbps", lambda each: each[2].written_gbps),
            Datum("total_gbps", lambda each: each[2].total_gbps),
            Datum("read_share", lambda each: each[2].read_share),
            Datum("local_gbps", lambda each: each[2].local_gbps),
            Datum("reason", lambda each: each[3]),
            Datum("source", lambda _: traffic.source),
            Datum("replayed", lambda _: traffic.replayed),
            Datum("calibration", lambda _: traffic.source_trust.state),
            *_of_curve(traffic),
        ],
        rows=[
            (interval, domain, rates, reason)
            for interval in traffic.intervals
            for domain, rates, reason in zip(
                traffic.domains, interval.domains, interval.reasons, strict=True
            )
        ],
    )


def _of_curve(traffic: TrafficResult) -> list[Datum[_Row]]:
    """The columns for the place of an interval on a curve, if there is one.

    Latencies are nanoseconds.
    """
    if traffic.curve is None:
        return []
    at = {each.start: each for each in traffic.curve.places}

    def of(name: str, factor: float = 1.0) -> Datum[_Row]:
        def value(row: _Row) -> float | None:
            found: float | None = getattr(at[row[0].start], name)
            return None if found is None else factor * found

        return Datum(name, value)

    return [
        Datum("curve_state", lambda row: at[row[0].start].state),
        *(of(name) for name in ("share_low", "share_high")),
        *(Datum(f"{name}_ns", of(name, 1e9).value) for name in ("latency_low", "latency_high")),
    ]

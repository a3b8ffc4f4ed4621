"""``latency --format mlc``: the loaded latencies as Intel's MLC prints them."""

from __future__ import annotations

from streamgage.results.latency.document import MIX_NAMES, Latency, LoadCurve, LoadedPoint
from streamgage.show.mlc import READS, LoadedRow, loaded_latencies, page_of

_LINE = 64
"""The number of bytes that an access moves."""
_UNITS = 100
"""The units of delay in a nanosecond."""
_READING = "reads"


def text(latency: Latency) -> str:
    """Write a table for each mix, reads first, as MLC prints one for each run with ``-W``."""
    curves = sorted(latency.loaded, key=lambda each: each.mix != _READING)
    return page_of(*map(_table, curves))


def _table(curve: LoadCurve) -> str:
    traffic = READS if curve.mix == _READING else MIX_NAMES[curve.mix]
    rows = [
        LoadedRow(_delay(curve, each), each.seconds.value, each.gbps.value)
        for each in curve.points
        if each.gbps.value > 0
    ]
    return loaded_latencies(rows, traffic)


def _delay(curve: LoadCurve, point: LoadedPoint) -> float:
    """The delay of a loading thread for each line, beyond the time at the best rate.

    It is in hundredths of a nanosecond, which gives whole numbers of the size of MLC's. MLC's own
    delays have a unit of their own, and are kept as they are.
    """
    if point.delay is not None or curve.generators is None:
        return float(point.delay or 0)
    best = max(each.gbps.value for each in curve.points)
    return _UNITS * curve.generators * _LINE * (1 / point.gbps.value - 1 / best)

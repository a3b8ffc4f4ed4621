"""``--format roofline`` and ``roofline-csv``: the roofline for other programs to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.roofline import Roofline, roofline_of
from streamgage.show.csv import render
from streamgage.show.formats import as_json
from streamgage.show.page import Data, Datum, Value

_KEYS = (
    *("row", "name", "mode", "kernel", "store", "threads"),
    *("flops_per_byte", "gbps", "gbps_low", "gbps_high", "gflops", "gflops_low", "gflops_high"),
    *("low_bytes", "high_bytes", "points", "share_of_memory", "share_of_compute"),
)
_Row = dict[str, Value]


def as_json_text(ladder: Ladder) -> str:
    """Write the ceilings with their evidence, and the programs, as JSON."""
    return as_json(roofline_of(ladder))


def as_csv_text(ladder: Ladder) -> str:
    """Write a row for each ceiling and each program as CSV; values that a row lacks are empty."""
    rows = list(_rows(roofline_of(ladder)))
    return render(Data([Datum(key, _reader(key)) for key in _KEYS], rows))


def _reader(key: str) -> Callable[[_Row], Value]:
    return lambda row: row.get(key)


def _rows(roofline: Roofline) -> Iterator[_Row]:
    for each in roofline.ceilings:
        yield {
            "row": "bandwidth",
            "name": each.level,
            "mode": each.mode,
            "kernel": each.kernel,
            "store": each.store,
            "threads": each.threads,
            "gbps": each.gbps.value,
            "gbps_low": each.gbps.low,
            "gbps_high": each.gbps.high,
            "low_bytes": each.low_bytes,
            "high_bytes": each.high_bytes,
            "points": each.points,
        }
    for top in roofline.compute:
        yield {
            "row": "compute",
            "name": "compute",
            "mode": top.mode,
            "kernel": top.kernel,
            "threads": top.threads,
            "flops_per_byte": top.flops_per_byte,
            "gflops": top.gflops.value,
            "gflops_low": top.gflops.low,
            "gflops_high": top.gflops.high,
            "low_bytes": top.bytes,
            "high_bytes": top.bytes,
        }
    for program in roofline.programs:
        yield {
            "row": "program",
            "name": program.name,
            "mode": program.mode,
            "flops_per_byte": program.flops_per_byte,
            "gbps": program.gbps,
            "gflops": program.gflops,
            "share_of_memory": program.share_of_memory,
            "share_of_compute": program.share_of_compute,
        }

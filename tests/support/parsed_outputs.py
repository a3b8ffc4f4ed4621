"""What an output says once it is a run."""

from __future__ import annotations

from streamgage.interop.formats import parse_output
from streamgage.interop.tables import records_of
from streamgage.records import BenchmarkOutput
from streamgage.records.run import Run, collect


def run_of(text: str) -> Run:
    """The run that ``text`` tells of, whose tables are of one setting."""
    return collect(records_of(parse_output(text).tables))


def reported_of(text: str) -> BenchmarkOutput:
    """What the benchmark says of itself."""
    reported = run_of(text).reported
    assert reported is not None
    return reported


def rates_of(text: str) -> dict[str, list[float]]:
    """GB/s as printed of each kernel, a number a table."""
    run = run_of(text)
    found: dict[str, list[float]] = {}
    for number, variant in run.variants.items():
        found.setdefault(variant.kernel, []).extend(rate.gbps for rate in run.rates[number])
    return found

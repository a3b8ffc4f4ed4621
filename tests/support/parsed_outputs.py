"""Reads outputs of other benchmarks as runs."""

from __future__ import annotations

from streamgage.interop.formats import parse_output
from streamgage.interop.tables import records_of
from streamgage.records import BenchmarkOutput
from streamgage.records.run import Run, collect


def run_of(text: str) -> Run:
    """The run in ``text``, whose tables have one setting."""
    return collect(records_of(parse_output(text).tables))


def reported_of(text: str) -> BenchmarkOutput:
    """The benchmark's description of itself."""
    reported = run_of(text).reported
    assert reported is not None
    return reported


def rates_of(text: str) -> dict[str, list[float]]:
    """The printed GB/s of each kernel, with a number for each table."""
    run = run_of(text)
    found: dict[str, list[float]] = {}
    for number, variant in run.variants.items():
        found.setdefault(variant.kernel, []).extend(rate.gbps for rate in run.rates[number])
    return found

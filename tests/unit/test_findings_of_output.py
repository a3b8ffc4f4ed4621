"""Findings on the output of another benchmark: seen where they should be, and not elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from traffic_runs import table_run

from streamgage.analysis.finding import Finding
from streamgage.analysis.traffic.verdict import judge_traffic
from streamgage.records import BenchmarkOutput, ReportedRate
from streamgage.results.measure.findings import Context, judge

STEADY = {"copy": 33.0, "scale": 33.0, "add": 37.0, "triad": 37.0}
LAPTOP = {"copy": 33.1, "scale": 24.6, "add": 28.9, "triad": 27.9}


def output(
    rates: Mapping[str, float] = STEADY,
    seconds: tuple[float, float] | None = None,
    **facts: Any,  # noqa: ANN401 - fields of BenchmarkOutput
) -> Context:
    """A context of STREAM's table with those rates, best and mean times, and facts."""
    run = table_run([rates], threads=8)
    run.reported = BenchmarkOutput(tool="STREAM", threads=8, **facts)
    if seconds is not None:
        run.rates = {n: [_timed(e, seconds) for e in each] for n, each in run.rates.items()}
    return Context(run, readings=judge_traffic(run).readings)


def _timed(rate: ReportedRate, seconds: tuple[float, float]) -> ReportedRate:
    return ReportedRate(
        variant=rate.variant,
        table=rate.table,
        gbps=rate.gbps,
        seconds=seconds[0],
        mean_seconds=seconds[1],
    )


CASES: list[tuple[str, str, Context, str]] = [
    (
        "contradicts-itself",
        "warning",
        output(corrections=["Triad says 84.3 GB/s and 0.00905 s, which is 763 MB"]),
        "The output contradicts itself. Triad says 84.3 GB/s and 0.00905 s, which is 763 MB.",
    ),
    (
        "cut-off",
        "warning",
        output(cut_off="Add and Triad are missing; the output ends with: DUE TO TIME LIMIT"),
        "The output breaks off: Add and Triad are missing; the output ends with: DUE TO TIME LIMIT",
    ),
    (
        "cut-off",
        "warning",
        output(cut_off="Triad is missing"),
        "Either the run did not end as it should, or only a part of its output was kept",
    ),
    (
        "its-own-warning",
        "warning",
        output(warnings=["Your clock granularity appears to be less than one microsecond"]),
        "STREAM itself warns: 'Your clock granularity appears to be less than one microsecond'",
    ),
    ("few-repetitions", "note", output(repetitions=2), "Each kernel ran 2 times; 10 are usual"),
    (
        "unsteady-table",
        "warning",
        output(seconds=(0.01, 0.022)),
        "The mean time of copy is 2.20 times its best, so most repetitions were disturbed",
    ),
    ("unsteady-table", "note", output(seconds=(0.01, 0.014)), "so some repetitions were slow"),
    (
        "two-readings",
        "note",
        output(LAPTOP),
        "is that copy reads none and scale, add and triad read all of it. A peak below 50.7 GB/s",
    ),
    (
        "two-readings",
        "note",
        output({"copy": 115.6, "scale": 115.2, "add": 123.2, "triad": 123.1}),
        "A peak below 177 GB/s excludes that all did: give --peak.",
    ),
    (
        "uneven-kernels",
        "note",
        output({"copy": 89.6, "scale": 90.9, "add": 72.3, "triad": 72.9}),
        "Add and Triad are 20 % below Copy and Scale, more than any kind of store explains",
    ),
    (
        "uneven-kernels",
        "note",
        output({"copy": 221.9, "scale": 160.1, "add": 221.9, "triad": 236.8}),
        "Scale alone is slow: 160.1 GB/s, where the others have 221.9 to 236.8 GB/s.",
    ),
    (
        "uneven-kernels",
        "warning",
        output({"copy": 33.0, "scale": 33.0, "add": 36.0, "triad": 29.0}),
        "Add and Triad differ by 24 %, though they move the same bytes",
    ),
    (
        "coarse-clock",
        "warning",
        output(clock_seconds=1e-6, seconds=(1.1e-5, 1.2e-5)),
        "The shortest test took 11 us, 11 ticks of the clock; STREAM's rule asks for 20. It may"
        " have taken one tick more, so its rates are known to 8.3 % at best.",
    ),
    (
        "below-4x-rule",
        "warning",
        output(array_bytes=3_999_996, element_type="float"),
        "below 10^6 elements",
    ),
]


def findings(context: Context) -> dict[str, Finding]:
    return {each.code: each for each in judge(context).findings}


@pytest.mark.parametrize(("code", "severity", "context", "text"), CASES)
def test_it_is_found(code: str, severity: str, context: Context, text: str) -> None:
    found = findings(context)[code]
    assert found.severity == severity
    assert text in found.text


def test_a_good_output_has_none_of_them() -> None:
    good = output(
        clock_seconds=1e-6,
        repetitions=10,
        seconds=(0.01, 0.0101),
        array_bytes=400_000_000,
        element_type="float",
    )
    assert set(findings(good)) == {"two-readings", "unproved"}
    passed = {each.code for each in judge(good).passed}
    assert {"coarse-clock", "few-repetitions", "unsteady-table", "uneven-kernels"} <= passed

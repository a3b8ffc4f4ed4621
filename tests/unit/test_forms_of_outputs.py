"""Forms in which people post outputs: parts of lines, comments, headers that do not fit.

Figures are those that were published, with their source next to them; the texts around them are
made for these tests.
"""

from __future__ import annotations


import pytest
from test_cases import gbps

from streamgage.errors import UsageError
from streamgage.interop.charts import LoadedCurves, NodeMatrix, SizeLatencies
from streamgage.interop.formats import parse_output


NAMED_RATES = """Test: copy
MByte/s:                101478.93

Test: load
MByte/s:                108615.61

Test: store
MByte/s:                86856.92
"""
"""Figures: notes on an AMD Ryzen AI Max+ 395 in a public repository."""


def test_each_rate_of_likwid_bench_has_the_name_above_it() -> None:
    tables = parse_output(NAMED_RATES).tables
    found = {kernel: rate for each in tables for kernel, rate in gbps(each).items()}
    assert found == pytest.approx({"copy": 101.47893, "load": 108.61561, "init": 86.85692})


def test_a_rate_of_likwid_bench_never_has_the_name_below_it() -> None:
    with pytest.raises(UsageError, match="the name of its test is missing"):
        parse_output("MByte/s:                101478.93\nTest: load\n")


MATRIX = """Measuring idle latencies (in ns)...
                Numa node
Numa node            0       1
       0          82.1   141.0   // local is fine
       1         141.5    81.5   <- so is this
"""


LOADED = """Measuring Loaded Latencies for the system
Using Read-only traffic type
Inject  Latency Bandwidth
Delay   (ns)    MB/sec
00050  123.71   131282.0
{odd}
00200   94.56    42695.4
"""
"""Figures: community.intel.com, thread 1126268 (two Xeon Silver 4110)."""


def test_comments_behind_the_rows_of_a_matrix_are_passed_over() -> None:
    (matrix,) = parse_output(MATRIX).charts
    assert isinstance(matrix, NodeMatrix)
    assert matrix.nanoseconds == ((82.1, 141.0), (141.5, 81.5))


@pytest.mark.parametrize(
    ("odd", "delays", "note"),
    [
        ('"00100   98.94    68357.8" <--- expected more', [200, 100, 50], None),
        ("00100  (was wrong)", [200, 50], "Line 6 was left out"),
    ],
)
def test_one_odd_line_does_not_end_a_curve(odd: str, delays: list[int], note: str | None) -> None:
    parsed = parse_output(LOADED.format(odd=odd))
    (curves,) = parsed.charts
    assert isinstance(curves, LoadedCurves)
    assert [each.delay for each in curves.curves[0].loads] == delays
    assert any(note in each for each in parsed.notes) if note else parsed.notes == ()


def test_the_single_idle_latency_of_mlc_is_that_of_its_buffer() -> None:
    # Figures: documentation of test beds of FD.io CSIT (Apache-2.0), MLC 3.5.
    text = (
        "Intel(R) Memory Latency Checker - v3.5\nCommand line parameters: --idle_latency\n\n"
        "Using buffer size of 2000.000MB\nEach iteration took 202.0 core clocks ( 80.8    ns)\n"
    )
    (chart,) = parse_output(text).charts
    assert isinstance(chart, SizeLatencies)
    assert [(each.bytes, each.nanoseconds) for each in chart.points] == [(2000 << 20, 80.8)]
    assert chart.title == "Intel MLC 3.5, idle latency of a working set of 2000 MiB"

"""Forms in which people post outputs: parts of lines, comments, headers that do not fit.

Figures are those that were published, with their source next to them; the texts around them are
made for these tests.
"""

from __future__ import annotations


import pytest
from test_cases import gbps

from streamgage.errors import UsageError
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

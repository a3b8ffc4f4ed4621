"""The interval of a median of blocks measured one after another: coverage."""

from __future__ import annotations

import math
from random import Random

import pytest

from streamgage.analysis.statistics.bootstrap import bootstrap_median

TRIALS = 300


@pytest.mark.parametrize("n", [6, 10, 20, 40])
@pytest.mark.parametrize("drift", [0.0, 0.9])
def test_equal_variants_are_said_to_differ_in_one_of_twenty_cases(n: int, drift: float) -> None:
    """Two times of each block, which share what the machine did, and differ by their own noise."""
    source = Random(n)
    differ = 0
    for _ in range(TRIALS):
        machine, ratios = 0.0, []
        for _ in range(n):
            machine = drift * machine + source.gauss(0, 0.02)
            times = [math.exp(machine + source.gauss(0, 0.02)) for _ in range(2)]
            ratios.append(times[0] / times[1])
        found = bootstrap_median(ratios)
        assert found is not None
        differ += not found.low <= 1 <= found.high
    assert differ <= 0.07 * TRIALS

"""What a page calls the bounds of a series' figures."""

from __future__ import annotations

from streamgage.analysis.statistics.bootstrap import bootstrap_median, estimate_of
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.rounds import bounds_of_rounds


def over(rounds: int) -> Estimate:
    """A figure over so many rounds."""
    found = estimate_of(bootstrap_median([10.0 + each for each in range(rounds)]))
    assert found is not None
    return found


def test_a_few_rounds_have_a_range() -> None:
    assert bounds_of_rounds(3, [over(3)]) == "the range of 3 rounds"
    assert bounds_of_rounds(1, [over(1)]) == "the range of 1 round"


def test_six_rounds_have_an_interval() -> None:
    assert bounds_of_rounds(6, [over(6)]) == "95 % interval of the median of 6 rounds"


def test_points_that_failed_runs_left_with_fewer_rounds_are_called_so() -> None:
    bounds = bounds_of_rounds(8, [over(8), over(4)])
    assert bounds == "95 % interval of the median of 8 rounds, or the range of fewer than 6 rounds"


def test_samples_of_one_round_are_called_so() -> None:
    many = Estimate(value=2.0, low=1.0, high=3.0)
    few = Estimate(value=2.0, low=1.0, high=3.0, bounded_by="range")
    assert bounds_of_rounds(1, [many], single="samples") == (
        "95 % interval of the median of the samples"
    )
    assert bounds_of_rounds(1, [few], single="samples") == "the range of fewer than 6 samples"

"""A run of another benchmark is answered as one of our own, as far as it tells."""

from __future__ import annotations

import math

import pytest
from foreign_outputs import JULIA_HARDWARE, LIKWID_BENCH, STREAM, STREAM_FORTRAN, at_rates
from parsed_outputs import run_of

from streamgage.analysis.user_facts import UserFacts
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import judge_measure


def kernel(text: str, name: str) -> KernelResult:
    (found,) = [
        each for each in judge_measure(run_of(text)).document.kernels if each.kernel == name
    ]
    return found


def test_rates_are_as_printed() -> None:
    triad = kernel(STREAM, "triad")
    assert triad.median_gbps == pytest.approx(718.7991)
    assert triad.best_gbps == pytest.approx(718.7991)
    assert (triad.n, triad.threads, triad.type, triad.store) == (1, 96, "double", "unknown")
    assert (triad.valid, triad.purpose, triad.spread) == (True, "rate", None)


def test_hardware_rates_are_shown_nominal() -> None:
    assert kernel(JULIA_HARDWARE, "init").median_gbps == pytest.approx(38.1507 / 2)
    assert kernel(JULIA_HARDWARE, "copy").median_gbps == pytest.approx(40.5601 / 1.5)
    assert kernel(JULIA_HARDWARE, "daxpy").median_gbps == pytest.approx(40.3470)


def test_nothing_is_asked_that_only_the_engine_tells() -> None:
    for text in (STREAM, STREAM_FORTRAN, JULIA_HARDWARE, LIKWID_BENCH):
        judged = judge_measure(run_of(text))
        assert not {each.code for each in judged.words.findings} & {"unfinished", "absent"}
        assert not {each.code for each in judged.passed} & {"unfinished", "absent"}
        assert judged.words.quote is None


def test_what_the_user_says_goes_along() -> None:
    given = UserFacts(peak_gbps=341.0, threads=48)
    assert judge_measure(run_of(STREAM), given).user_facts == given


def test_spread_is_over_runs() -> None:
    rates = [100.0, 110.0, 120.0, 150.0]
    text = "".join(at_rates(STREAM, rate / 685.0418, "Copy") for rate in rates)
    spread = kernel(text, "copy").spread
    assert spread is not None
    mean = sum(rates) / 4
    deviation = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / 3)
    assert (spread.n, spread.mean_gbps) == (4, pytest.approx(mean))
    assert spread.deviation_gbps == pytest.approx(deviation)
    assert (spread.minimum_gbps, spread.median_gbps, spread.maximum_gbps) == pytest.approx(
        (100, 115, 150)
    )


def test_six_runs_bound_their_median() -> None:
    text = "".join(at_rates(STREAM, (100 + n) / 685.0418, "Copy") for n in range(6))
    copy = kernel(text, "copy")
    assert (copy.low_gbps, copy.high_gbps) == pytest.approx((100, 105))

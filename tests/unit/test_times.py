"""Times of a pass and operations: what they are, and that every format has them."""

from __future__ import annotations

import csv
import io
import json
import statistics

import pytest
from example_records import (
    KERNELS,
    MEMORY,
    VARIANTS,
    good_records,
    good_run,
    records_of,
    samples_of,
)

from streamgage.records.run import Run, collect
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.times import QUANTITIES
from streamgage.results.render import render_result
from streamgage.units import format_milliseconds

FORMS = ("table", "markdown", "latex", "csv", "json")


def of(run: Run, kernel: str) -> KernelResult:
    """What the answer has of its plain stores."""
    results = judge_measure(run).document.kernels
    return next(each for each in results if (each.kernel, each.store) == (kernel, "plain"))


def test_times_are_of_a_pass() -> None:
    times = [0.02, 0.06, 0.03, 0.01]
    records = [each for each in good_records() if getattr(each, "variant", None) != VARIANTS[3].id]
    triad = of(collect([*records, *samples_of(3, [2 * each for each in times], passes=2)]), "triad")
    assert triad.best_seconds == 0.01
    assert triad.mean_seconds == pytest.approx(0.03)
    assert triad.worst_seconds == 0.06
    assert triad.deviation_seconds == pytest.approx(statistics.stdev(times))
    flops = next(each.flops for each in KERNELS if each.name == "triad")
    assert triad.gflops == pytest.approx(flops * MEMORY.elements / 0.025 / 1e9)


def test_a_kernel_without_operations_has_no_rate_of_them() -> None:
    assert of(good_run(), "copy").gflops is None


def test_one_sample_has_no_deviation_and_none_has_no_time() -> None:
    one = of(collect([*records_of([]), KERNELS[1], VARIANTS[1], *samples_of(1, [0.5])]), "copy")
    assert (one.mean_seconds, one.deviation_seconds) == (0.5, None)
    none = of(collect([*records_of([]), KERNELS[1], VARIANTS[1]]), "copy")
    assert (none.best_seconds, none.worst_seconds) == (None, None)


@pytest.mark.parametrize("form", FORMS)
def test_every_format_has_them(form: str) -> None:
    found = judge_measure(good_run())
    text = render_result(found, form, details=True)
    if form == "json":
        kernels = json.loads(text)["kernels"]
        assert all(each.field in kernel for each in QUANTITIES for kernel in kernels)
    elif form == "csv":
        (row, *_) = csv.DictReader(io.StringIO(text))
        assert all(row[each.field] for each in QUANTITIES)
    else:
        assert all(each.title in text for each in QUANTITIES)


def test_the_first_screen_has_none_of_it() -> None:
    found = judge_measure(good_run())
    assert "worst" not in render_result(found, "table")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0"), (1.5e-6, "0.001500"), (0.01234567, "12.35"), (3.0, "3000"), (45.0, "45000")],
)
def test_milliseconds_have_four_digits(seconds: float, text: str) -> None:
    assert format_milliseconds(seconds) == text

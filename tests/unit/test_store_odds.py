"""What the stores of outputs that people posted read: never more certain than the rates."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from programs import REPOSITORY

from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.formats import parse_output
from streamgage.results.interpreted import InterpretedResult, interpreted
from streamgage.results.measure.screen import headline

NOTHING = UserFacts()
UNDECIDED = ("cannot-tell", None)


def of_case(
    name: str, given: UserFacts = NOTHING, *, every: bool = False
) -> list[InterpretedResult]:
    """The results of a case by its number. ``every``: those of a series, too."""
    (path,) = (REPOSITORY / "tests" / "data" / "cases").glob(f"{name}-*.txt")
    tables = parse_output(path.read_text("utf-8")).tables
    return [
        each for each in interpreted(tables, given, runs=False) if every or not each.is_in_series
    ]


def alphas_of(found: InterpretedResult) -> dict[str, Alpha]:
    return {each.kernel: each.alpha for each in found.result.document.kernels}


def verdicts(alphas: Mapping[str, Alpha], *kernels: str) -> set[tuple[str | None, str | None]]:
    names = kernels or ("copy", "scale", "add", "triad")
    return {(alphas[name].verdict, alphas[name].evidence) for name in names if name in alphas}


def readings_of(found: InterpretedResult) -> Readings:
    readings = found.result.document.readings
    assert isinstance(readings, Readings)
    return readings


def codes(found: InterpretedResult) -> set[str]:
    return {each.code for each in found.result.words.findings}


def test_loops_with_streaming_stores_are_not_said_to_read() -> None:
    # Two Haswell, Cray's compiler: 84.4, 99.3, 118.1, 116.3. Full loops agree within 5.7 %, loops
    # that read nothing within 19 %; and yet they read nothing, as a peak of 136.5 shows.
    (found,) = of_case("c58")
    assert verdicts(alphas_of(found)) == {UNDECIDED}
    readings = readings_of(found)
    assert readings.full.spread == pytest.approx(0.057, abs=0.001)
    assert readings.none.spread == pytest.approx(0.189, abs=0.001)
    assert readings.best.probability < 0.9
    (known,) = of_case("c58", UserFacts(peak_gbps=136.5))
    alphas = alphas_of(known)
    assert verdicts(alphas, "scale", "add", "triad") == {("none", "excluded")}
    assert verdicts(alphas, "copy") == {UNDECIDED}
    assert "STREAM triad 116" in headline(known.result.document)


def test_loops_that_agree_if_they_read_are_not_said_to_read_nothing() -> None:
    # Two Cascade Lake, PGI's OpenACC: 71.2, 59.3, 67.5, 68.5, dot 80.0; all read.
    (found,) = of_case("c53")
    assert verdicts(alphas_of(found)) == {UNDECIDED}
    readings = readings_of(found)
    assert (readings.full.spread, readings.none.spread) == pytest.approx((0.026, 0.154), abs=0.001)
    full = sum(readings.best.alphas[name] for name in ("scale", "add", "triad"))
    assert full == 3


def test_equal_rates_do_not_show_that_no_line_is_read() -> None:
    # KNL, PGI's OpenACC: 303.8, 304.7, 302.5, 305.2, dot 330.4; all read (x 1.5 = 457), and the
    # cores hold dot back.
    (found,) = of_case("c57")
    assert verdicts(alphas_of(found)) == {UNDECIDED}
    readings = readings_of(found)
    assert max(readings.full.gbps.values()) == pytest.approx(457.1, abs=0.1)
    assert readings.best.probability < 0.9


def test_a_sum_that_known_traffic_exceeds_is_no_limit() -> None:
    # TheBandwidthBenchmark's README: sum 20.6, update 28.1, daxpy 26.7, sdaxpy 26.7.
    (whole,) = of_case("c41b")
    alphas = alphas_of(whole)
    assert verdicts(alphas, "init", "copy", "triad", "striad") == {("full", "inferred")}
    readings = {"init": 29.4, "copy": 28.2, "triad": 25.7, "striad": 26.5}
    crossed = {each.kernel: each for each in whole.result.document.kernels}
    for name, gbps in readings.items():
        low, high = crossed[name].hardware_low_gbps, crossed[name].hardware_high_gbps
        assert low is not None and high is not None and low < gbps < high
    (three,) = of_case("c41")
    assert verdicts(alphas_of(three)) == {UNDECIDED}


@pytest.mark.parametrize("peak", [None, 409.6])
def test_arrays_that_caches_may_hold_have_no_verdict(peak: float | None) -> None:
    # ARCHER2: two EPYC 7742 with 512 MiB of caches; copy's arrays have 512 MiB together.
    (found,) = of_case("c42", UserFacts(peak_gbps=peak))
    assert verdicts(alphas_of(found)) == {UNDECIDED}
    assert codes(found) == {"below-4x-rule" if peak is None else "above-peak", "unproved"}
    assert "Memory bandwidth" not in headline(found.result.document)


def test_a_compiler_that_made_copy_a_call_is_found() -> None:
    *_, aocc = of_case("c01", every=True)
    alphas = alphas_of(aocc)
    assert verdicts(alphas, "copy") == {("none", "inferred")}
    assert verdicts(alphas, "scale", "add", "triad") == {("full", "inferred")}
    crossed = {each.kernel: each.hardware_gbps for each in aocc.result.document.kernels}
    assert crossed["triad"] == pytest.approx(150.9, abs=0.1)


def test_eight_mebibytes_are_no_memory() -> None:
    for found in of_case("c22"):
        assert verdicts(alphas_of(found)) == {UNDECIDED}
        assert "below-4x-rule" in codes(found)
        assert "Memory bandwidth" not in headline(found.result.document)


def test_a_check_of_one_kernel_that_is_too_strict_leaves_the_others_their_rates() -> None:
    (found,) = of_case("c30")
    assert verdicts(alphas_of(found)) == {UNDECIDED}
    assert codes(found) == {"invalid", "unproved", "uneven-kernels"}  # a GPU: no two readings

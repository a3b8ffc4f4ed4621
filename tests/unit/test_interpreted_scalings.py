"""Tables of another benchmark with several numbers of threads are a scaling, and never mixed."""

from __future__ import annotations

import pytest
from foreign_outputs import (
    BABELSTREAM,
    STREAM,
    STREAM_28,
    STREAM_56,
    STREAM_FORTRAN,
    STREAM_HEADER,
    STREAM_MPI,
    STREAM_ROWS,
    THE_BANDWIDTH_BENCHMARK,
    at_rates,
    likwid_block,
)
from programs import REPOSITORY

from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.formats import parse_output
from streamgage.interop.settings import describe
from streamgage.results.interpreted import InterpretedResult, interpreted
from streamgage.results.kinds import words_of
from streamgage.results.scale.document import Scale, ScalePoint


def results_of(text: str, given: UserFacts = UserFacts()) -> list[InterpretedResult]:  # noqa: B008 - frozen
    return interpreted(parse_output(text).tables, given)


def scale_of(text: str, given: UserFacts = UserFacts()) -> Scale:  # noqa: B008 - frozen
    (found,) = results_of(text, given)
    assert isinstance(found.result.document, Scale)
    return found.result.document


def points_of(scale: Scale, kernel: str) -> list[ScalePoint]:
    (points,) = [each.points for each in scale.curves if each.kernel == kernel]
    return points


def with_threads(number: int, factor: float, text: str = STREAM) -> str:
    """STREAM with so many threads, and all rates times ``factor``."""
    return at_rates(text.replace("= 96", f"= {number}"), factor)


def test_two_runs_that_were_published_are_two_points() -> None:
    scale = scale_of(STREAM_56 + STREAM_28)
    assert (scale.counts, scale.workers, scale.rounds, scale.seed) == ([28, 56], "threads", 1, None)
    one, other = points_of(scale, "triad")
    assert (one.n, one.gbps.value) == (28, pytest.approx(20.6879))
    assert (other.n, other.gbps.value) == (56, pytest.approx(34.944))
    assert one.gbps.low is None and one.speedup is None
    assert scale.reported is not None
    assert (scale.reported.tool, scale.reported.version) == ("STREAM", "5.10")
    assert (scale.array_bytes, scale.machine) == (80_000_000, None)


def test_one_run_of_each_is_trusted_with_care_and_decides_nothing() -> None:
    scale = scale_of(with_threads(1, 0.1) + with_threads(2, 0.19) + with_threads(4, 0.2))
    assert [curve.saturated for curve in scale.curves] == [None] * 4
    assert {curve.open_because for curve in scale.curves} == {"few-samples"}
    words = words_of(scale)
    assert words.trust.verdict == "with-care"
    assert {"not-converged", "unproved"} <= {each.code for each in words.findings}


def test_speedups_are_over_one_thread() -> None:
    scale = scale_of(with_threads(1, 0.1) + with_threads(4, 0.37))
    _, four = points_of(scale, "copy")
    assert four.speedup is not None and four.efficiency is not None
    assert four.speedup.value == pytest.approx(3.7, rel=1e-3)
    assert four.efficiency.value == pytest.approx(3.7 / 4, rel=1e-3)


def test_repeated_runs_have_a_median_and_a_spread() -> None:
    runs = [(1, 0.10), (1, 0.11), (1, 0.12), (4, 0.30), (4, 0.33), (4, 0.40)]
    scale = scale_of("".join(with_threads(n, factor) for n, factor in runs))
    one, four = points_of(scale, "copy")
    assert (scale.rounds, one.rounds, four.rounds) == (3, 3, 3)
    assert four.gbps.value == pytest.approx(0.33 * 685.0418, rel=1e-5)
    assert (four.gbps.low, four.gbps.high) == pytest.approx(
        (0.30 * 685.0418, 0.40 * 685.0418), rel=1e-5
    )
    assert all("only 1 run" not in (each.reason or "") for each in words_of(scale).findings)


def test_runs_of_two_points_are_not_taken_as_pairs() -> None:
    # In pairs, 0.20/0.10 and 0.10/0.20 would come to anything between 0.5 and 2 by their order.
    scale = scale_of("".join(with_threads(n, f) for n, f in ((1, 0.1), (1, 0.2), (2, 0.2))))
    _, two = points_of(scale, "copy")
    assert two.speedup is not None
    assert two.speedup.value == pytest.approx(0.2 / 0.15, rel=1e-3)
    assert two.speedup.low is None  # one run with 2 threads does not show its noise


def test_clear_repetitions_are_judged_as_those_of_scale() -> None:
    text = "".join(
        with_threads(n, factor * (1 + 0.001 * again))
        for n, factor in ((1, 0.1), (2, 0.2), (4, 0.4), (8, 0.8))
        for again in range(3)
    )
    scale = scale_of(text)
    assert [curve.saturated for curve in scale.curves] == [False] * 4
    assert "not-saturated" in {each.code for each in words_of(scale).findings}


def test_other_array_sizes_are_other_results() -> None:
    other = STREAM_28 + STREAM_56
    found = results_of(with_threads(1, 0.1) + STREAM + other)
    assert [type(each.result.document) is Scale for each in found] == [True, True]
    assert [
        each.result.document.array_bytes
        for each in found
        if isinstance(each.result.document, Scale)
    ] == [
        *(430080000 * 8, 80_000_000),
    ]


def test_other_element_types_are_other_scalings() -> None:
    single = [with_threads(n, 0.1 * n).replace("uses 8 bytes", "uses 4 bytes") for n in (1, 2)]
    double = [with_threads(n, 0.1 * n) for n in (1, 2)]
    assert len(results_of("".join(single + double))) == 2


def test_sizes_that_programs_round_are_the_same() -> None:
    near = THE_BANDWIDTH_BENCHMARK.replace("with 4 threads", "with 2 threads")
    scale = scale_of(THE_BANDWIDTH_BENCHMARK + near.replace("1280.00", "1282.00"))
    assert scale.counts == [2, 4]
    assert [each.kernel for each in scale.curves][:2] == ["init", "sum"]


@pytest.mark.parametrize(
    "other",
    [
        THE_BANDWIDTH_BENCHMARK,
        BABELSTREAM,
        STREAM_FORTRAN,
        STREAM_MPI,
        STREAM.replace("5.10", "5.9"),
        likwid_block("copy_avx512", 27137.6, loads=1, stores=1),
    ],
)
def test_other_programs_are_other_results(other: str) -> None:
    found = results_of(STREAM + other)
    assert [each.result.records is not None for each in found] == [True, True]
    assert all(len(each.setting.tables) == 1 for each in found)
    assert len({describe(each.setting) for each in found}) == 2


def test_an_unknown_number_of_threads_is_another_result() -> None:
    one, other = results_of(STREAM + STREAM_HEADER + STREAM_ROWS)
    assert (one.setting.counts, other.setting.counts) == ([96], [])


def test_ranks_are_the_workers_of_a_run_by_mpi() -> None:
    half = STREAM_MPI.replace("across 16 MPI", "across 8 MPI")
    scale = scale_of(STREAM_MPI + half)
    assert (scale.workers, scale.threads_per_worker, scale.counts) == ("ranks", 2, [8, 16])


def test_likwid_bench_over_threads_is_a_scaling() -> None:
    text = "".join(
        likwid_block(test, 20000.0 * n, loads=loads, stores=stores, threads=n)
        for test, loads, stores in (("load_avx", 1, 0), ("copy_mem_avx", 1, 1))
        for n in (1, 2, 4)
    )
    scale = scale_of(text)
    assert [(each.kernel, each.store) for each in scale.curves] == [
        *(("load", "regular"), ("copy", "streaming")),
    ]


def test_what_likwid_bench_printed_here_is_a_scaling() -> None:
    # likwid-bench 5.2.2 as Debian 12 has it, `-t load -W N:64MB:1 -i 10` and `:2`, in a guest with
    # two CPUs that had much else to do: real output, and no figures to quote.
    texts = [
        (REPOSITORY / "tests" / "data" / "likwid-bench" / f"load-{n}.txt").read_text("utf-8")
        for n in (1, 2)
    ]
    scale = scale_of("".join(texts))
    assert (scale.counts, scale.array_bytes) == ([1, 2], 64_000_000)
    printed = [float(text.partition("MByte/s:")[2].split()[0]) / 1000 for text in texts]
    assert [each.gbps.value for each in points_of(scale, "load")] == pytest.approx(printed)


def test_two_tests_of_likwid_bench_for_one_kernel_are_not_one_curve() -> None:
    text = "".join(
        likwid_block(test, 20000.0 * n, loads=1, stores=0, threads=n)
        for test in ("load_avx", "load_sse")
        for n in (1, 2)
    )
    assert [type(each.result.document) for each in results_of(text)] == [Scale, Scale]


def test_a_run_whose_check_failed_is_in_no_point() -> None:
    bad = with_threads(2, 0.2).replace("Solution Validates", "Failed Validation on array a[]")
    scale = scale_of(with_threads(1, 0.1) + bad + with_threads(4, 0.4))
    assert [point.n for point in points_of(scale, "copy")] == [1, 4]
    assert [each.failure for each in scale.runs if each.n == 2] == [
        "Its own check of the results failed."
    ]


def test_arrays_below_the_rule_are_found_with_the_caches_of_the_user() -> None:
    given = UserFacts(last_level_cache_bytes=1 << 30)
    found = words_of(scale_of(STREAM_56 + STREAM_28, given)).findings
    assert "below-4x-rule" in {each.code for each in found}

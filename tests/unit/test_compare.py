"""What a comparison says: what differs, which figures are paired, and the verdicts."""

from __future__ import annotations

import pytest
from example_compilers import compared as compilations_of
from example_ladder import ladder_of
from example_ladder import machine_of as ladder_machine
from example_latency import latencies_of
from example_machines import machine as other_machine
from example_numa import machine_of as matrix_machine
from example_numa import matrix_of
from example_records import MACHINE, MIB, as_lines, place, placement, tuned_records
from example_scale import machine_of as scaling_machine
from example_scale import scaling_of
from example_sides import document_result, group, run_result, stream_result
from example_study import study_of
from example_traffic import watched
from foreign_outputs import ALL, LIKWID_BENCH
from msgspec.structs import replace

from streamgage.comparison.compare.document import Comparison
from streamgage.comparison.compare.ratio import Ratio
from streamgage.comparison.compare.sides import compare
from streamgage.comparison.compare.verdicts import verdict_of
from streamgage.errors import UsageError
from streamgage.results.document import Document
from streamgage.results.kinds import result_of
from streamgage.store.load import load_content


def ratios(answer: Comparison, side: int = 0) -> dict[str, float | None]:
    return {each.name: each.ratios[side].value for each in answer.figures}


def verdicts(answer: Comparison) -> dict[str, str | None]:
    return {each.name: each.ratios[0].verdict for each in answer.figures}


def differing(answer: Comparison) -> dict[str, list[str | None]]:
    return {each.what: each.values for each in answer.differences}


def remarks(answer: Comparison) -> str:
    return " ".join(answer.remarks)


def test_known_ratios_are_found_again() -> None:
    answer = compare([[run_result(20.0)], [run_result(25.0, seed=2)], [run_result(10.0, seed=3)]])
    assert ratios(answer) == pytest.approx({"copy plain": 1.25, "triad plain": 1.25}, rel=0.01)
    assert ratios(answer, 1) == pytest.approx({"copy plain": 0.5, "triad plain": 0.5}, rel=0.01)
    assert set(verdicts(answer).values()) == {"faster"}
    faster, slower = answer.sentences
    assert faster.startswith("B (a.jsonl) against A (a.jsonl): faster in 2 of 2 figures, by 25 %")
    assert "slower in 2 of 2 figures, by 50 %" in slower


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.97, 1.0309, "same"),
        (1.005, 1.02, "same"),
        (0.9699, 1.02, "too noisy to say"),
        (0.99, 1.0310, "too noisy to say"),
        (1.0001, 1.04, "faster"),
        (0.96, 0.9999, "slower"),
        (0.96, 1.0, "too noisy to say"),
        (None, None, "too noisy to say"),
    ],
)
def test_a_verdict_is_of_the_whole_interval(
    low: float | None, high: float | None, verdict: str
) -> None:
    assert verdict_of(Ratio(1.0, low, high), 0.03) == verdict
    if low and high:  # the other way about
        swapped = {"faster": "slower", "slower": "faster"}.get(verdict, verdict)
        assert verdict_of(Ratio(1.0, 1 / high, 1 / low), 0.03) == swapped


def test_the_same_result_twice_is_the_same_whatever_its_noise() -> None:
    noisy = run_result(noise=0.2)
    answer = compare([[noisy], [noisy]])
    assert set(verdicts(answer).values()) == {"same"}
    assert answer.differences == []
    assert answer.sentences == [
        "B (a.jsonl) is the same as A (a.jsonl) within 3 % in both figures: the ratio is 1.000."
    ]


def test_noise_that_hides_a_difference_is_told() -> None:
    answer = compare([[run_result(noise=0.1)], [run_result(noise=0.1, seed=5)]])
    assert set(verdicts(answer).values()) == {"no conclusion"}  # such runs are not quotable
    assert answer.sentences[0].startswith("No conclusion: ")
    assert "the intervals include 1 and reach more than 3 % away from it" in answer.sentences[-1]


def test_a_difference_of_like_set_ups_may_be_that_of_two_runs() -> None:
    answer = compare([[run_result(20.0)], [run_result(22.0, seed=2)]])
    assert answer.differences == []
    assert "This may be ordinary run-to-run variation" in answer.sentences[0]
    assert "not the noise between runs" in remarks(answer)


def test_what_differs_is_listed_by_weight() -> None:
    elsewhere = replace(MACHINE, host="node8", kernel="Linux 6.12.0", huge_pages="always")
    answer = compare(
        [
            [run_result()],
            [run_result(seed=2, machine=elsewhere, places=placement(place(0)), array=32 * MIB)],
        ]
    )
    assert differing(answer) == {
        "host": ["node7", "node8"],
        "threads": ["2 threads", "1 thread"],
        "cores in use": ["2 cores", "1 core"],
        "CPUs": ["0-1", "0"],
        "size of each array": ["64 MiB", "32 MiB"],
        "huge pages (system's setting)": ["madvise", "always"],
        "operating system": ["Linux 6.1.0", "Linux 6.12.0"],
    }
    assert next(iter(differing(answer))) == "host"
    assert list(differing(answer))[-1] == "operating system"
    assert (
        "although settings differ (host, threads, cores in use and 4 more)" in answer.sentences[0]
    )


def test_another_processor_is_another_machine() -> None:
    answer = compare(
        [[run_result()], [run_result(seed=2, machine=other_machine(processor="AMD EPYC 7451"))]]
    )
    assert "processor" in list(differing(answer))[:3]


def test_threads_that_are_not_bound_are_told() -> None:
    free = placement(place(0, mask="0-1"), place(1, mask="0-1"), kind="none", bound=False)
    answer = compare([[run_result()], [run_result(seed=2, places=free)]])
    assert differing(answer)["binding"] == ["bound", "not bound"]


def test_another_mpi_library_is_named() -> None:
    sides = [
        [run_result(seed=seed, places=replace(placement(place(0), place(1)), mpi=mpi))]
        for seed, mpi in enumerate(["Open MPI v4.1.4 (libmpi.so.40)", "MPICH Version: 4.0.2"])
    ]
    assert differing(compare(sides)) == {
        "MPI library": ["Open MPI v4.1.4 (libmpi.so.40)", "MPICH Version: 4.0.2"]
    }


def test_runs_of_one_side_are_pooled_over_their_medians() -> None:
    """Runs differ by 10 %, far more than their samples: the interval holds that."""
    rates = [20.0, 22.0, 19.0, 21.0, 20.5, 21.5]
    single = compare([[run_result(20.0)], [run_result(22.0, seed=2)]])
    pooled = compare([group(rates), group(rates[::-1])])
    assert set(verdicts(single).values()) == {"faster"}
    assert set(verdicts(pooled).values()) == {"too noisy to say"}
    triad = pooled.figures[1]
    assert triad.figures[0] is not None
    assert (triad.figures[0].n, triad.figures[0].of) == (6, "runs")
    assert triad.figures[0].value == pytest.approx(20.75, rel=0.005)
    assert "not the noise between runs" not in remarks(pooled)
    few = compare([group(rates[:3]), group(rates[3:])])
    assert "its bounds are a range" in remarks(few)


def test_a_group_of_unlike_runs_is_told() -> None:
    mixed = [run_result(), run_result(seed=2, places=placement(place(0)))]
    answer = compare([mixed, [run_result(seed=3)]])
    assert "The results of A differ from each other in threads, cores in use and CPUs" in remarks(
        answer
    )


def test_latencies_are_better_where_they_are_lower() -> None:
    slow, quick = latencies_of(), latencies_of()
    halved = replace(
        quick,
        idle=[_halved(each) for each in quick.idle],
        steps=[_halved(each) for each in quick.steps],
        loaded=[],
    )
    answer = compare([[document_result(slow)], [document_result(halved, "b.json")]])
    memory = next(each for each in answer.figures if each.name == "idle latency of memory")
    assert memory.lower_is_better
    assert memory.unit == "ns"
    assert memory.ratios[0].value == pytest.approx(2)
    assert memory.ratios[0].verdict == "faster"
    assert "Lower latencies and times are better" in remarks(answer)
    assert {name for each in answer.unpaired for name in each.sides} == {"A"}


def _halved(each):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - points and steps
    bounds = each.seconds
    half = {
        name: None if getattr(bounds, name) is None else getattr(bounds, name) / 2
        for name in ("value", "low", "high")
    }
    return replace(each, seconds=replace(bounds, **half))


DOCUMENTS: dict[str, tuple[Document, str]] = {
    "ladder": (ladder_of(ladder_machine()), "triad regular, sequential, L2"),
    "scaling": (scaling_of(scaling_machine()), "triad plain, compact, 4 threads"),
    "latency": (latencies_of(), "latency of memory under full load, reads"),
    "matrix": (matrix_of(matrix_machine(2)), "triad, node 0 to node 1"),
    "study": (study_of(lambda n: 100 / n), "triad plain, 4 ranks"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_kind_of_result_is_compared_with_itself(name: str) -> None:
    document, figure = DOCUMENTS[name]
    result = document_result(document)
    answer = compare([[result], [result]])
    assert figure in verdicts(answer)
    assert set(verdicts(answer).values()) == {"same"}
    assert answer.differences == []
    assert answer.unpaired == []


def test_memory_traffic_has_no_figure_to_compare() -> None:
    seen = watched(scaling_machine(), latencies_of())
    other = replace(seen, label="another")
    answer = compare([[document_result(seen)], [document_result(other, "b.json")]])
    assert answer.figures == []
    assert answer.sentences == [
        "B (another [b.json]) has no figure that can be compared with A (a.json): more traffic is"
        " neither better nor worse. Look at each by `streamgage show`."
    ]


def test_compilers_are_compared() -> None:
    answer = compare([[document_result(compilations_of())], [document_result(compilations_of())]])
    assert answer.figures
    assert all(", " in each.name for each in answer.figures)


def test_the_output_of_stream_stands_beside_our_best() -> None:
    ours = run_result()
    answer = compare([[ours], [stream_result()]])
    assert list(verdicts(answer)) == ["copy plain, best", "triad plain, best"]
    assert set(verdicts(answer).values()) == {"too noisy to say"}
    triad = answer.figures[1]
    assert triad.statistic == "best"
    assert ours.records is not None
    best = next(each for each in ours.document.kernels if each.kernel == "triad").best_gbps
    assert best is not None
    assert triad.figures[0] is not None
    assert triad.figures[0].value == pytest.approx(best)
    assert triad.ratios[0].value == pytest.approx(718.7991 / best)
    assert "its noise is unknown" in (triad.ratios[0].reason or "")
    assert [each.name for each in answer.unpaired] == ["scale plain", "add plain"]
    assert differing(answer)["measured by"] == ["streamgage", "STREAM 5.10 (C)"]
    assert differing(answer)["threads"] == ["2 threads", "96 threads"]
    (untold,) = answer.untold
    assert untold.side == "B"
    assert {"host", "binding", "CPUs"} <= set(untold.what)
    assert "A best rate has no interval" in remarks(answer)


def test_another_benchmark_beside_our_runs_leaves_them_their_medians() -> None:
    answer = compare([[run_result()], [run_result(25.0, seed=2)], [stream_result()]])
    assert [(each.name, each.statistic) for each in answer.figures] == [
        ("copy plain", "median"),
        ("triad plain", "median"),
        ("copy plain, best", "best"),
        ("triad plain, best", "best"),
    ]
    median, best = answer.figures[1], answer.figures[3]
    assert [each is None for each in median.figures] == [False, False, True]
    assert [each is None for each in best.figures] == [False, True, False]
    assert median.ratios[0].verdict == "faster"
    assert best.ratios[1].verdict == "too noisy to say"


def test_several_runs_of_stream_have_an_interval_beside_several_of_ours() -> None:
    answer = compare([group([20.0, 20.1, 19.9, 20.0]), [stream_result(tables=8)]])
    triad = answer.figures[1].ratios[0]
    assert triad.verdict == "faster"
    assert triad.low is not None
    assert "A best rate has no interval" not in remarks(answer)


@pytest.mark.parametrize("name", ALL)
def test_every_other_benchmark_is_compared_with_itself_and_with_ours(name: str) -> None:
    other = load_content(ALL[name].encode(), name, name, print)
    answer = compare([[other], [other]])
    assert set(verdicts(answer).values()) == {"same"}
    beside = compare([[run_result()], [other]])
    assert all(each.statistic in ("best", "median") for each in beside.figures)


def test_stores_that_are_told_are_never_compared_with_others() -> None:
    other = load_content(LIKWID_BENCH.encode(), "likwid.txt", "likwid.txt", print)
    answer = compare([[run_result()], [other]])
    assert answer.figures == []
    assert "has no figure that can be compared" in answer.sentences[0]


def test_a_tuned_figure_is_never_compared_with_a_standard_one() -> None:
    tuned = load_content(as_lines(tuned_records()), "t.jsonl", "t.jsonl", print)
    answer = compare([[tuned], [run_result()]])
    assert list(verdicts(answer)) == ["copy plain", "triad plain"]
    assert "sum regular tuned" in {each.name for each in answer.unpaired}
    assert "sum regular tuned" in verdicts(compare([[tuned], [tuned]]))


def test_a_document_without_samples_stands_for_its_run() -> None:
    run = run_result(25.0, seed=2)
    with_samples = compare([[run_result()], [run]])
    without = compare([[run_result()], [result_of(run.document, "b.json")]])
    assert ratios(without) == pytest.approx(ratios(with_samples), rel=1e-9)
    assert set(verdicts(without).values()) == {"faster"}
    assert "CPUs" in without.untold[0].what


def test_wrong_results_are_told_and_not_compared() -> None:
    answer = compare([[run_result()], [run_result(seed=2, valid=False)]])
    assert ratios(answer) == {"copy plain": None, "triad plain": None}
    assert answer.figures[0].ratios[0].reason == "its results were wrong on B"
    assert "B has wrong results" in remarks(answer)


def test_a_run_that_was_cut_off_is_told() -> None:
    answer = compare([[run_result()], [run_result(seed=2, whole=False)]])
    assert "B (a.jsonl) is not complete: Its records stop early" in remarks(answer)


@pytest.mark.parametrize(
    ("gbps", "passed", "words"),
    [
        (20.0, True, "Passed: Both ratios are at least 0.97"),
        (19.0, False, "the whole interval is below"),
        (19.45, False, "It may reach the limit within noise"),
    ],
)
def test_acceptance_says_whether_noise_may_be_the_reason(
    gbps: float, passed: bool, words: str
) -> None:
    noise = 0.02 if "noise" in words else 0.002
    sides = [[run_result(noise=noise)], [run_result(gbps * 0.99, seed=4, noise=noise)]]
    if passed:
        sides[1] = [run_result(gbps, seed=4, noise=noise)]
    accepted = compare(sides, fail_below=0.97).acceptance
    assert accepted is not None
    assert accepted.passed is passed
    assert words in accepted.text


def test_acceptance_cannot_be_decided_on_half_a_run_or_wrong_results_or_nothing() -> None:
    base = run_result()
    cut, wrong = run_result(seed=2, whole=False), run_result(seed=2, valid=False)
    other = load_content(LIKWID_BENCH.encode(), "likwid.txt", "likwid.txt", print)
    for side, words in (
        (cut, "is not complete"),
        (wrong, "has wrong results"),
        (other, "no figure of"),
    ):
        accepted = compare([[base], [side]], fail_below=0.97).acceptance
        assert accepted is not None
        assert accepted.passed is None
        assert words in accepted.text


def test_chosen_kernels_alone_are_compared_and_accepted() -> None:
    sides = [[run_result()], [stream_result()]]
    answer = compare(sides, kernels=["triad"])
    assert list(verdicts(answer)) == ["triad plain, best"]
    assert answer.unpaired == []
    accepted = compare(sides, kernels=["triad", "add"], fail_below=0.5).acceptance
    assert accepted is not None
    assert accepted.passed is None
    assert "no figure of add of B" in accepted.text
    with pytest.raises(UsageError, match="no result has a figure of dot: use copy, triad, scale"):
        compare(sides, kernels=["dot"])


def test_unlike_kinds_are_refused() -> None:
    ladder = document_result(DOCUMENTS["ladder"][0], "l.json")
    with pytest.raises(
        UsageError, match=r"l\.json is a result of `streamgage ladder` and a\.jsonl"
    ):
        compare([[ladder], [run_result()]])
    with pytest.raises(UsageError, match="too little to compare"):
        compare([[ladder]])

"""Outputs that people posted, with the right answer of each as values (``tests/data/cases/c*``)."""

from __future__ import annotations

import re

import pytest
from test_cases import case, gbps, kernels, only, results, text_of

from streamgage.analysis.finding import Finding
from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.results.interpreted import InterpretedResult, interpreted
from streamgage.results.latency.document import Latency
from streamgage.results.measure.screen import headline


def found_in(result: InterpretedResult) -> dict[str, Finding]:
    return {each.code: each for each in result.result.words.findings}


def test_tables_of_two_compilers_with_prose_between_are_two_results() -> None:
    gcc, aocc = results("c01")
    assert gcc.rates == pytest.approx(
        {"copy": 103.5666, "scale": 103.4046, "add": 112.9794, "triad": 113.1435}
    )
    assert aocc.rates["copy"] == pytest.approx(163.5851)
    # The row of line 7 has its own figures: rate x time / 16 bytes are 10^9 elements.
    assert [each.place(sources=False) for each in (gcc, aocc)] == [
        "The result is (line 7)",
        "line 16",
    ]
    sizes = [each.settings[0].tables[0].array_bytes for each in (gcc, aocc)]
    assert sizes == pytest.approx([8e9, 80e9], rel=1e-3)


@pytest.mark.parametrize(
    "between",
    [
        "$ make CC=icc\n",
        "and now with huge pages:\n",
        "$ numactl --membind=1 ./stream\n",
        "## clang 19\n",
    ],
)
def test_other_text_between_parts_two_sizes(between: str) -> None:
    tables = re.split(r"(?=Function )", text_of("c01"))[1:]
    own = "\n".join(tables[0].splitlines()[:5])
    joined = interpreted(parse_output(f"{own}\n{tables[1]}").tables, UserFacts())
    apart = interpreted(parse_output(f"{own}\n{between}{tables[1]}").tables, UserFacts())
    assert [len(each.settings) for each in joined] == [2, 1]
    assert [len(each.settings) for each in apart] == [1, 1]


@pytest.mark.parametrize(
    "line", ["$ OMP_NUM_THREADS={} ./stream\n", "== {} threads ==\n", "Mon Nov {} 10:00:00 2026\n"]
)
def test_the_same_line_with_another_number_before_each_joins_them(line: str) -> None:
    tables = re.split(r"(?=Function )", text_of("c01"))[1:]
    own = "\n".join(tables[0].splitlines()[:5])
    text = f"{line.format(1)}{own}\n{line.format(2)}{tables[1]}"
    assert len(interpreted(parse_output(text).tables, UserFacts())[0].settings) == 2


def test_one_tick_of_the_clock_is_no_disturbed_run() -> None:
    first, *_ = results("c19")
    found = found_in(first)
    # 412.3 GB/s x 1 us / 16 bytes: 206 kB an array, and at most 309 kB.
    assert first.settings[0].tables[0].array_bytes == pytest.approx(206e3, rel=0.01)
    assert {"coarse-clock", "below-4x-rule"} <= found.keys()
    assert "known to 50 % at best" in found["coarse-clock"].text
    assert not {"unsteady-table", "uneven-kernels"} & found.keys()
    assert headline(first.result.document).startswith("Bandwidth of arrays of 201 KiB: ")


def test_a_mean_of_twice_the_best_is_a_disturbed_run_where_the_clock_can_show_it() -> None:
    # The same table with times a thousand times as long, so of a thousand ticks.
    text = re.sub(r"0\.00000([0-9])\b", r"0.00\g<1>000", text_of("c19").partition("1. **")[0])
    (result,) = interpreted(parse_output(text).tables, UserFacts())
    assert "unsteady-table" in found_in(result)
    assert "coarse-clock" not in found_in(result)


def test_arrays_of_any_server_cache_are_not_the_memory() -> None:
    upcloud, *_, digitalocean = results("c22")
    assert upcloud.rates["copy"] == pytest.approx(2 * 9877.763 * 2**20 / 1e9)
    assert digitalocean.rates["copy"] == pytest.approx(2 * 8683.382 * 2**20 / 1e9)
    assert headline(upcloud.result.document) == "Bandwidth of arrays of 8 MiB: 20.7 GB/s (copy)"
    assert "below-4x-rule" in found_in(upcloud)


def test_methods_of_one_run_that_do_the_same_work_are_held_against_each_other() -> None:
    found = [found_in(each).get("uneven-kernels") for each in results("c22")]
    # UpCloud: 9878 to 13682 MiB/s, 39 %; DigitalOcean: 3896 to 8683 MiB/s, 123 %.
    assert [each is not None for each in found] == [False] * 3 + [True] * 3
    assert found[3] is not None and "differ by 123 %" in found[3].reason


def test_a_time_of_mbw_that_contradicts_its_rate_is_named() -> None:
    text = text_of("c22").replace("Elapsed: 0.00205", "Elapsed: 0.00405")
    wrong = [each for each in parse_output(text).tables if each.corrections]
    assert [each.rows[0].code for each in wrong] == ["memcpy"]
    assert "0.00405 s at that rate are 15.78 MiB" in wrong[0].corrections[0]


def test_latencies_with_comments_behind_the_rows() -> None:
    (chart,) = case("c24").charts
    (result,) = interpreted((), UserFacts(), [chart])
    document = result.result.document
    assert isinstance(document, Latency)
    (curve,) = document.loaded
    assert len(curve.points) == 15
    assert curve.best_gbps == pytest.approx(49.8346)
    assert curve.unloaded_seconds == pytest.approx(213.49e-9)
    # Twice 213 ns lies between 40.5 GB/s (275 ns) and 49.8 GB/s (749 ns).
    assert curve.onset_gbps is not None and 40.5 < curve.onset_gbps < 49.9
    assert curve.disorder is None


def test_a_curve_whose_latencies_fall_with_the_load_has_no_knee() -> None:
    text = text_of("c24").replace("00500  234.71", "00500  448.00")
    text = text.replace("00400  274.90", "00400  260.00")
    (result,) = interpreted((), UserFacts(), parse_output(text).charts)
    (curve,) = result.result.document.loaded
    assert curve.onset_gbps is None
    assert curve.disorder == pytest.approx(448 / 260 - 1)
    assert "disturbed-curve" in found_in(result)
    assert "no knee" in " ".join(result.result.words.sentences)


def test_the_size_of_a_block_is_that_of_an_operation() -> None:
    # 90946.56 MiB in 93129278 operations are 1024 bytes each: a block in the first cache.
    first, *_ = results("c27")
    assert [each.settings[0].tables[0].array_bytes for each in results("c27")] == [1024] * 3
    assert {each.settings[0].tables[0].threads for each in results("c27")} == {4}
    assert headline(first.result.document) == "Bandwidth of arrays of 1 KiB: 9.53 GB/s (init)"


def test_a_block_that_contradicts_its_operations_is_named() -> None:
    text = text_of("s03")
    (table,) = parse_output(text).tables
    assert table.corrections == ()
    shown = re.sub(r"(Total operations: )[0-9]+ \([^)]+\)", r"\g<1>1000", text)
    (table,) = parse_output(shown).tables
    assert "its operations moved" in table.corrections[0]


def test_a_sum_of_floats_that_is_off_by_rounding_leaves_the_other_rows_right() -> None:
    found = kernels("c30")
    assert {name: each.valid for name, each in found.items()} == {
        **dict.fromkeys(("copy", "scale", "add", "triad"), True),
        "dot": None,
    }
    (result,) = results("c30")
    (failed,) = only("c30").failures
    # 39.7911071777344 of 39.7912483215332; the root of 33554432 terms x 2^-24 is 3.5e-4.
    assert failed.error == pytest.approx(3.547e-6, rel=1e-3)
    assert failed.rounding == pytest.approx(3.45e-4, rel=1e-2)
    assert found_in(result)["invalid"].severity == "note"
    assert not result.is_wrong


def test_a_sum_that_is_off_by_more_than_rounding_is_wrong_alone() -> None:
    text = text_of("c30").replace("Sum was 39.79110", "Sum was 38.79110")
    (result,) = interpreted(parse_output(text).tables, UserFacts())
    valid = {each.kernel: each.valid for each in result.result.document.kernels}
    assert [name for name, right in valid.items() if right is False] == ["dot"]
    assert found_in(result)["invalid"].severity == "error"
    assert "dot failed: sum is 0.025 off, and 1e-08 is allowed" in found_in(result)["invalid"].text
    assert result.is_wrong


def test_an_array_that_stream_found_wrong_is_named_with_its_error() -> None:
    failed = (
        "Failed Validation on array b[], AvgRelAbsErr > epsilon (1.000000e-13)\n"
        "     Expected Value: 2.306602e+11, AvgAbsErr: 2.306602e+02, AvgRelAbsErr: 1.000000e-09\n"
        "     For array b[], 3 errors were found.\n"
    )
    text = re.sub(r"Solution Validates[^\n]*\n", failed, text_of("09"))
    (table,) = parse_output(text).tables
    (part,) = table.failures
    assert (part.what, part.kernels, part.error) == ("b[]", ["scale"], pytest.approx(1e-9))
    (result,) = interpreted([table], UserFacts())
    valid = {each.kernel: each.valid for each in result.result.document.kernels}
    assert valid == {"copy": True, "scale": False, "add": True, "triad": True}


def test_a_ratio_that_memory_cannot_have_is_not_called_the_memory_bandwidth() -> None:
    one, other = results("c43")  # of 16 and of 64 ranks, with prose between
    # Add over Copy: 137.68 / 99.01 and 396.69 / 275.65, where memory gives 9/8 at most.
    for each in (one, other):
        assert found_in(each)["uneven-kernels"].severity == "warning"
        assert headline(each.result.document).startswith("Bandwidth of arrays of 76.3 MiB: ")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("103566.6", "1e30", "line 8 (copy) has a rate of 1e+27 GB/s, which no memory has"),
        ("103566.6", "1e-30", "line 8 (copy) has a rate of 1e-33 GB/s, which no memory has"),
        ("0.154490", "1e-30", "line 8 (copy) has a time of 1e-30 s, which no run takes"),
        ("0.154490", "1e30", "line 8 (copy) has a time of 1e+30 s, which no run takes"),
    ],
)
def test_a_figure_that_no_machine_has_is_named_with_its_line(
    old: str, new: str, words: str
) -> None:
    parsed = parse_output(text_of("c01").replace(old, new))
    assert any(words in each for each in parsed.notes)
    assert "copy" not in gbps(parsed.tables[0])


def test_a_time_of_csv_that_no_clock_shows_is_no_absurd_ratio() -> None:
    text = text_of("26").replace("0.0038490", "1e-30")
    parsed = parse_output(text)
    assert "add" not in gbps(parsed.tables[0])
    assert any("which no run takes" in each for each in parsed.notes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x\nTriad: 113.1\n", "line 2 has 'Triad: 113.1' with no unit and no time next to it"),
        ("| Copy | 103.5 GB/s |\n", "with no time next to it"),
    ],
)
def test_a_figure_without_its_meaning_is_named_with_its_line(text: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_output(text)
    assert words in str(refused.value)


def test_a_time_that_is_rounded_to_nothing_makes_its_rate_meaningless() -> None:
    parsed = parse_output(text_of("c01").replace("0.154490", "0.000000"))
    assert "copy" not in gbps(parsed.tables[0])
    assert any("line 8 (copy) has a best time of 0.000000 s" in each for each in parsed.notes)

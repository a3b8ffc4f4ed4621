"""Outputs that others posted (``tests/data/cases/d*``), with what they say by arithmetic."""

from __future__ import annotations

import json

import pytest
from test_cases import case, gbps, only, results, text_of
from test_public_cases import found_in

from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import UsageError
from streamgage.interop.charts import SizeLatencies
from streamgage.interop.formats import parse_output
from streamgage.results.interpreted import interpreted
from streamgage.results.measure.document import Measure


def test_runs_that_wrote_at_the_same_time_are_all_read() -> None:
    parsed = case("d01")
    assert len(parsed.tables) == text_of("d01").count("Function ") == 5
    assert all(gbps(each).keys() == {"copy", "scale", "add", "triad"} for each in parsed.tables)
    assert {each.threads for each in parsed.tables} == {1}
    assert {each.array_bytes for each in parsed.tables} == {80_000_000}
    # The rows of two runs alternate; those of the fourth have the rule of another run inside.
    assert gbps(parsed.tables[1])["scale"] == pytest.approx(2.1039)
    assert gbps(parsed.tables[2])["scale"] == pytest.approx(2.0372)
    assert gbps(parsed.tables[3]) == pytest.approx(
        {"copy": 3.5986, "scale": 2.0707, "add": 2.2741, "triad": 2.3060}
    )
    (said,) = [each for each in parsed.notes if "at the same time" in each]
    # 2.2522 + 2.3098 + 2.2883 + 2.3060 + 2.3157
    assert "2 runs of STREAM are mixed (first at line 73)" in said
    assert "the triads of all 5 runs have 11.5 GB/s together" in said


def test_a_run_that_is_cut_off_before_a_whole_one_is_not_mixed_with_it() -> None:
    lines = text_of("d01").splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("Function"))
    whole = lines[first : first + 5]
    cut = whole[:3]
    parsed = parse_output("\n".join([*cut, "", *whole, "", *whole]))
    assert [len(each.rows) for each in parsed.tables] == [2, 4, 4]
    assert not any("mixed" in each for each in parsed.notes)


def test_rows_of_mixed_runs_have_the_unit_of_their_headers() -> None:
    tables = case("d02").tables
    assert len(tables) == 3
    # 733.6547 GiB/s x 0.00136304 s / 16 bytes are 2^26 elements.
    assert gbps(tables[1])["copy"] == pytest.approx(733.6547 * 2**30 / 1e9)
    assert {each.array_bytes for each in tables} == {536_870_000}


def test_a_gpu_is_not_judged_as_a_processor() -> None:
    (result,) = results("d02")
    found = found_in(result)
    assert "below-4x-rule" not in found
    assert "NUMA" not in found["unproved"].text and "GPU" in found["unproved"].text


def test_a_gpu_that_is_not_named_reads_nothing_that_it_overwrites() -> None:
    (result,) = results("d02")
    document = result.result.document
    assert isinstance(document, Measure)
    assert [each.alpha.verdict for each in document.kernels] == ["none"] * 4


@pytest.mark.parametrize("output", ["d02", "d06"])
def test_a_gpu_by_its_model_or_by_its_name_is_no_processor(output: str) -> None:
    assert all(each.about.on_gpu for each in case(output).tables)


def test_runs_that_shared_a_gpu_are_no_unbound_threads() -> None:
    slow = """Function      Rate (GiB/s)  Avg time(s)  Min time(s)  Max time(s)
Copy:         148.6000      0.00672945   0.00672945   0.00673000
Scale:        148.6000      0.00672945   0.00672945   0.00673000
Add:          148.6000      0.01009421   0.01009421   0.01009500
Triad:        148.6000      0.01009421   0.01009421   0.01009500
"""
    first = text_of("d02").split(" STREAM Benchmark")[0]
    tables = parse_output((first + slow) * 3 + "STREAM Benchmark implementation in CUDA\n").tables
    (result,) = interpreted(tables, UserFacts(), runs=True)
    found = found_in(result)["not-bound"]
    assert "shared a GPU" in found.reason and "core" not in found.text


def test_tinymembench_that_repeats_and_reads_is_read_whole() -> None:
    parsed = case("d03")
    (table,) = parsed.tables
    assert gbps(table) == pytest.approx({"copy": 2 * 4.6492, "init": 12.2748, "load": 8.4476})
    assert [row.code for row in table.rows] == [
        "NEON LDP/STP copy pldl1keep (32 bytes step)",
        "C fill",
        "ARM LDNP load",
    ]
    assert table.heading == "Executing benchmark on cpu0 (Cortex-A72)"
    (walk,) = parsed.charts
    assert isinstance(walk, SizeLatencies) and walk.heading != "CFLAGS"


def test_a_copy_from_the_framebuffer_is_no_copy_of_memory() -> None:
    slow = " NEON LDP/STP copy (from framebuffer)             :  99999.9 MB/s\n"
    text = text_of("d03").replace(" NEON LDP load ", f"{slow} NEON LDP load ")
    (table,) = parse_output(text).tables
    assert gbps(table)["copy"] == pytest.approx(2 * 4.6492)


def test_a_column_of_ranks_before_stream_names_the_runs() -> None:
    parsed = case("d04")
    rates = {str(each.heading): gbps(each)["triad"] for each in parsed.tables}
    # 290934.4 MB/s x 0.000825 s / 24 bytes are 10 million elements.
    assert rates == {"3": 290.9344, "2": 317.4497, "1": 321.3, "0": 315.3612}
    assert {round(each.array_bytes or 0, -6) for each in parsed.tables} == {80_000_000}


def test_figures_with_their_unit_are_read_from_a_table() -> None:
    assert gbps(only("d05")) == {"copy": 2.448, "scale": 2.372, "add": 2.491, "triad": 2.493}


def test_babelstream_of_alpaka_is_read() -> None:
    parsed = case("d06")
    (table,) = parsed.tables
    assert gbps(table) == pytest.approx(
        {"add": 77.046, "copy": 65.102, "dot": 33.015, "scale": 74.419, "triad": 77.08}
    )
    # 524288 elements of 4 bytes: 65.102 GB/s x 64.427 us / 8 bytes.
    assert (table.array_bytes, table.about.processor) == (
        1 << 21,
        "NVIDIA RTX A500 Laptop GPU",
    )
    assert table.corrections == ()
    assert "'InitKernel' is not a known kernel" in parsed.notes[0]


def test_a_list_of_kernels_is_no_table() -> None:
    with pytest.raises(UsageError, match="no table of a known benchmark"):
        parse_output("Kernels: Init, Copy, Mul, Add, Triad, Dot Kernels\n")


def test_figures_in_bold_are_figures() -> None:
    block, row = case("d07").tables
    assert gbps(block)["init"] == pytest.approx(7972.31 * 2**20 / 1e9)
    assert gbps(row)["copy"] == pytest.approx(9.8495)


@pytest.mark.parametrize(
    ("words", "kernel"),
    [("", "init"), ("--memory-oper=read ", "load"), ("--memory-oper read ", "load")],
)
def test_sysbench_reads_if_its_command_says_so(words: str, kernel: str) -> None:
    text = f"$ sysbench memory {words}run\n{text_of('d07').splitlines()[3]}\n"
    (table,) = parse_output(text).tables
    assert [row.kernel for row in table.rows] == [kernel]


def test_sysbench_that_moved_nothing_is_told_to_move_more() -> None:
    text = (
        "  block size: 2097152KiB\n  total size: 20480MiB\n"
        "Total operations: 0 (    0.00 per second)\n"
        "0.00 MiB transferred (0.00 MiB/sec)\n"
    )
    with pytest.raises(UsageError, match=r"less than one block of 2 GiB .* --memory-total-size"):
        parse_output(text)


def test_rates_that_were_taken_from_likwid_bench_have_the_test_of_the_command() -> None:
    first, second = case("d08").tables
    assert (gbps(first), gbps(second)) == ({"striad": 191.14047}, {"striad": 182.30694})
    assert {row.store for each in (first, second) for row in each.rows} == {"streaming"}


@pytest.mark.parametrize(
    ("options", "threads", "size"),
    [
        # Figures: github.com/RRZE-HPC/likwid, issue 664; the third is a public course's.
        ("-t triad_mem_avx512_fma -w S0:20GB:20-0:S0,1:S0,2:S0,3:S0", 20, 5e9),
        ("-w S0:1GB:10 -w S1:1GB:10 -t copy", 20, 1e9),
        ("-t copy -W N:500MB:1", 1, 250e6),
        ("-t copy -w S0:1GB", None, 500e6),
    ],
)
def test_the_work_groups_on_the_command_line_count_for_figures_without_their_banner(
    options: str, threads: int | None, size: float
) -> None:
    (table,) = parse_output(f"$ likwid-bench {options} | grep MByte\nMByte/s:\t\t18627.95\n").tables
    assert (table.threads, table.array_bytes) == (threads, size)


def test_flops_alone_show_that_likwid_bench_counts_an_array_once() -> None:
    table = only("d09")
    # daxpy: 8486.64 MFlop/s / 2 x 24 bytes, where 16 bytes were counted.
    assert gbps(table)["daxpy"] == pytest.approx(8486.64e6 / 2 * 24 / 1e9)
    assert "its flops give 101.8 GB/s" in table.corrections[0]


FAILED = """Function    Best Rate MB/s  Avg time     Min time     Max time
Copy:            1237.6     0.130117     0.129284     0.131027
Scale:            713.5     0.225206     0.224247     0.226409
Add:              899.6     0.267651     0.266785     0.269253
Triad:            701.6     0.343013     0.342075     0.343873
Failed Validation on array a[], AvgRelAbsErr > epsilon (1.000000e-13)
    Expected Value: 1.153301e+12, AvgAbsErr: 1.137394e+12, AvgRelAbsErr:
9.862079e-01
Failed Validation on array b[], AvgRelAbsErr > epsilon (1.000000e-13)
    Expected Value: 2.306602e+11, AvgAbsErr: 2.274872e+11, AvgRelAbsErr:
9.862438e-01
"""
THIRD = """Failed Validation on array c[], AvgRelAbsErr > epsilon (1.000000e-13)
    Expected Value: 3.075469e+11, AvgAbsErr: 3.033024e+11, AvgRelAbsErr: 9.861989e-01
"""


@pytest.mark.parametrize(("text", "others"), [(FAILED, True), (FAILED + THIRD, False)])
def test_checks_passed_only_where_there_were_others(text: str, others: bool) -> None:
    (table,) = parse_output(text).tables
    assert {each.error for each in table.failures} <= {0.9862079, 0.9862438, 0.9861989}
    (result,) = interpreted([table], UserFacts())
    said = found_in(result)["invalid"].text
    assert ("the checks of the other kernels passed" in said) is others


def test_a_summary_of_sbc_bench_has_each_kind_of_core() -> None:
    first, second = case("d10").tables
    assert gbps(first) == pytest.approx({"copy": 2 * 21.3646, "load": 27.6493, "init": 36.9283})
    assert gbps(second) == pytest.approx({"copy": 2 * 12.0852, "load": 11.9639, "init": 21.9922})
    assert [each.heading for each in (first, second)] == [
        "cpu0 (Redwood Cove)",
        "cpu12 (Crestmont)",
    ]
    assert first.section != second.section


def test_stores_of_a_gpu_have_one_reading() -> None:
    (result,) = results("d02")
    assert "two-readings" not in found_in(result)


def test_a_half_of_a_character_in_json_does_not_stop_it() -> None:
    output = (
        "Using CUDA device Tesla\ud800 K40c\n"
        "Function    MBytes/sec  Min (sec)   Max         Average\n"
        "Triad       180000.000  0.00447     0.00450     0.00448\n"
    )
    (table,) = parse_output(json.dumps({"stdout": output})).tables
    assert table.about.processor == "Tesla\ufffd K40c"


def test_alpakas_device_is_that_of_babelstream() -> None:
    # Figures: github.com/alpaka-group/alpaka, issue 1874.
    text = (
        "BabelStream\nVersion: 4.0\nImplementation: alpaka/LLAMA\nRunning kernels 100 times\n"
        "Precision: double\nArray size: 268.4 MB (=0.3 GB)\n"
        "Using alpaka device NVIDIA GeForce RTX 2060\n"
        "Function    MBytes/sec  Min (sec)   Max         Average\n"
        "Triad       304093.569  0.00265     0.00349     0.00285\n"
    )
    parsed = parse_output(text)
    assert parsed.tables[0].about.processor == "NVIDIA GeForce RTX 2060"
    assert parsed.tables[0].about.on_gpu
    assert any("ran on a GPU (NVIDIA GeForce RTX 2060)" in each for each in parsed.notes)


def test_a_misprinted_amount_of_sysbench_is_told_by_its_rate() -> None:
    # Figures: a public French course, where 49956.00 became 2149956.00.
    text = (
        "  block size: 256KiB\n  operation: write\n\n"
        "Total operations: 199824 (19977.75 per second)\n"
        "2149956.00 MiB transferred (4994.44 MiB/sec)\n"
    )
    (table,) = parse_output(text).tables
    assert table.array_bytes == 256 << 10
    assert gbps(table)["init"] == pytest.approx(4994.44 * 2**20 / 1e9)
    assert "256 KiB fit its rate, but not the 2149956.00 MiB" in table.corrections[0]


def test_the_mean_of_few_passes_is_no_best_of_few() -> None:
    line = "0\tMethod: DUMB\tElapsed: 0.09430\tMiB: 1024.00000\tCopy: 10858.500 MiB/s\n"
    (found,) = interpreted(parse_output(line).tables, UserFacts())
    document = found.result.document
    assert isinstance(document, Measure)
    assert "few-repetitions" not in {each.code for each in document.findings}

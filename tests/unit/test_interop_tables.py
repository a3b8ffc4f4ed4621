"""TheBandwidthBenchmark, BabelStream and likwid-bench."""

from __future__ import annotations

import pytest
from foreign_outputs import (
    BABELSTREAM,
    BABELSTREAM_CSV,
    JULIA_HARDWARE,
    JULIA_NOMINAL,
    LIKWID_BENCH,
    MLC,
    MLC_OLD,
    MLC_WHOLE,
    STREAM,
    THE_BANDWIDTH_BENCHMARK,
    THE_BANDWIDTH_BENCHMARK_GB,
    likwid_block,
)
from parsed_outputs import rates_of, reported_of, run_of

from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.interop.likwid_bench import read_test
from streamgage.results.measure.judge import judge_measure


def medians(text: str) -> dict[str, float]:
    """Nominal GB/s of each kernel in the answer."""
    return {
        each.kernel: each.median_gbps or 0.0
        for each in judge_measure(run_of(text)).document.kernels
    }


def test_the_bandwidth_benchmark_in_megabytes() -> None:
    rates = rates_of(THE_BANDWIDTH_BENCHMARK)
    assert list(rates) == [
        *("init", "sum", "copy", "update", "triad", "daxpy", "striad", "sdaxpy"),
    ]
    assert rates["striad"] == [pytest.approx(37.50237)]
    reported = reported_of(THE_BANDWIDTH_BENCHMARK)
    assert (reported.threads, reported.array_bytes) == (4, 320_000_000)
    assert reported.validated is True


def test_the_bandwidth_benchmark_in_gigabytes() -> None:
    assert rates_of(THE_BANDWIDTH_BENCHMARK_GB)["sdaxpy"] == [pytest.approx(41.37)]
    assert reported_of(THE_BANDWIDTH_BENCHMARK_GB).array_bytes == 960_000_000


def test_its_time_columns_follow_the_flops() -> None:
    run = run_of(THE_BANDWIDTH_BENCHMARK)
    (init,) = run.rates[0]
    assert (init.mean_seconds, init.seconds, init.worst_seconds) == (0.0148, 0.0145, 0.0165)


@pytest.mark.parametrize("text", [THE_BANDWIDTH_BENCHMARK, JULIA_NOMINAL])
def test_rates_are_nominal_where_rate_and_time_say_so(text: str) -> None:
    conventions = {rate.convention for rates in run_of(text).rates.values() for rate in rates}
    assert conventions == {"nominal"}
    assert parse_output(text).notes == ()


def test_write_allocate_that_was_multiplied_in_is_taken_out() -> None:
    # The same machine twice; nominal rates agree to 1 %, whatever was printed.
    nominal, counted = medians(JULIA_NOMINAL), medians(JULIA_HARDWARE)
    assert rates_of(JULIA_HARDWARE)["init"][0] > 1.9 * rates_of(JULIA_NOMINAL)["init"][0]
    assert counted == pytest.approx(nominal, rel=0.01)
    (note,) = parse_output(JULIA_HARDWARE).notes
    assert "already count the lines that stores read" in note


def test_coarse_times_do_not_tell_the_convention() -> None:
    coarse = JULIA_HARDWARE
    for time in ("0.0503267", "0.0710057", "0.0507101", "0.0937046", "0.0713808"):
        coarse = coarse.replace(time, "0.0     ")
    coarse = coarse.replace("0.114958", "0.0").replace("0.0930321", "0.0")
    assert {r.convention for rates in run_of(coarse).rates.values() for r in rates} == {"nominal"}


def test_babelstream_as_text() -> None:
    rates = rates_of(BABELSTREAM)
    assert list(rates) == ["copy", "scale", "add", "triad", "dot"]
    assert rates["scale"] == [pytest.approx(133.558716)]
    reported = reported_of(BABELSTREAM)
    assert (reported.version, reported.array_bytes) == ("3.4", 268_400_000)
    assert (reported.element_type, reported.validated) == ("double", None)
    assert {variant.code for variant in run_of(BABELSTREAM).variants.values()} == {"OpenMP"}


def test_babelstream_as_csv() -> None:
    assert rates_of(BABELSTREAM_CSV)["dot"] == [pytest.approx(208.431)]
    reported = reported_of(BABELSTREAM_CSV)
    assert (reported.array_bytes, reported.element_type) == (33554432 * 8, "double")
    (copy,) = run_of(BABELSTREAM_CSV).rates[0]
    assert (copy.seconds, copy.worst_seconds, copy.mean_seconds) == (0.00386, 0.0039, 0.00388)


def test_babelstream_in_single_precision() -> None:
    assert reported_of(BABELSTREAM.replace("double", "float")).element_type == "float"
    text = BABELSTREAM_CSV.replace(",33554432,8,", ",67108864,4,")
    assert (reported_of(text).element_type, reported_of(text).array_bytes) == ("float", 1 << 28)


@pytest.mark.parametrize(
    ("printed", "factor"),
    [("MiBytes/sec", 2**20 / 1e6), ("GB/s", 1000), ("GiB/s", 2**30 / 1e6), ("MB/s", 1)],
)
def test_babelstream_has_units_by_option(printed: str, factor: float) -> None:
    text = BABELSTREAM.replace("MBytes/sec", printed)
    for rate in ("139039.802", "133558.716", "158333.411", "159421.654", "208430.503"):
        text = text.replace(rate, f"{float(rate) / factor:.5f}")
    assert rates_of(text)["copy"] == [pytest.approx(139.039802)]


def test_babelstream_csv_has_units_and_separators_by_option() -> None:
    text = BABELSTREAM_CSV.replace("max_mbytes", "max_mibytes").replace(",", ";")
    for rate in ("139040", "133559", "158333", "159422", "208431"):
        text = text.replace(f";{rate};", f";{float(rate) * 1e6 / 2**20:.1f};")
    assert rates_of(text)["copy"] == [pytest.approx(139.040, rel=1e-5)]
    assert rates_of(text.replace(".", ","))["copy"] == [pytest.approx(139.040, rel=1e-5)]


def test_babelstream_of_one_kernel() -> None:
    text = """\
BabelStream
Version: 5.0
Implementation: OpenMP
Running triad 100 times
Number of elements: 33554432
Precision: double
Array size: 268.4 MB (=0.3 GB)
--------------------------------
Runtime (seconds): 0.50612
Bandwidth (GB/s):  159.113
"""
    assert rates_of(text) == {"triad": [pytest.approx(159.113)]}
    assert reported_of(text).array_bytes == 33554432 * 8
    assert rates_of(text + text) == {"triad": [pytest.approx(159.113)] * 2}
    nstream = BABELSTREAM_CSV.splitlines(keepends=True)[3] + (
        "Nstream,100,33554432,8,158333,0.00678,0.00713,0.00711\n"
    )
    assert rates_of(nstream) == {"nstream": [pytest.approx(158.333)]}


def test_dot_came_with_version_3() -> None:
    text = "".join(line for line in BABELSTREAM.splitlines(True) if not line.startswith("Dot"))
    assert "dot" not in rates_of(text.replace("Version: 3.4", "Version: 2.1"))
    assert "Rows are missing in the table at line 9 (Dot is)" in parse_output(text).notes[0]


def test_babelstream_says_when_its_check_failed() -> None:
    # performance-portability: BabelStream-large-cxl_gcc-9.3_omp.out
    text = BABELSTREAM.replace("Function", "Validation failed on sum. Error 5.37203e-08\nFunction")
    (failed,) = reported_of(text).failures
    assert (failed.what, failed.kernels, failed.error) == ("sum", ["dot"], 5.37203e-08)
    assert not failed.is_rounding  # of double


def test_a_gpu_is_told() -> None:
    (note,) = parse_output(BABELSTREAM.replace("OpenMP", "CUDA")).notes
    assert "on a GPU" in note


def test_likwid_bench_names_its_stores_and_instructions() -> None:
    run = run_of(LIKWID_BENCH)
    variants = [(v.kernel, v.store, v.isa, v.code) for v in run.variants.values()]
    assert variants == [
        ("copy", "regular", "avx512", "likwid-bench copy_avx512"),
        ("triad", "streaming", "avx512", "likwid-bench stream_mem_avx512_fma"),
    ]
    assert rates_of(LIKWID_BENCH)["copy"] == [pytest.approx(27.1376)]
    reported = reported_of(LIKWID_BENCH)
    assert (reported.threads, reported.tables) == (4, 1)
    assert reported.array_bytes == 666_666_667


def test_likwid_bench_again_and_again_is_one_variant() -> None:
    block = likwid_block("load_avx", 100000.0, loads=1, stores=0)
    again = likwid_block("load_avx", 101000.0, loads=1, stores=0)
    run = run_of(block + again)
    assert run.reported is not None
    assert (len(run.variants), run.reported.tables) == (1, 2)
    assert [rate.table for rate in run.rates[0]] == [0, 1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("copy", ("copy", "regular", "", "double")),
        ("copy_mem_sse", ("copy", "streaming", "sse", "double")),
        ("stream_sp_mem_avx512_fma", ("triad", "streaming", "avx512", "float")),
        ("triad_mem_avx_fma", ("striad", "streaming", "avx", "double")),
        ("daxpy_avx512_fma", ("daxpy", "regular", "avx512", "double")),
        ("ddot_sp_avx", ("dot", "regular", "avx", "float")),
        ("load_mem", ("load", "regular", "", "double")),
        ("clstore", ("init", "regular", "", "double")),
        ("store_mem_avx512", ("init", "streaming", "avx512", "double")),
        ("sum_sve512", ("sum", "regular", "sve512", "double")),
        ("copy_nt", ("copy", "streaming", "", "double")),
        ("triad_neon_fma", ("striad", "regular", "neon", "double")),
        ("stream_triad_vsx4", ("triad", "regular", "vsx4", "double")),
        ("schoenauer_triad_scalar4", ("striad", "regular", "", "double")),
        ("add_vsx4_mem", ("add", "streaming", "vsx4", "double")),
        ("copy16", ("copy", "regular", "", "double")),
    ],
)
def test_names_of_likwid_bench(name: str, expected: tuple[str, str, str, str]) -> None:
    test = read_test(name)
    assert test is not None
    assert (test.kernel, test.store, test.isa, test.type) == expected


@pytest.mark.parametrize(
    "name", ["peakflops_avx", "divide", "ddot_kahan_vsx4_dp", "pchase_linkedlist", "", "_", "avx"]
)
def test_tests_that_are_no_kernel_of_ours(name: str) -> None:
    assert read_test(name) is None


def test_a_test_that_is_no_kernel_is_told() -> None:
    parsed = parse_output(likwid_block("divide", 1000.0, loads=1, stores=1) + LIKWID_BENCH)
    assert parsed.notes == ("Line 4 was left out: 'divide' is not a known kernel of likwid-bench.",)


def test_a_test_that_counts_other_bytes_is_told() -> None:
    odd = likwid_block("copy_avx", 1000.0, loads=2, stores=1)
    (note,) = parse_output(odd + LIKWID_BENCH).notes
    assert "counts other bytes than its kernel moves" in note


@pytest.mark.parametrize(
    ("text", "kernel", "words"),
    [
        (THE_BANDWIDTH_BENCHMARK.replace("22111.53", "NaN"), "init", "(init) has 'NaN'"),
        (THE_BANDWIDTH_BENCHMARK.replace("22111.53", "-"), "init", "(init) has '-'"),
        (BABELSTREAM.replace("139039.802", "inf"), "copy", "(copy) has 'inf'"),
        (BABELSTREAM_CSV.replace("139040", "-1"), "copy", "(copy) has '-1'"),
        (LIKWID_BENCH.replace("27137.60", "nan"), "copy", "copy_avx512 at line 3 has 'nan'"),
        (MLC.replace("154975.19", "nan"), "mix-3:1", "not a positive number"),
    ],
)
def test_a_figure_that_is_no_number_costs_no_other(text: str, kernel: str, words: str) -> None:
    parsed = parse_output(text)
    kernels = [row.kernel for table in parsed.tables for row in table.rows]
    assert kernel not in kernels and "triad" in kernels
    assert words in parsed.notes[0]


@pytest.mark.parametrize(
    ("text", "kernels", "cut"),
    [
        (
            THE_BANDWIDTH_BENCHMARK[: THE_BANDWIDTH_BENCHMARK.index("SDaxpy")],
            7,
            "Sdaxpy is missing",
        ),
        (BABELSTREAM[: BABELSTREAM.index("Add ")], 2, "Add, Triad and Dot are missing"),
        (BABELSTREAM_CSV[: BABELSTREAM_CSV.index("Add")], 2, "Add, Triad and Dot are missing"),
        (
            BABELSTREAM_CSV[: BABELSTREAM_CSV.index("0.00513")],
            2,
            "Add, Triad and Dot are missing",
        ),
        (
            MLC[: MLC.index("2:1")],
            2,
            "2:1 reads-writes, 1:1 reads-writes and stream-triad like are missing",
        ),
    ],
)
def test_what_is_whole_of_a_cut_table_is_read(text: str, kernels: int, cut: str) -> None:
    (table,) = parse_output(text).tables
    assert (len(table.rows), table.cut) == (kernels, cut)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (THE_BANDWIDTH_BENCHMARK[:400], "cut off before the table of TheBandwidthBenchmark"),
        (THE_BANDWIDTH_BENCHMARK.replace("1280.00", "0.00"), "which no machine has"),
        (BABELSTREAM[:100], "cut off before the table of BabelStream"),
        (BABELSTREAM_CSV[: BABELSTREAM_CSV.index("Copy")], "it has no complete row"),
        (LIKWID_BENCH[: LIKWID_BENCH.index("MByte")], "its MByte/s is missing"),
        (LIKWID_BENCH[: LIKWID_BENCH.index("Test:")], "the name of its test is missing"),
        (likwid_block("peakflops", 1.0, loads=1, stores=0), "none of its tests streams"),
        ((STREAM + BABELSTREAM) * 26, "change more than 50 times"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_output(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "version", "reads", "triad"),
    [
        (MLC, "3.9a", 165.4006, 157.87832),
        (MLC_WHOLE, "3.10", 211.1942, 172.7704),
        (MLC_OLD, None, 50.0352, 44.029),
    ],
)
def test_mlc_prints_mixes_of_reads_and_writes(
    text: str, version: str | None, reads: float, triad: float
) -> None:
    rates = rates_of(text)
    assert list(rates) == ["load", "mix-3:1", "mix-2:1", "mix-1:1", "triad"]
    assert (rates["load"], rates["triad"]) == ([pytest.approx(reads)], [pytest.approx(triad)])
    assert (reported_of(text).tool, reported_of(text).version) == ("Intel MLC", version)


def test_what_crossed_is_what_mlc_counted_where_writes_overwrite_what_was_read() -> None:
    crossed = {
        each.kernel: each.hardware_gbps for each in judge_measure(run_of(MLC)).document.kernels
    }
    assert crossed["load"] == pytest.approx(165.4006)
    assert crossed["mix-1:1"] == pytest.approx(157.35205)


def test_rows_of_mlc_need_no_header() -> None:
    # Figures: a public test plan of storage servers, mlc --peak_injection_bandwidth.
    rows = "ALL Reads        :       48944.8\nStream-triad like:       46902.7\n"
    streaming = "All NT writes    :       39961.3\n1:1 Read-NT write:       46130.4\n"
    assert rates_of(f"Output of each run:\n{rows}{streaming}") == {
        "load": [48.9448],
        "triad": [46.9027],
        "init": [39.9613],
        "copy": [46.1304],
    }
    first, second = parse_output(f"local:\n{rows}\nremote:\n{rows}{streaming}").tables
    assert [first.heading, second.heading] == ["local", "remote"]
    assert {each.kernel: each.store for each in second.rows if each.store == "streaming"} == {
        "init": "streaming",
        "copy": "streaming",
    }


@pytest.mark.parametrize(
    ("options", "size"), [("-Y -u -b18m", 18 << 20), ("-b18m -u", 18 << 20), ("-b18m", None)]
)
def test_a_buffer_that_all_threads_of_mlc_share_is_its_size(options: str, size: int | None) -> None:
    # Figures: the cache of an i7-1260P in a public book on performance, which are no memory's.
    text = (
        f"$ sudo ./mlc --max_bandwidth -k0-15 {options}\n"
        "Measuring Maximum Memory Bandwidths for the system\nALL Reads        :      349670.42\n"
    )
    assert reported_of(text).array_bytes == size
    found = judge_measure(run_of(text)).document
    codes = {each.code for each in found.findings}
    assert ("below-4x-rule" in codes) == (size is not None)


def test_matrices_and_latencies_of_mlc_are_charts() -> None:
    assert (parse_output(MLC).notes, parse_output(MLC).charts) == ((), ())
    assert len(parse_output(MLC_WHOLE).charts) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MLC.replace("3:1 Reads", "2:1 Reads"), "a second row '2:1 Reads-Writes'"),
        (MLC_WHOLE[MLC_WHOLE.index("3:1 Reads") :][:60], "no table of a known benchmark"),
    ],
)
def test_an_output_of_mlc_that_cannot_be_used_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_output(text)

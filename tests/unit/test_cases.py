"""Outputs as people post them, each with its right answer (``tests/data/cases``)."""

from __future__ import annotations

import pytest
from foreign_outputs import likwid_block
from programs import REPOSITORY

from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.tables import Table
from streamgage.results.interpreted import InterpretedResult, interpreted
from streamgage.results.kinds import words_of
from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.of_output import rule_of
from streamgage.results.measure.document import KernelResult
from streamgage.results.scale.document import Scale
from streamgage.results.scale.page import page

CASES = REPOSITORY / "tests" / "data" / "cases"


def text_of(name: str) -> str:
    """The input of a case by the beginning of its name."""
    (path,) = [each for each in CASES.glob(f"{name}*.txt") if _is(each.stem, name)]
    return path.read_text("utf-8")


def _is(stem: str, name: str) -> bool:
    extra = stem.removeprefix(name)
    return name[0] != "r" or extra == "" or extra[0] == "-"


def case(name: str) -> ParsedOutput:
    """What the input of a case says."""
    return parse_output(text_of(name))


def only(name: str) -> Table:
    """Its one table."""
    (table,) = case(name).tables
    return table


def gbps(table: Table) -> dict[str, float]:
    """GB/s of each kernel."""
    return {row.kernel: row.gbps for row in table.rows}


def results(
    name: str,
    given: UserFacts = UserFacts(),  # noqa: B008 - frozen
    *,
    runs: bool = False,
) -> list[InterpretedResult]:
    """The results of a case."""
    return interpreted(case(name).tables, given, runs=runs)


def kernels(name: str, given: UserFacts = UserFacts()) -> dict[str, KernelResult]:  # noqa: B008 - frozen
    """By kernel the answer of a case with one result."""
    (found,) = results(name, given)
    assert found.result.records is not None
    return {each.kernel: each for each in found.result.document.kernels}


def readings_of(name: str) -> Readings:
    """The meanings of the table of a case with one result."""
    (found,) = results(name)
    assert found.result.records is not None and found.result.document.readings is not None
    return found.result.document.readings


def codes(name: str, given: UserFacts = UserFacts()) -> set[str]:  # noqa: B008 - frozen
    """The findings of a case with one result."""
    (found,) = results(name, given)
    assert found.result.records is not None
    return {each.code for each in found.result.words.findings}


def series(name: str) -> dict[str, dict[int, float]]:
    """By kernel the scaling of a case."""
    (found,) = results(name)
    assert isinstance(found.result.document, Scale)
    return {
        curve.kernel: {point.n: point.gbps.value for point in curve.points}
        for curve in found.result.document.curves
    }


def test_two_headings_are_two_results() -> None:
    one, other = results("02")
    assert [e.setting.tables[0].heading for e in (one, other)] == ["NPS1", "NPS4"]
    assert [e.setting.tables[0].line for e in (one, other)] == [25, 58]
    assert gbps(one.setting.tables[0])["triad"] == pytest.approx(718.7991)
    assert gbps(other.setting.tables[0])["triad"] == pytest.approx(739.7991)


def test_two_headings_are_one_result_where_the_user_says_so() -> None:
    (both,) = results("02", runs=True)
    assert both.result.records is not None
    triad = both.result.document.kernels[3]
    assert triad.n == 2
    assert triad.median_gbps == pytest.approx(729.15, abs=0.01)


def test_a_series_of_threads_in_megabytes() -> None:
    assert series("08")["triad"] == pytest.approx({1: 0.0483942, 2: 0.0763, 4: 0.0898})


def test_a_table_that_the_batch_system_cut_off_keeps_its_rows() -> None:
    table = only("15")
    assert gbps(table) == pytest.approx({"copy": 115.5525, "scale": 115.1619})
    assert table.cut is not None and "DUE TO TIME LIMIT" in table.cut


def test_two_benchmarks_in_one_log_are_two_results() -> None:
    first, second = case("28").tables
    assert (first.about.tool, second.about.tool) == ("TheBandwidthBenchmark", "STREAM")
    assert gbps(first)["triad"] == pytest.approx(34.47664)
    assert gbps(second)["triad"] == pytest.approx(123.1212)


def test_tables_with_one_row_are_a_series() -> None:
    found = series("r22-stream-scaling-series")
    triad = [10.11, 13.10, 13.96, 14.29, 13.66, 13.76, 13.46, 13.23]
    assert found["triad"] == pytest.approx(dict(enumerate(triad, 1)), abs=0.006)
    assert found["copy"] == pytest.approx({1: 9.66}, abs=0.006)
    assert found["add"] == pytest.approx({1: 10.43}, abs=0.006)
    assert all(each.cut is None for each in case("r22-stream-scaling-series").tables)


def test_a_kernel_with_one_number_of_threads_is_no_table_of_dashes() -> None:
    (found,) = results("r22-stream-scaling-series")
    assert isinstance(found.result.document, Scale)
    shown = page(found.result.document)
    (table,) = shown.tables
    assert (table.title, list(table.rows)) == ("triad", [*range(1, 9)])
    assert all(column.cell(n).value is not None for column in table.columns for n in table.rows)
    assert {plot.title for plot in shown.plots} == {"triad: bandwidth", "triad: speedup"}


def test_a_rate_of_each_node_is_no_sum() -> None:
    parsed = case("r23-cea-mpi-stream-nodes")
    assert {each.heading: gbps(each)["triad"] for each in parsed.tables} == pytest.approx(
        {"nodeA": 336.870, "nodeB": 336.899, "nodeC": 336.829, "nodeD": 251.809}, abs=0.001
    )
    assert {each.threads for each in parsed.tables} == {128}
    assert {each.array_bytes for each in parsed.tables} == {9842633386 * 8}
    assert "nodeD by 25 %" in parsed.notes[0]


def test_rows_without_a_header_prove_themselves() -> None:
    table = only("r25-rows-without-header")
    assert gbps(table) == pytest.approx(
        {"copy": 52.4247, "scale": 48.2937, "add": 45.5923, "triad": 45.096}
    )
    assert (table.threads, table.validated) == (6, True)
    assert table.array_bytes == pytest.approx(80e6, rel=1e-3)
    assert "header" in case("r25-rows-without-header").notes[0]


def test_rows_without_a_header_that_prove_nothing_are_named() -> None:
    text = text_of("r25-rows-without-header").replace("0.005322", "0.002322")
    with pytest.raises(UsageError, match="rate x time does not confirm them"):
        parse_output(text)


@pytest.mark.parametrize(
    ("name", "rates", "size"),
    [
        ("r31-cuda-stream-gib", (380.4, 380.5, 357.4, 357.7), 536.87e6),
        ("r32-kvm-docker-gb", (14.52, 14.41, 15.87, 15.85), 335.4e6),
    ],
)
def test_other_units_in_the_header(name: str, rates: tuple[float, ...], size: float) -> None:
    table = only(name)
    assert list(gbps(table).values()) == pytest.approx(list(rates), abs=0.06)
    assert table.array_bytes == pytest.approx(size, rel=1e-3)


def test_a_gpu_is_told_by_its_device() -> None:
    assert "on a GPU (HIP)" in case("r31-cuda-stream-gib").notes[0]
    assert case("r46-cuda-on-a-cpu").notes == ()
    on_gpu = text_of("r46-cuda-on-a-cpu").replace("DEVICE EMULATION MODE", "TITAN Xp")
    on_gpu = on_gpu.replace("Implementation: CUDA", "Implementation: OpenCL")
    assert "on a GPU (TITAN Xp)" in parse_output(on_gpu).notes[0]
    on_cpu = on_gpu.replace("TITAN Xp", "Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz")
    assert parse_output(on_cpu).notes == ()


def test_two_sizes_of_arrays_are_a_series_and_the_largest_is_the_figure() -> None:
    series, largest = results("r43-two-sizes-in-a-file", UserFacts(last_level_cache_bytes=40 << 20))
    ladder = series.result.document
    assert isinstance(ladder, Ladder)
    triad = next(each.points for each in ladder.curves if each.kernel == "triad")
    assert [each.array_bytes for each in triad] == [268_400_000, 8_589_900_000]
    assert [each.gbps.value for each in triad] == pytest.approx([159.421654, 158.8])
    assert [rule_of(ladder, each) for each in triad] == ["kept", "kept"]
    assert words_of(ladder).sentences[1] == (
        "Triad with arrays of 256 MiB is within 0.4 % of that: it was large enough."
    )
    assert gbps(largest.setting.tables[0])["triad"] == pytest.approx(158.8)
    assert series.rates == largest.rates


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("", "", "'Device does not have enough memory for all 3 buffers'. Run BabelStream with"),
        ("terminate called after", "Killed\n", "'Killed'. Run BabelStream with smaller arrays"),
        ("terminate called after", "Segmentation fault (core dumped)\n", "Fix that, and run it"),
    ],
)
def test_a_run_that_failed_is_refused_with_its_own_reason(old: str, new: str, words: str) -> None:
    text = text_of("r44-run-failed")
    if old:
        text = text[: text.index(old)] + new
    with pytest.raises(UsageError, match="ended before its table") as refused:
        parse_output(text)
    assert words in str(refused.value)


def test_babelstream_in_fortran_may_have_triad_alone() -> None:
    table = only("r47-babel-fortran")
    assert gbps(table) == pytest.approx({"triad": 159.421654})
    assert (table.element_type, table.cut) == ("double", None)
    single = parse_output(text_of("r47-babel-fortran").replace("REAL64", "REAL32"))
    assert single.tables[0].element_type == "float"


def test_a_decimal_comma_is_read_where_the_whole_table_has_it() -> None:
    text = text_of("04").replace(".", ",")
    assert gbps(parse_output(text).tables[0]) == pytest.approx(gbps(only("04")))


def test_a_decimal_comma_in_one_row_is_named() -> None:
    parsed = parse_output(text_of("04").replace("24600.2", "24600,2"))
    assert list(gbps(parsed.tables[0])) == ["copy", "add", "triad"]
    assert "line 3 (scale) has a decimal comma" in parsed.notes[0]


def test_thousands_may_be_parted_by_commas() -> None:
    text = text_of("04").replace("24600.2", "24,600.2").replace("33085.9", "33,085.9")
    assert gbps(parse_output(text).tables[0]) == pytest.approx(gbps(only("04")))


def test_a_rate_that_flops_and_volume_contradict_is_corrected() -> None:
    table = only("r21-likwid-4.3-daxpy")
    assert gbps(table) == pytest.approx({"daxpy": 101.84}, abs=0.01)
    assert table.array_bytes == 499_998_720
    (shown,) = kernels("r21-likwid-4.3-daxpy", UserFacts(peak_gbps=128)).values()
    assert shown.peak_share == pytest.approx(0.796, abs=0.001)
    assert "contradicts-itself" in codes("r21-likwid-4.3-daxpy")


@pytest.mark.parametrize(
    ("test", "moved", "streams", "size"),
    [("daxpy_avx", 24, 2, 200_000_000), ("update_avx", 16, 1, 400_000_000)],
)
def test_an_array_that_is_read_and_written_counts_once(
    test: str, moved: int, streams: int, size: int
) -> None:
    text = text_of("r33-likwid-5-array-size")
    lines = [line for line in text.splitlines(True) if not line.startswith("Allocate")]
    bare = "".join(lines).replace("daxpy_avx", test)
    bare = bare.replace("per element:\t16", f"per element:\t{moved - 8}")
    bare = bare.replace("Data volume (Byte):\t300000000000", f"Data volume:\t{streams}")
    (table,) = parse_output(bare).tables
    assert table.array_bytes == size


def test_the_length_of_a_vector_is_what_the_file_says() -> None:
    table = only("25")
    assert table.array_bytes == 499_999_872
    assert gbps(table) == pytest.approx({"daxpy": 23.49122})
    below = results("r33-likwid-5-array-size", UserFacts(last_level_cache_bytes=40 << 20))
    assert below[0].result.records is not None
    assert "below-4x-rule" in {each.code for each in below[0].result.passed}


def test_a_row_whose_own_time_contradicts_it_has_the_rate_of_its_time() -> None:
    table = only("r35-rate-time-disagree")
    assert gbps(table) == pytest.approx(
        {"copy": 52.0, "scale": 51.0, "add": 53.0, "triad": 3 * 0.16 / 0.009050}
    )
    assert len(table.corrections) == 1 and "84.3 GB/s" in table.corrections[0]


def test_rates_that_count_the_read_before_the_store_are_shown_nominal() -> None:
    text = text_of("r35-rate-time-disagree")
    for rate, factor in (("52000.0", 1.5), ("51000.0", 1.5), ("53000.0", 4 / 3)):
        text = text.replace(rate, f"{float(rate) * factor:.1f}")
    text = text.replace("84321.0     0.009055     0.009050", "70666.7     0.009065     0.009057")
    (found,) = interpreted(parse_output(text).tables, UserFacts())
    assert found.result.records is not None
    shown = [each.median_gbps for each in found.result.document.kernels]
    assert shown == pytest.approx([52.0, 51.0, 53.0, 53.0], abs=0.05)


def test_times_that_contradict_a_row_and_each_other_leave_it_out() -> None:
    text = text_of("r35-rate-time-disagree")
    text = text.replace("0.009055     0.009050     0.009059", "0.030000     0.009050     0.040000")
    assert "triad" not in gbps(parse_output(text).tables[0])


def test_figures_that_contradict_each_other_throughout_are_refused_by_name() -> None:
    text = text_of("r26-add-slower-than-copy").replace("10000000 (ele", "13700000 (ele")
    with pytest.raises(UsageError, match="contradict each other: rate x time gives arrays of 76"):
        parse_output(text)


def test_figures_that_contradict_each_other_prove_nothing_without_a_size() -> None:
    rows = {"Copy": (61000, 0.01), "Scale": (14000, 0.09), "Add": (15800, 0.7)}
    rows["Triad"] = (89000, 0.002)
    lines = [f"{name}: {rate:.1f} {t:.4f} {t:.4f} {t:.4f}" for name, (rate, t) in rows.items()]
    head = "Function    Best Rate MB/s  Avg time     Min time     Max time"
    (found,) = parse_output("\n".join([head, *lines, ""])).tables
    assert [each.gbps for each in found.rows] == [61.0, 14.0, 15.8, 89.0]
    assert found.array_bytes is None and found.corrections == ()


def test_add_and_triad_below_copy_and_scale_are_a_finding() -> None:
    given = UserFacts(peak_gbps=204.8, cores=18)
    assert "uneven-kernels" in codes("r26-add-slower-than-copy", given)
    verdicts = {each.alpha.verdict for each in kernels("r26-add-slower-than-copy", given).values()}
    assert verdicts == {"cannot-tell"}


@pytest.mark.parametrize("name", ["r40-scale-alone-slow", "r40-scale-alone-slow-slightly-faster"])
def test_one_loop_alone_is_not_said_to_read_its_lines(name: str) -> None:
    (path,) = CASES.glob(f"{name}.txt")
    given = UserFacts(peak_gbps=341, cores=64)
    (found,) = interpreted(parse_output(path.read_text("utf-8")).tables, given)
    assert found.result.records is not None
    assert {each.alpha.verdict for each in found.result.document.kernels} == {"cannot-tell"}
    seen = {each.code for each in found.result.words.findings}
    assert "uneven-kernels" in seen and "copy-memcpy" not in seen


def test_the_rule_of_twenty_ticks_is_applied() -> None:
    assert {"coarse-clock", "below-4x-rule"} <= codes("16")


def test_a_copy_by_memcpy_takes_no_part_in_the_agreement_of_the_others() -> None:
    found = kernels("04")
    assert [(e.alpha.verdict, e.alpha.evidence) for e in found.values()] == [
        ("none", "likely"),
        *[("full", "likely")] * 3,
    ]
    assert all(each.hardware_gbps is None for each in found.values())
    readings = readings_of("04")
    full = readings.full
    assert [full.gbps[name] for name in ("scale", "add", "triad")] == pytest.approx(
        [36.9, 38.5, 37.2], abs=0.05
    )
    assert full.spread == pytest.approx(0.043, abs=0.001)
    assert readings.none.spread == pytest.approx(0.173, abs=0.001)
    assert readings.best.combination == "copy reads none and scale, add and triad read all"


def test_two_readings_that_a_peak_decides() -> None:
    assert {each.alpha.verdict for each in kernels("09").values()} == {"cannot-tell"}
    found = readings_of("09")
    ranges = [(min(e.gbps.values()), max(e.gbps.values())) for e in (found.none, found.full)]
    assert ranges[0] == pytest.approx((115.2, 123.2), abs=0.05)
    assert ranges[1] == pytest.approx((164.2, 173.3), abs=0.05)
    assert found.peak_below_gbps == pytest.approx(173.3 / 0.98, abs=0.1)
    decided = kernels("09", UserFacts(peak_gbps=153.6))
    assert {e.alpha.evidence for e in decided.values()} == {"excluded"}


def test_what_a_kernel_that_only_reads_reaches_is_weak_evidence() -> None:
    found = kernels("26")
    del found["dot"]
    assert {each.alpha.verdict for each in found.values()} == {"cannot-tell"}
    assert 0.5 < readings_of("26").best.probability < 30 / 31


def test_kokkos() -> None:
    table = only("07")
    assert gbps(table) == pytest.approx(
        {
            **{"init": 267.74541, "copy": 258.91639, "scale": 258.75615},
            **{"add": 260.53246, "triad": 260.23519},
        }
    )
    assert (table.array_bytes, table.validated) == (800_000_000, True)
    (odd,) = parse_output(text_of("07-kokkos").replace(" 100000000", " 0")).tables
    assert odd.array_bytes == 800_000_000, "by the megabytes"


@pytest.mark.parametrize(
    ("name", "rates"),
    [
        ("20", [13.4521562, 24.3215562, 26.1128812, 26.4331121]),
        ("r45-petsc-streams-names", [20.05, 31.63, 27.37, 18.65, 16.51, 15.82, 15.63, 15.60]),
    ],
)
def test_petsc_streams_are_a_series_over_ranks(name: str, rates: list[float]) -> None:
    (found,) = results(name)
    assert isinstance(found.result.document, Scale) and found.result.document.workers == "ranks"
    assert series(name)["triad"] == pytest.approx(dict(enumerate(rates, 1)), abs=0.006)


def test_a_rank_that_failed_leaves_a_gap_in_petsc_streams() -> None:
    text = "".join(line for line in text_of("20").splitlines(True) if not line.startswith("2  "))
    (found,) = interpreted(parse_output(text).tables, UserFacts())
    assert isinstance(found.result.document, Scale)
    assert found.result.document.counts == [1, 3, 4]


def test_mlc_with_its_idle_latencies() -> None:
    table = only("23")
    assert table.idle_latencies_ns == ((81.4, 131.1), (131.1, 81.3))
    assert gbps(table) == pytest.approx(
        {
            **{"load": 158.8445, "mix-3:1": 150.6586, "mix-2:1": 149.3412},
            **{"mix-1:1": 143.3554, "triad": 128.1587},
        }
    )


def test_a_grace_is_not_said_to_read_its_lines() -> None:
    found = kernels("s01")
    assert found["triad"].median_gbps == pytest.approx(806.8124)
    assert {each.alpha.verdict for each in found.values()} == {"cannot-tell"}
    assert "few-repetitions" not in codes("s01")


def test_hpcc_has_one_process_alone_and_the_sum_of_all() -> None:
    assert series("s02")["triad"] == pytest.approx({1: 9.00502, 16: 16 * 2.9362})
    (found,) = results("s02")
    assert isinstance(found.result.document, Scale)
    assert found.result.document.array_bytes == 16666347 * 8
    assert "2.94 GB/s a process in triad" in case("s02").notes[0]


def test_hpcc_without_its_summary_has_what_one_process_gets() -> None:
    alone, each = case("u01").tables
    assert (alone.threads, gbps(alone)["triad"]) == (1, 7.1381)
    assert (each.threads, each.ranks, gbps(each)["triad"]) == (None, None, 4.8447)
    assert each.heading == "StarSTREAM, one process"
    assert "does not say how many ran" in case("u01").notes[0]


def test_hpcc_with_the_number_of_its_processes_has_their_sum() -> None:
    (_, every) = parse_output("CommWorldProcs=4\n" + text_of("u01")).tables
    assert (every.threads, gbps(every)["triad"]) == (4, pytest.approx(4 * 4.8447))


def test_the_table_of_one_process_of_hpcc_is_no_result_of_stream() -> None:
    assert {each.about.tool for each in case("u02").tables} == {"HPCC"}
    assert series("u02")["triad"] == pytest.approx({1: 17.5664, 2: 2 * 10.634})


def test_hpcc_cut_off_before_its_summary_has_the_figures_of_its_sections() -> None:
    text = text_of("u02").partition("Begin of Summary")[0]
    alone, each = parse_output(text).tables
    assert gbps(alone)["triad"] == pytest.approx(17.566401)
    assert gbps(each)["triad"] == pytest.approx(10.634019)
    assert (each.ranks, each.array_bytes) == (None, 22369621 * 8)
    assert each.cut == "the summary is missing"


def test_two_runs_of_hpcc_in_a_file_are_two_runs() -> None:
    tables = parse_output(text_of("u02") + text_of("u02").replace("=10.634", "=11.634")).tables
    assert [gbps(each)["triad"] for each in tables] == pytest.approx(
        [17.5664, 21.268, 17.5664, 23.268]
    )


def test_sysbench_is_said_to_be_no_bandwidth_of_memory() -> None:
    table = only("s03")
    assert gbps(table) == pytest.approx({"init": 6246.60 * 2**20 / 1e9})
    assert (table.threads, table.array_bytes) == (1, 1024)
    assert "not to the memory" in case("s03").notes[0]
    assert "below-4x-rule" in codes("s03")


def test_sysbench_under_mpirun_is_a_figure_of_each_rank() -> None:
    one, other = results("u03")
    tables = [*one.setting.tables, *other.setting.tables]
    assert [gbps(each)["init"] for each in tables] == pytest.approx(
        [7408.15 * 2**20 / 1e9, 7385.19 * 2**20 / 1e9]
    )
    assert {(each.threads, each.array_bytes, each.about.version) for each in tables} == {
        (2, 1024, "1.0.20")
    }
    assert "2 runs of sysbench ran at the same time" in case("u03").notes[0]


@pytest.mark.parametrize(
    ("name", "triad", "size"), [("u04", 219.383160, 400 << 20), ("u05", 220.662874, 49999872 * 8)]
)
def test_the_first_gpu_stream_divided_sizes_by_1024(name: str, triad: float, size: int) -> None:
    assert gbps(only(name))["triad"] == pytest.approx(triad)
    assert (only(name).array_bytes, only(name).corrections) == (size, ())


def test_hpcc_that_ended_before_its_stream_is_refused_with_that() -> None:
    with pytest.raises(UsageError, match="cut off before the table of HPCC"):
        case("u06")


def test_mbw_counts_a_copied_byte_once_and_is_shown_as_stream_counts() -> None:
    tables = [each.setting.tables[0] for each in results("u07")]  # two versions of the program
    assert [each.rows[0].code for each in tables] == ["memcpy", "loop", "memcpy of blocks"] * 2
    rates = [gbps(each)["copy"] / (2 * 2**20 / 1e9) for each in tables]
    assert rates[:3] == pytest.approx([19325.860, 9154.668, 12142.470])
    assert rates[3:] == pytest.approx([60520.095, 41147.633, 40471.269])
    assert [each.threads for each in tables] == [1, 1, 1, 16, 16, 16]
    assert {each.array_bytes for each in case("u07").tables} == {1 << 30}


def test_mbw_without_its_mean_has_that_of_its_passes() -> None:
    text = text_of("u07").partition("AVG")[0]
    (table,) = parse_output(text).tables
    assert gbps(table)["copy"] / (2 * 2**20 / 1e9) == pytest.approx(19325.860, rel=1e-4)


def test_a_line_of_the_launcher_after_the_table_cuts_nothing_off() -> None:
    table = only("u08")
    assert gbps(table)["triad"] == pytest.approx(124.7995)
    assert (table.threads, table.cut, table.validated) == (44, None, True)
    # Two processors with four channels of DDR4-2400 each: Add and Triad would be above that peak.
    found = kernels("u08", UserFacts(peak_gbps=153.6))
    assert {name for name, each in found.items() if each.alpha.verdict == "at-most"} == {
        "add",
        "triad",
    }


def test_pairs_of_mess_say_neither_their_clock_nor_their_reads() -> None:
    with pytest.raises(UsageError, match=r"bwlat_NN\.txt: MB/s, and latencies in cycles"):
        case("u09")


def test_mlc_on_one_node() -> None:
    table = only("s04")
    assert table.idle_latencies_ns == ((97.1,),)
    assert gbps(table)["load"] == pytest.approx(34.7957)


def test_two_tables_in_a_page_are_two_results() -> None:
    one, other = results("s05", UserFacts(peak_gbps=153.6))
    assert gbps(one.setting.tables[0])["triad"] == pytest.approx(123.1212)
    assert gbps(other.setting.tables[0])["triad"] == pytest.approx(122.7616)
    assert one.result.records is not None  # icc was told to make streaming stores
    assert {each.alpha.evidence for each in one.result.document.kernels} == {"excluded"}


def test_ranks_of_an_indented_page_with_prose_between_are_two_results() -> None:
    one, other = results("v01-stream-mpi")
    assert one.rates["triad"] == pytest.approx(136.9573)
    assert other.rates["triad"] == pytest.approx(404.0765)
    assert [each.settings[0].tables[0].ranks for each in (one, other)] == [16, 64]
    assert {each.array_bytes for each in case("v01-stream-mpi").tables} == {80_000_000}
    assert {each.validated for each in case("v01-stream-mpi").tables} == {True}


def test_a_mean_twice_the_best_is_a_disturbed_run() -> None:
    table = only("v02-stream-disturbed")
    assert gbps(table) == pytest.approx(
        {"copy": 90.0141, "scale": 91.3186, "add": 97.2992, "triad": 98.3508}
    )
    # rate x time: 90.0141 GB/s x 0.014220 s / 16 bytes, of the 80000000 elements of its -D
    assert table.array_bytes == pytest.approx(640e6, rel=1e-3)
    assert "unsteady-table" in codes("v02-stream-disturbed")


def test_loops_that_something_else_held_back_have_no_verdict() -> None:
    assert gbps(only("v03-babel-knl-openacc"))["scale"] == pytest.approx(305.147266)
    found = kernels("v03-babel-knl-openacc")
    del found["dot"]
    assert {each.alpha.verdict for each in found.values()} == {"cannot-tell"}
    assert {"uneven-kernels", "copy-memcpy"} <= codes("v03-babel-knl-openacc")


def test_a_sum_slower_than_any_copy_is_no_sign_of_what_stores_read() -> None:
    parsed = case("v04-babel-integrated-gpu")
    assert "on a GPU (Intel(R) Gen9 HD Graphics NEO)" in parsed.notes[0]
    found = kernels("v04-babel-integrated-gpu")
    assert {found[name].alpha.verdict for name in ("copy", "triad")} == {"cannot-tell"}


def figures_below_commands(program: str = "likwid-bench") -> str:
    """As people post them in notes: each command, and what it printed from the cycles on."""
    tests = (("stream_mem_avx_fma", 2, 1), ("store_mem_avx", 0, 1), ("load_avx", 1, 0))
    return "\n".join(
        f"Command: `{program} -t {test} -w M0:2GB`\n\n```\nCycles:"
        + likwid_block(test, 1000.0 * (140 + loads), loads=loads, stores=stores, threads=128)
        .partition("\nCycles:")[2]
        .replace("\t\t\t", " ")
        + "```\n"
        for test, loads, stores in tests
    )


def test_figures_of_likwid_bench_without_its_banner_are_those_of_the_command_above() -> None:
    parsed = parse_output(figures_below_commands())
    rates = {"triad": 142.0, "init": 140.0, "load": 141.0}
    assert {k: v for each in parsed.tables for k, v in gbps(each).items()} == pytest.approx(rates)
    # As many iterations as 128 threads have of ten each.
    assert {each.threads for each in parsed.tables} == {128}
    assert parsed.tables[0].rows[0].store == "streaming"


def test_figures_of_likwid_bench_of_an_unknown_test_are_refused() -> None:
    with pytest.raises(UsageError, match="the name of its test is missing"):
        parse_output(figures_below_commands("bench"))

"""Outputs as people post them, each with its right answer (``tests/data/cases``)."""

from __future__ import annotations

import pytest
from programs import REPOSITORY

from streamgage.analysis.user_facts import Given
from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.interop.tables import Parsed, Table
from streamgage.results.interpreted import Interpreted, interpreted
from streamgage.results.measure.document import KernelResult
from streamgage.results.scale.document import Scale

CASES = REPOSITORY / "tests" / "data" / "cases"


def text_of(name: str) -> str:
    """The input of a case by the beginning of its name."""
    (path,) = [each for each in CASES.glob(f"{name}*.txt") if _is(each.stem, name)]
    return path.read_text("utf-8")


def _is(stem: str, name: str) -> bool:
    extra = stem.removeprefix(name)
    return name[0] != "r" or extra == "" or extra[0] == "-"


def case(name: str) -> Parsed:
    """What the input of a case says."""
    return parse_output(text_of(name))


def only(name: str) -> Table:
    """Its one table."""
    (table,) = case(name).tables
    return table


def gbps(table: Table) -> dict[str, float]:
    """GB/s of each kernel."""
    return {row.kernel: row.gbps for row in table.rows}


def results(name: str, given: Given = Given(), *, runs: bool = False) -> list[Interpreted]:  # noqa: B008 - frozen
    """The results of a case."""
    return interpreted(case(name).tables, given, runs=runs)


def kernels(name: str, given: Given = Given()) -> dict[str, KernelResult]:  # noqa: B008 - frozen
    """By kernel the answer of a case with one result."""
    (found,) = results(name, given)
    assert found.answer is not None
    return {each.kernel: each for each in found.answer.result.kernels}


def codes(name: str, given: Given = Given()) -> set[str]:  # noqa: B008 - frozen
    """The findings of a case with one result."""
    (found,) = results(name, given)
    assert found.answer is not None
    return {each.code for each in found.answer.result.findings}


def series(name: str) -> dict[str, dict[int, float]]:
    """By kernel the scaling of a case."""
    (found,) = results(name)
    assert isinstance(found.document, Scale)
    return {
        curve.kernel: {point.n: point.gbps.value for point in curve.points}
        for curve in found.document.curves
    }


def test_two_headings_are_two_results() -> None:
    one, other = results("02")
    assert [e.setting.tables[0].heading for e in (one, other)] == ["NPS1", "NPS4"]
    assert [e.setting.tables[0].line for e in (one, other)] == [25, 58]
    assert gbps(one.setting.tables[0])["triad"] == pytest.approx(718.7991)
    assert gbps(other.setting.tables[0])["triad"] == pytest.approx(739.7991)


def test_two_headings_are_one_result_where_the_user_says_so() -> None:
    (both,) = results("02", runs=True)
    assert both.answer is not None
    triad = both.answer.result.kernels[3]
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
    with pytest.raises(UsageError, match="do not prove themselves"):
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


def test_two_sizes_of_arrays_are_two_results() -> None:
    small, large = results("r43-two-sizes-in-a-file")
    assert gbps(small.setting.tables[0])["triad"] == pytest.approx(159.42, abs=0.01)
    assert gbps(large.setting.tables[0])["triad"] == pytest.approx(158.8)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("", "", "'Device does not have enough memory for all 3 buffers'. Run BabelStream with"),
        ("terminate called after", "Killed\n", "'Killed'. Run BabelStream with smaller arrays"),
        ("terminate called after", "Segmentation fault (core dumped)\n", "Mend that and run it"),
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

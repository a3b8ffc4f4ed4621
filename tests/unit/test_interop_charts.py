"""Matrices, curves and transfers as other benchmarks print them (``tests/data/cases/t*``)."""

from __future__ import annotations

import json

import pytest
from example_latency import latencies_of
from example_numa import machine_of, matrix_of
from msgspec.structs import replace
from test_cases import case, text_of

from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import UsageError
from streamgage.interop.charts import (
    LinkTables,
    LoadedCurves,
    NodeMatrix,
    SizeCurve,
    SizeCurves,
    SizeLatencies,
)
from streamgage.interop.formats import parse_output
from streamgage.results.document import Document
from streamgage.results.interpreted import interpreted
from streamgage.results.kinds import decode_document, kind_of, result_of, words_of
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency.document import Latency
from streamgage.results.links.document import Links
from streamgage.results.numa.document import Numa
from streamgage.results.render import render_result


def documents(name: str) -> list[Document]:
    parsed = case(name)
    return [each.result.document for each in interpreted(parsed.tables, UserFacts(), parsed.charts)]


def matrix(name: str, number: int = 0) -> NodeMatrix:
    return [each for each in case(name).charts if isinstance(each, NodeMatrix)][number]


def loaded(name: str) -> LoadedCurves:
    (found,) = [each for each in case(name).charts if isinstance(each, LoadedCurves)]
    return found


def curves(name: str) -> dict[tuple[str, str], SizeCurve]:
    (found,) = [each for each in case(name).charts if isinstance(each, SizeCurves)]
    return {(each.kernel, each.test): each for each in found.curves}


def links(name: str) -> LinkTables:
    (found,) = case(name).charts
    assert isinstance(found, LinkTables)
    return found


def test_a_whole_output_of_mlc_is_a_matrix_a_table_and_a_curve() -> None:
    first, second, third = documents("t01")
    assert isinstance(first, Numa) and isinstance(third, Latency)
    assert kind_of(second).name == "measure"
    found = matrix("t01")
    assert found.gbps[0] == pytest.approx((79.6703, 34.3934))
    assert found.nanoseconds == ((82.1, 141.0), (141.5, 81.5))
    assert (found.line, found.about.version) == (3, "3.11b")
    assert any("cache to cache" in each for each in case("t01").notes)


def test_loaded_latencies_go_from_the_least_load_to_the_most() -> None:
    (curve,) = loaded("t01").curves
    assert [each.delay for each in curve.loads][:2] == [20000, 9000]
    assert (curve.loads[-1].gbps, curve.loads[-1].nanoseconds) == pytest.approx((159.154, 329.26))
    _, _, latency = documents("t01")
    assert isinstance(latency, Latency)
    (found,) = latency.loaded
    assert found.unloaded_seconds == pytest.approx(82.3e-9)
    assert found.best_gbps == pytest.approx(159.2256)
    # Twice 82.3 ns lies between the delays 300 and 200.
    assert found.onset_gbps is not None and 132.99 < found.onset_gbps < 158.64


def test_four_nodes_of_mlc() -> None:
    found = matrix("t02")
    assert len(found.gbps) == len(found.gbps[0]) == 4
    assert found.gbps[3] == pytest.approx((50.5263, 50.4924, 59.1719, 58.7015))
    (curve,) = loaded("t02").curves
    assert len(curve.loads) == 19


def test_a_matrix_of_writes_is_one_of_its_mix() -> None:
    assert [each.kernel for each in (matrix("t03"), matrix("t03", 1))] == ["load", "mix-1:1"]
    assert matrix("t03", 1).heading == "MLC Random 1Read 1Write"
    assert matrix("t03", 1).gbps[0] == pytest.approx((126.5401, 85.2795))
    unknown = text_of("t03").replace("-W5", "-W21")
    parsed = parse_output(unknown)
    assert len(parsed.charts) == 1
    assert any("mix of reads and writes" in each for each in parsed.notes)


def test_a_node_of_memory_alone_is_a_column_without_a_row() -> None:
    (numa,) = documents("t04")
    assert isinstance(numa, Numa)
    assert [each.memory_only for each in numa.memory_nodes] == [False, True]
    assert numa.latency[1].median == pytest.approx(564.5e-9)
    assert numa.kernels[0].cells[1].over_local == pytest.approx(4795.3 / 30562.8)
    assert "memory-only" in {each.code for each in words_of(numa).findings}


def test_indented_loaded_latencies_of_mlc() -> None:
    (latency,) = documents("t05")
    assert isinstance(latency, Latency)
    assert latency.loaded[0].best_gbps == pytest.approx(216.643)
    assert latency.reported is not None and latency.reported.version == "3.5"


@pytest.mark.parametrize("name", ["t01", "t02", "t05"])
def test_what_is_printed_as_mlc_does_is_read_as_mlcs(name: str) -> None:
    for document in documents(name):
        if not isinstance(document, Numa | Latency):
            continue
        (again,) = parse_output(render_result(result_of(document), "mlc")).charts
        if isinstance(again, NodeMatrix):
            assert again.gbps == matrix(name).gbps
            assert again.nanoseconds == matrix(name).nanoseconds
        else:
            assert isinstance(again, LoadedCurves)
            assert again.curves == loaded(name).curves


def test_a_measured_matrix_is_printed_as_mlc_prints_its_own() -> None:
    numa = matrix_of(machine_of(2))
    (again,) = parse_output(render_result(result_of(numa), "mlc")).charts
    assert isinstance(again, NodeMatrix)
    (reads,) = [each for each in numa.kernels if each.kernel == "sum"]
    rates = [value for row in again.gbps for value in row]
    assert rates == pytest.approx([each.median for each in reads.cells], abs=1e-4)
    nanoseconds = [value for row in again.nanoseconds for value in row]
    assert nanoseconds == pytest.approx([1e9 * each.median for each in numa.latency], abs=0.051)


def test_measured_loads_are_printed_as_mlc_prints_its_own() -> None:
    latency = latencies_of()
    text = render_result(result_of(latency), "mlc")
    assert text.count("Measuring Loaded Latencies for the system") == len(latency.loaded)
    assert text.index("Using Read-only traffic type") < text.index("Inject")
    first = parse_output(text).charts[0]
    assert isinstance(first, LoadedCurves)
    loads = first.curves[0].loads
    # What has no load at all has no row; the highest load waits least.
    assert len(loads) == sum(each.gbps.value > 0 for each in latency.loaded[0].points)
    assert [each.gbps for each in loads] == sorted(each.gbps for each in loads)
    assert loads[-1].delay == 0
    curves = [replace(each, best_gbps=0.0, decline_gbps=None) for each in latency.loaded]
    assert render_result(result_of(replace(latency, loaded=curves)), "mlc") == text


@pytest.mark.parametrize(
    ("name", "test", "row", "values"),
    [
        ("t10", "host_to_device_memcpy_ce", "CPU 0", (12.98,)),
        ("t10", "device_local_copy", "GPU 0", (84.33,)),
        ("t11", "host_to_device_memcpy_ce", "CPU 0", (55.37, 55.36, 55.37, 55.36) + (55.36,) * 3),
        ("t12", "device_to_device_memcpy_read_ce", "GPU 5", (21.86, 22.67, 22.01, 26.34, 26.35)),
        ("t13", "host_to_device_memcpy_ce", "CPU 0", (56.3829, 56.3762, 56.3944, 56.3959)),
        ("t13", "host_device_latency_sm", "CPU 0", (574.737, 574.611, 620.331, 582.744)),
        ("t14", "host_to_device_memcpy_ce", "CPU 0", (12.3964,)),
    ],
)
def test_nvbandwidth(name: str, test: str, row: str, values: tuple[float, ...]) -> None:
    (found,) = [each for each in links(name).tests if each.test == test]
    cells = found.cells[found.rows.index(row)]
    assert cells[: len(values)] == values
    assert found.unit == ("ns" if "latency" in test else "GB/s")


@pytest.mark.parametrize(
    ("name", "test", "axes"),
    [
        ("t10", "host_to_device_memcpy_ce", ("from CPU", "to GPU")),
        ("t10", "device_to_host_memcpy_ce", ("to CPU", "from GPU")),
        ("t10", "host_device_latency_sm", ("CPU", "GPU")),
        ("t12", "device_to_device_memcpy_read_ce", ("from GPU", "to GPU")),
    ],
)
def test_nvbandwidth_says_which_way_a_test_copies(
    name: str, test: str, axes: tuple[str, str]
) -> None:
    (found,) = [each for each in links(name).tests if each.test == test]
    assert (found.row_axis, found.column_axis) == axes


def test_runs_of_nvbandwidth_with_other_tests_are_one_result() -> None:
    assert len(links("t11").tests) == 2
    twice = text_of("t12") + text_of("t12")
    assert len(parse_output(twice).charts) == 2


def test_nvbandwidth_names_its_gpus_and_what_it_waived() -> None:
    found = links("t13")
    assert found.devices == ("NVIDIA GeForce RTX 5090",) * 4
    assert found.about.processor == "NVIDIA GeForce RTX 5090"
    assert found.waived == ("device_to_device_memcpy_read_ce",)
    assert (links("t10").about.version, links("t14").about.version) == ("0.8", "0.5")


def test_no_figure_of_nvbandwidth_is_no_cell() -> None:
    (document,) = documents("t12")
    assert isinstance(document, Links)
    assert len(document.tests[0].cells) == 30
    assert words_of(document).sentences == ["device_to_device_memcpy_read_ce: 21.8 to 26.4 GB/s."]


def test_a_link_that_falls_behind_is_named() -> None:
    text = text_of("t11").replace("55.37     55.36     55.37", "55.37     27.36     55.37")
    (found,) = interpreted((), UserFacts(), parse_output(text).charts)
    words = words_of(found.result.document)
    assert "CPU 0 and GPU 1 have only 27.4 GB/s" in words.sentences[1]


@pytest.mark.parametrize(
    ("name", "kernel", "size", "gbps", "threads"),
    [
        # size x threads x iterations / seconds
        ("t20", "sum", 1 << 27, (1 << 27) * 2 * 52 / 0.279333 / 1e9, 2),
        # of each thread two arrays, and a copied byte is read and written
        ("t20", "copy", 2 << 27, 2 * (1 << 27) * 2 * 48 / 0.311311 / 1e9, 2),
        ("t21", "init", 1 << 26, (1 << 26) * 4 * 33 / 0.268316 / 1e9, 4),
        ("t22", "sum", 1 << 30, (1 << 30) * 24 * 3 / 0.527879 / 1e9, None),
        ("t23", "sum", 1 << 26, 113577.83 * 2**20 / 1e9, 48),
    ],
)
def test_sc_membench_counts_as_its_own_iterations_say(
    name: str, kernel: str, size: int, gbps: float, threads: int | None
) -> None:
    found = curves(name)[kernel, ""]
    assert found.points[-1].bytes == size
    assert found.points[-1].gbps == pytest.approx(gbps, rel=1e-4)
    assert found.threads == threads


def test_a_version_of_sc_membench_that_counts_a_copied_byte_twice_is_seen() -> None:
    row = "131072,copy,39471.78,0,0,0,2,48,0.311311"
    twice = text_of("t20").replace(row, row.replace("39471.78", f"{2 * 39471.78:.2f}"))
    (found, _) = parse_output(twice).charts
    assert isinstance(found, SizeCurves)
    assert found.curves[2].points[-1].gbps == pytest.approx(
        curves("t20")["copy", ""].points[-1].gbps, rel=1e-4
    )


def test_a_row_of_sc_membench_whose_rate_is_none_of_its_times_is_left_out() -> None:
    text = text_of("t20").replace("131072,read,47656.44", "131072,read,67656.44")
    parsed = parse_output(text)
    assert any("its times contradict" in each for each in parsed.notes)
    (found, _) = parsed.charts
    assert isinstance(found, SizeCurves)
    assert found.curves[0].points[-1].bytes == 8192 << 10


def test_idle_latencies_of_sc_membench() -> None:
    (found,) = [each for each in case("t20").charts if isinstance(each, SizeLatencies)]
    assert (found.points[0].bytes, found.points[0].nanoseconds) == (32 << 10, 1.94)
    assert found.points[-1].nanoseconds == 115.53
    _, latency = documents("t20")
    assert isinstance(latency, Latency)
    assert latency.idle[-1].seconds.value == pytest.approx(115.53e-9)


@pytest.mark.parametrize(
    ("name", "kernel", "test", "points", "size", "gbps"),
    [
        ("t30", "sum", "rd", 5, 512_000_000, 11.40585),
        ("t30", "update", "rdwr", 5, 512_000_000, 2 * 6.51705),
        ("t31", "sum", "rd", 7, 921_700_000, 0.43799),
        ("t32", "sum", "frd", 5, 4_294_970_000, 21.84822),
        ("t32", "copy", "fcp", 5, 2 * 2_147_480_000, 2 * 9.64264),
        ("t32", "copy", "bcopy", 5, 2 * 2_147_480_000, 2 * 18.86554),
        ("t33", "init", "bzero", 1, 256_000_000, 14.86989),
    ],
)
def test_bw_mem(  # noqa: PLR0917 - one row of the table
    name: str, kernel: str, test: str, points: int, size: int, gbps: float
) -> None:
    found = curves(name)[kernel, test]
    assert len(found.points) == points
    assert found.points[-1].bytes == size
    assert found.points[-1].gbps == pytest.approx(gbps)


def test_a_comment_behind_the_figures_of_bw_mem_is_no_part_of_them() -> None:
    # Figures: a public report on lmbench on a board with buildroot.
    (found,) = parse_output("# bw_mem 500M cp\n500.00 858.05   # copied 858.05 MB/s\n").charts
    assert isinstance(found, SizeCurves)
    assert found.curves[0].points[-1].gbps == pytest.approx(2 * 0.85805)


def test_other_figures_of_lmbench_are_not_taken_for_memory() -> None:
    assert set(curves("t32")) == {
        *(("sum", "frd"), ("sum", "rd"), ("init", "fwr"), ("init", "bzero"), ("update", "rdwr")),
        *(("copy", "fcp"), ("copy", "bcopy")),
    }


def test_bw_mem_says_how_many_ran_in_its_command() -> None:
    assert curves("t31")["sum", "rd"].threads == 1
    several = text_of("t31").replace("./bw_mem", "./bw_mem -P 4 -N 3")
    (found,) = parse_output(several).charts
    assert found.threads == 4
    assert curves("t30")["sum", "rd"].threads is None


def test_the_largest_working_set_stands_for_a_curve_without_levels() -> None:
    (ladder,) = documents("t32")
    assert isinstance(ladder, Ladder)
    assert all(each.steps == [] for each in ladder.curves)
    text = render_result(result_of(ladder), "table")
    assert "sum frd 21.8 GB/s" in " ".join(text.split())


@pytest.mark.parametrize(
    ("name", "mixes", "best"),
    [
        ("t40", ["reads", "2:1"], 43.947572426376375),
        ("t41", ["streaming"], 507.68002342283125),
        ("t42", ["3:1", "2:1"], 57.147598248295424),
    ],
)
def test_mess(name: str, mixes: list[str], best: float) -> None:
    found = loaded(name)
    assert [each.mix for each in found.curves] == mixes
    assert max(each.gbps for each in found.curves[0].loads) == best
    (latency,) = documents(name)
    assert isinstance(latency, Latency)
    assert latency.loaded[0].best_gbps == best


def test_curves_of_mess_that_are_of_no_mix_are_named() -> None:
    (note,) = case("t42").notes
    assert "2 curves with 52 to 80 % reads were left out" in note
    with pytest.raises(
        UsageError, match="no curve at line 1 with about 100, 75, 67, 50 or 0 % reads"
    ):
        parse_output(text_of("t42").replace('"67"', '"61"').replace('"75"', '"71"'))


def test_a_point_of_mess_without_traffic_is_left_out() -> None:
    text = text_of("t42").replace("1.502899804600067", "0.0")
    (found,) = parse_output(text).charts
    assert isinstance(found, LoadedCurves)
    assert len(found.curves[0].loads) == 5


@pytest.mark.parametrize("name", ["t01", "t04", "t10", "t13", "t20", "t32", "t40", "t42"])
def test_each_is_a_document_that_can_be_stored_and_read_again(name: str) -> None:
    for document in documents(name):
        text = render_result(result_of(document), "json")
        assert json.loads(text)["kind"] == kind_of(document).name
        assert decode_document(text.encode(), "it.json") == document


@pytest.mark.parametrize(
    ("name", "cut", "words"),
    [
        ("t02", "       0\t", "the matrix of Intel MLC at line 1 is cut off"),
        ("t05", "     00000", "the loaded latencies of Intel MLC at line 7 are cut off"),
        ("t10", "memcpy CE", "no test at line 10 has a complete matrix"),
        ("t13", '"56.3829"', "the JSON at line 2 is not complete"),
        ("t20", "32,read", "has no complete row"),
        ("t31", "1.05", "put the command line"),
        ("t42", "140.04", "is not complete"),
    ],
)
def test_what_breaks_off_is_one_sentence(name: str, cut: str, words: str) -> None:
    text = text_of(name)
    with pytest.raises(UsageError) as refused:
        parse_output(text[: text.index(cut)])
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)

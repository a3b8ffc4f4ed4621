"""Outputs of programs that many bug reports quote, each with its figures and their units."""

from __future__ import annotations

import json

import pytest
from test_cases import case, gbps, only, text_of

from streamgage.errors import UsageError
from streamgage.interop.charts import LinkTables, SizeLatencies
from streamgage.interop.formats import parse_output
from streamgage.interop.kernels import KERNELS
from streamgage.results.interpreted import interpreted
from streamgage.results.links.page import conclusions
from streamgage.results.result import NO_USER_FACTS

MIB = 1 << 20


def test_the_loops_of_lmbench_with_and_without_a_patch() -> None:
    without, patched = case("c02").tables
    assert gbps(without) == pytest.approx(
        {"copy": 39.09628, "scale": 38.97026, "add": 32.33204, "triad": 35.38769}
    )
    assert gbps(patched)["triad"] == pytest.approx(45.61918)
    # 2.46 ns x 39096.28 MB/s / 16 bytes: six processes, as -P 6 says.
    assert [each.threads for each in (without, patched)] == [6, 6]
    assert [each.corrections for each in (without, patched)] == [(), ()]
    assert [each.heading for each in (without, patched)] == ["w/o patch", "w/ patch"]


def test_a_latency_of_lmbench_that_contradicts_its_bandwidth_is_named() -> None:
    first, _ = parse_output(text_of("c02").replace("4.45 nanoseconds", "2.45 nanoseconds")).tables
    assert first.threads is None
    assert "not the same number of processes" in first.corrections[0]


def test_tinymembench_counts_a_copied_byte_once() -> None:
    table = only("c03")
    assert gbps(table) == pytest.approx({"copy": 2 * 8.5424, "init": 20.3870})
    assert [row.code for row in table.rows] == ["C 2-pass copy", "NEON STNP fill"]
    assert table.methods["standard memcpy"] == pytest.approx(2 * 8.3277)
    assert len(table.methods) == 11
    (walk,) = case("c03").charts
    assert isinstance(walk, SizeLatencies)
    assert {each.bytes: each.nanoseconds for each in walk.points}[1 << 26] == 149.5
    assert min(each.bytes for each in walk.points) == 1 << 16  # before it 0.0 ns is printed


def test_stress_ng_has_the_rate_of_all_its_instances() -> None:
    table = only("c05")
    # MB of 2^20 bytes: 1314.98 Mflop/s are an eighth of 10032.51 x 2^20 bytes written.
    assert pytest.approx(10032.51 * MIB / 8, rel=1e-3) == 1314.98e6
    assert gbps(table) == pytest.approx({"mix-3:2": 2 * (15060.85 + 10040.57) * MIB / 1e9})
    assert (table.threads, table.corrections) == (2, ())
    assert (KERNELS["mix-3:2"].loads, KERNELS["mix-3:2"].stores) == (6, 4)


def test_figures_of_stress_ng_that_do_not_fit_are_named() -> None:
    table = parse_output(text_of("c05").replace("1314.98", "2314.98")).tables[0]
    assert "6 bytes for 4 written" in table.corrections[0]


def test_the_wording_of_an_older_stress_ng() -> None:
    text = "".join(
        f"stress-ng: info:  [9] stream   {rate} memory {way} rate (MB per sec) (geometic mean)\n"
        for way, rate in (("read", 2317.88), ("write", 1545.25))
    )
    (table,) = parse_output(text).tables
    assert gbps(table)["mix-3:2"] == pytest.approx((2317.88 + 1545.25) * MIB / 1e9)


def test_an_old_stress_ng_has_reads_and_writes_in_one_rate() -> None:
    # Figures: github.com/ColinIanKing/stress-ng in a container, public wiki of a comparison of
    # runc with Kata; 10 bytes moved for 4 operations, as stress-stream.c 0.09 counts.
    line = "stress-ng: info:  [{}] stress-ng-stream: memory rate: {} MB/sec, {} Mflop/sec{}\n"
    rates = ((53, 7293.20, 2917.28), (50, 7101.59, 2840.64))
    numbered = "".join(line.format(*each, f" (instance {n})") for n, each in enumerate(rates))
    bare = "".join(line.format(*each, "") for each in rates)
    wrapped = numbered.replace(" (instance", " /\n        (instance")
    for text in (numbered, bare, wrapped):
        (table,) = parse_output(text).tables
        assert gbps(table) == pytest.approx({"mix-3:2": (7293.20 + 7101.59) * MIB / 1e9})
        assert (table.threads, table.corrections) == (2, ())
    (wrong,) = parse_output(numbered.replace("2917.28", "3917.28")).tables
    assert "4 operations for 10 bytes" in wrong.corrections[0]


def test_the_traffic_that_pcm_memory_saw() -> None:
    (found,) = case("c06").charts
    assert isinstance(found, LinkTables)
    (table,) = found.tests
    assert table.rows == ("socket 0", "socket 1", "all")
    assert table.cells[0] == pytest.approx((27.47896, 7.22579, 34.70475))
    assert table.cells[2] == pytest.approx((57.10347, 15.03715, 72.14062))
    wrong = parse_output(text_of("c06").replace("72140.62", "92140.62"))
    assert any("72.14 GB/s read and written, and 92.14 in all" in each for each in wrong.notes)


def test_the_matrices_of_rocm_bandwidth_test() -> None:
    (found,) = case("c12").charts
    assert isinstance(found, LinkTables)
    one_way, both = found.tests
    assert one_way.cells == ((None, 84.364), (84.147, 212.419))
    assert both.cells == ((None, 83.489), (83.489, None))
    assert one_way.rows[1] == "1 AMD Radeon Graphics"
    assert found.about.version == "2.6.0"


def test_a_misspelt_heading_of_rocm_bandwidth_test_is_read() -> None:
    text = text_of("c12").replace("Bidirectional copy", "Bdirectional copy")
    (found,) = parse_output(text).charts
    assert isinstance(found, LinkTables)
    assert [each.test for each in found.tests] == ["copies one way", "copies both ways"]


def test_a_matrix_of_several_devices_is_not_that_of_the_last() -> None:
    text = (
        "RocmBandwidthTest Version: 2.5.1\n\nDevice: 0,  AMD Ryzen 9 3950X 16-Core Processor\n"
        "Device: 1,  Vega 20 [Radeon VII],  GPU-9f5071,  0d:0.0\n{}\n"
        "Unidirectional copy peak bandwidth GB/s\nD/D  0  1  2\n"
        "0  N/A  7.177  14.106\n1  7.151  594.097  47.080\n2  14.277  81.621  1302.073\n"
    )
    for second, processor in (
        ("Device: 2,  Navi 21 [Radeon RX 6800],  GPU-XX,  10:0.0", None),
        ("Device: 2,  Vega 20 [Radeon VII],  07:0.0", "Vega 20 [Radeon VII]"),
    ):
        (found,) = parse_output(text.format(second)).charts
        assert found.about.processor == processor
        assert isinstance(found, LinkTables)
        assert "within a device, read and written" in found.tests[0].description


def test_traffic_has_no_slot_to_check() -> None:
    text = text_of("c06").replace(" 7811.36", "   39.66")
    (found,) = parse_output(text).charts
    (result,) = interpreted((), NO_USER_FACTS, [found])
    words = " ".join(each.text for each in conclusions(result.result.document))
    assert "GB/s" in words
    assert "slot" not in words
    assert "MB/s GB/s" not in words


def test_generated_tokens_are_the_least_that_was_read() -> None:
    (table,) = case("c60").tables
    # 14.17 tokens/s x 3.56 GiB.
    assert gbps(table) == pytest.approx({"load": 14.17 * 3.56 * 2**30 / 1e9})
    assert table.about.processor == "Mac mini M1"
    assert any("least that was read" in each for each in case("c60").notes)


def test_llama_bench_as_json() -> None:
    entries = [
        {"model_type": "llama 7B Q4_0", "model_size": 3825065984, "n_prompt": 512, "n_gen": 0},
        {"model_type": "llama 7B Q4_0", "model_size": 3825065984, "n_prompt": 0, "n_gen": 128},
        {"model_type": "qwen3moe 30B.A3B Q4_K", "model_size": 18e9, "n_prompt": 0, "n_gen": 128},
    ]
    rates = [{"avg_ts": rate, "n_threads": 8} for rate in (40.2, 11.5, 30.0)]
    text = json.dumps([one | other for one, other in zip(entries, rates, strict=True)])
    parsed = parse_output(text)
    (table,) = parsed.tables
    assert gbps(table) == pytest.approx({"load": 11.5 * 3.825065984})
    assert table.threads == 8
    assert any("has experts" in each for each in parsed.notes)


@pytest.mark.parametrize("lines", [False, True])
def test_llama_bench_as_csv_and_as_lines_of_json(lines: bool) -> None:
    rows = [
        {
            **{"build_commit": "abc", "cpu_info": "AMD EPYC 9654, 96 cores", "gpu_info": ""},
            **{"backends": "CPU", "model_type": "llama 7B Q4_0", "model_size": "3825065984"},
            **{"n_threads": "16", "n_prompt": prompt, "n_gen": generated, "avg_ts": rate},
        }
        for prompt, generated, rate in (("512", "0", "300.5"), ("0", "128", "60.25"))
    ]
    text = ",".join(rows[0]) + "\n"
    text += "".join(",".join(f'"{each}"' for each in row.values()) + "\n" for row in rows)
    if lines:
        numbers = ("model_size", "n_threads", "n_prompt", "n_gen", "avg_ts")
        as_numbers = [row | {key: float(row[key]) for key in numbers} for row in rows]
        text = "".join(json.dumps(row) + "\n" for row in as_numbers)
    (table,) = parse_output(text).tables
    assert gbps(table) == pytest.approx({"load": 60.25 * 3.825065984})
    assert table.about.processor == "AMD EPYC 9654, 96 cores"
    assert (table.threads, table.line) == ((None, 0) if lines else (16, 1))


def test_llama_bench_on_a_gpu_names_the_gpu() -> None:
    entry = {"model_type": "llama 7B", "model_size": 3825065984, "n_prompt": 0, "n_gen": 128}
    entry |= {"avg_ts": 130.0, "cpu_info": "AMD Ryzen", "gpu_info": "NVIDIA H100", "n_threads": 8}
    (table,) = parse_output(json.dumps([entry | {"backends": "CUDA"}])).tables
    assert (table.about.processor, table.threads) == ("NVIDIA H100", None)


COPIES = """\
          RocmBandwidthTest Version: 2.6.0

================    Unidirectional Benchmark Result    ================
================ Src Device Id: 0 Src Device Type: Cpu ================
================ Dst Device Id: 2 Dst Device Type: Gpu ================

Data Size      Avg Time(us)   Avg BW(GB/s)   Min Time(us)   Peak BW(GB/s)
64 MB          2800.000       23.967         2700.000       24.855
512 MB         21500.000      24.970         21400.000      25.087
"""


def test_copies_of_rocm_bandwidth_test_between_two_devices() -> None:
    (one, both) = parse_output(COPIES + COPIES.replace("Unidir", "Bidir")).charts
    assert isinstance(one, LinkTables)
    assert isinstance(both, LinkTables)
    assert one.tests[0].rows == ("64 MB", "512 MB")
    assert one.tests[0].cells == ((23.967, 24.855), (24.97, 25.087))
    assert (one.heading, one.about.version) == ("CPU 0 to GPU 2", "2.6.0")
    assert (one.tests[0].test, both.tests[0].test) == ("copies one way", "copies both ways")


def test_a_table_of_stream_in_markdown() -> None:
    rows = [line.split() for line in text_of("04").splitlines()[1:]]
    text = "| Function | Best Rate MB/s | Avg time | Min time | Max time |\n|---|--:|--:|--:|--:|\n"
    text += "".join(f"| **{row[0]}** | {' | '.join(row[1:])} |\n" for row in rows)
    (table,) = parse_output(text).tables
    assert gbps(table) == gbps(only("04"))


def test_long_names_of_devices_are_shortened_and_stay_apart() -> None:
    long = "Intel(R) Xeon(R) Platinum 8480+ of a system with a long name"
    text = text_of("c12").replace("AMD Eng Sample: 100-000001243-50_Y", long)
    (chart,) = parse_output(text).charts
    (result,) = interpreted((), NO_USER_FACTS, (chart,))
    names = result.result.document.tests[0].rows
    assert len(set(names)) == 2
    assert all(len(each) <= 40 for each in names)


def test_speedups_of_petsc_without_rates_are_no_rates() -> None:
    # Figures: a public report on a course that used PETSc.
    text = "I ran make streams:\n\nnp  speedup\n1 1.0\n2 1.76\n3 1.45\n4 0.82\n"
    with pytest.raises(UsageError, match="speedups of PETSc's streams without the rates"):
        parse_output(text)

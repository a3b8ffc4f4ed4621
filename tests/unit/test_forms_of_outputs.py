"""Forms in which people post outputs: parts of lines, comments, headers that do not fit.

Figures are those that were published, with their source next to them; the texts around them are
made for these tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cases import gbps, text_of
from test_public_cases import found_in

from streamgage.analysis.user_facts import UserFacts
from streamgage.comparison.interpret import interpret
from streamgage.errors import UsageError
from streamgage.interop.charts import LinkTables, LoadedCurves, NodeMatrix, SizeLatencies
from streamgage.interop.formats import parse_output
from streamgage.results.interpreted import interpreted

NAMED_RATES = """Test: copy
MByte/s:                101478.93

Test: load
MByte/s:                108615.61

Test: store
MByte/s:                86856.92
"""
"""Figures: notes on an AMD Ryzen AI Max+ 395 in a public repository."""


def test_each_rate_of_likwid_bench_has_the_name_above_it() -> None:
    tables = parse_output(NAMED_RATES).tables
    found = {kernel: rate for each in tables for kernel, rate in gbps(each).items()}
    assert found == pytest.approx({"copy": 101.47893, "load": 108.61561, "init": 86.85692})


def test_a_rate_of_likwid_bench_never_has_the_name_below_it() -> None:
    with pytest.raises(UsageError, match="the name of its test is missing"):
        parse_output("MByte/s:                101478.93\nTest: load\n")


MATRIX = """Measuring idle latencies (in ns)...
                Numa node
Numa node            0       1
       0          82.1   141.0   // local is fine
       1         141.5    81.5   <- so is this
"""
LOADED = """Measuring Loaded Latencies for the system
Using Read-only traffic type
Inject  Latency Bandwidth
Delay   (ns)    MB/sec
00050  123.71   131282.0
{odd}
00200   94.56    42695.4
"""
"""Figures: community.intel.com, thread 1126268 (two Xeon Silver 4110)."""


def test_comments_behind_the_rows_of_a_matrix_are_passed_over() -> None:
    (matrix,) = parse_output(MATRIX).charts
    assert isinstance(matrix, NodeMatrix)
    assert matrix.nanoseconds == ((82.1, 141.0), (141.5, 81.5))


@pytest.mark.parametrize(
    ("odd", "delays", "note"),
    [
        ('"00100   98.94    68357.8" <--- expected more', [200, 100, 50], None),
        ("00100  (was wrong)", [200, 50], "Line 6 was left out"),
    ],
)
def test_one_odd_line_does_not_end_a_curve(odd: str, delays: list[int], note: str | None) -> None:
    parsed = parse_output(LOADED.format(odd=odd))
    (curves,) = parsed.charts
    assert isinstance(curves, LoadedCurves)
    assert [each.delay for each in curves.curves[0].loads] == delays
    assert any(note in each for each in parsed.notes) if note else parsed.notes == ()


def test_the_single_idle_latency_of_mlc_is_that_of_its_buffer() -> None:
    # Figures: documentation of test beds of FD.io CSIT (Apache-2.0), MLC 3.5.
    text = (
        "Intel(R) Memory Latency Checker - v3.5\nCommand line parameters: --idle_latency\n\n"
        "Using buffer size of 2000.000MB\nEach iteration took 202.0 core clocks ( 80.8    ns)\n"
    )
    (chart,) = parse_output(text).charts
    assert isinstance(chart, SizeLatencies)
    assert [(each.bytes, each.nanoseconds) for each in chart.points] == [(2000 << 20, 80.8)]
    assert chart.title == "Intel MLC 3.5, idle latency of a working set of 2000 MiB"


@pytest.mark.parametrize(
    ("above", "unit"),
    [
        ("Decimal GB/s (x1000 for MB/s):", 1e9),
        ("Values are decimal **GB/s** (`MB/s / 1000`).", 1e9),
        ("Rates in GB/s. The peak is 921600 MB/s.", 1e9),
        ("# Result (GB/s)", 1e9),
    ],
)
def test_the_unit_of_a_table_is_not_that_of_a_remark(above: str, unit: float) -> None:
    # Figures: a public guide to Azure's HBv4 (176 threads).
    rows = "| Config | Copy | Scale | Add | Triad |\n|---|---|---|---|---|\n"
    (table,) = parse_output(f"{above}\n\n{rows}| all | 693 | 697 | 825 | 818 |\n").tables
    assert gbps(table) == pytest.approx(
        {
            name: rate * unit / 1e9
            for name, rate in (("copy", 693), ("scale", 697), ("add", 825), ("triad", 818))
        }
    )


def test_a_label_without_a_header_moves_no_figure_to_another_kernel() -> None:
    head = "STREAM, GB/s\n\n| Copy | Scale | Add | Triad |\n|---|---|---|---|\n"
    (table,) = parse_output(f"{head}| node1 | 11.5 | 12.5 | 13.5 | 14.5 |\n").tables
    assert gbps(table) == {"copy": 11.5, "scale": 12.5, "add": 13.5, "triad": 14.5}
    assert table.heading == "node1"


def test_columns_without_a_header_above_the_kernels_keep_their_names() -> None:
    text = (
        "| before (GB/s) | after (GB/s) |\n|---|---|\n| Copy | 11.5 | 21.5 |\n| Add | 13 | 23 |\n"
    )
    tables = parse_output(text).tables
    assert [(each.heading, gbps(each)["copy"]) for each in tables] == [
        ("before", 11.5),
        ("after", 21.5),
    ]


def test_a_row_with_a_cell_too_few_is_not_read_by_guess() -> None:
    head = "GB/s\n\n| Config | Copy | Scale | Add | Triad |\n|---|---|---|---|---|\n"
    with pytest.raises(UsageError, match=r"line 5 has 4 cells below a header of 5"):
        parse_output(f"{head}| 11.5 | 12.5 | 13.5 | 14.5 |\n")


def stream(factor: float) -> str:
    rows = (("Copy", 16), ("Scale", 16), ("Add", 24), ("Triad", 24))
    shown = [
        f"{name}: {9000 * factor:.1f} {seconds:.6f} {seconds:.6f} {seconds:.6f}"
        for name, moved in rows
        if (seconds := moved * 20e6 / (9e9 * factor))
    ]
    return "\n".join(["Function    Best Rate MB/s  Avg time     Min time     Max time", *shown, ""])


@pytest.mark.parametrize(
    ("first", "second", "offered"),
    [
        ("## run 1", "## run 2", True),
        ("## t3.xlarge", "## t4g.xlarge", False),
        ("## With bandwidth 500000", "## With bandwidth 900000", False),
    ],
)
def test_together_is_only_offered_for_what_may_be_runs(
    tmp_path: Path, first: str, second: str, offered: bool
) -> None:
    path = tmp_path / "x"
    path.write_text(f"{first}\n\n{stream(1.0)}\n{second}\n\n{stream(1.1)}", "utf-8")
    said: list[str] = []
    interpret([path], UserFacts(), said.append)
    (apart,) = [each for each in said if "same settings" in each]
    assert ("--together" in apart) is offered
    if offered:
        assert "If the machine and the command were the same" in apart


TINYMEMBENCH = """ C copy backwards                    :   3636.8 MB/s (10, 29.4%)
 C copy backwards (32 byte blocks)   :   1298.6 MB/s (10, 0.2%)
 C copy backwards (64 byte blocks)   :   1171.7 MB/s (10, 0.5%)
 C copy                              :   2971.3 MB/s (3)
"""
"""Figures: a public comparison of boards (github.com/nuumio/tinymembench)."""


def test_nobody_is_told_to_enlarge_arrays_of_a_fixed_size() -> None:
    parsed = parse_output(TINYMEMBENCH)
    (result,) = interpreted(parsed.tables, UserFacts())
    said = found_in(result)["uneven-kernels"].text
    assert "larger arrays" not in said
    assert "(2 ways between them)" in said
    assert any("varied by 29.4 % between its passes" in each for each in parsed.notes)


def test_a_line_of_mbw_without_its_rate_is_named() -> None:
    # Figures: a public collection of results on virtual machines.
    text = (
        "0\tMethod: MEMCPY\tElapsed: 0.05773\tMiB: 1024.00000\tCopy: 17737.437 MiB/s\n"
        "1\tMethod: MEMCPY\tElapsed: 0\n"
    )
    assert "Line 2 was left out: the rate of its copy is missing." in parse_output(text).notes


@pytest.mark.parametrize(
    ("started", "threads", "instances"), [("dispatching hogs: 64 stream", 64, 64), ("", None, 1)]
)
def test_stress_ng_with_the_average_of_its_instances(
    started: str, threads: int | None, instances: int
) -> None:
    # Figures: a public report on a server with 64 instances (an older stress-ng).
    row = "stress-ng: info:  [6126] stream    {} memory rate ({} per sec) (average per stressor)\n"
    parsed = parse_output(
        f"stress-ng: info:  [6126] {started}\n"
        f"{row.format(7669.86, 'MB')}{row.format(3067.94, 'Mflop')}"
    )
    (table,) = parsed.tables
    assert table.threads == threads
    assert gbps(table)["mix-3:2"] == pytest.approx(7669.86 * 2**20 / 1e9 * instances)
    assert any("how many ran" in each for each in parsed.notes) is (threads is None)


@pytest.mark.parametrize("mark", ["", "// ", "# ", "> "])
@pytest.mark.parametrize(("option", "strided"), [("-t ", False), ("", True)])
def test_latencies_of_lmbench(mark: str, option: str, strided: bool) -> None:
    text = text_of("w01").replace(" -t ", f" {option}").replace("\n", f"\n{mark}")
    parsed = parse_output(text)
    (chart,) = parsed.charts
    assert isinstance(chart, SizeLatencies)
    assert len(chart.points) == 30
    ends = [(each.bytes, each.nanoseconds) for each in (chart.points[0], chart.points[-1])]
    assert ends == [(512, 1.667), (24 << 20, 108.238)]
    assert any("Prefetchers follow a stride" in each for each in parsed.notes) is strided


def test_matrices_of_peers_of_the_cuda_samples() -> None:
    (chart,) = parse_output(text_of("w02")).charts
    assert isinstance(chart, LinkTables)
    assert len(chart.tests) == 5
    first, *_, latencies = chart.tests
    assert first.cells == ((909.49, 21.73), (22.61, 921.83))
    assert (first.unit, latencies.unit) == ("GB/s", "ns")
    assert latencies.cells == ((1330.0, 12840.0), (11440.0, 1310.0))  # and not those of the CPU
    assert chart.about.processor == "NVIDIA GeForce RTX 4090"


@pytest.mark.parametrize(("local", "above"), [("909.49", False), ("1230.5", True)])
def test_a_copy_within_a_device_above_its_peak_is_named(local: str, above: bool) -> None:
    text = text_of("w02").replace("909.49", local)
    (result,) = interpreted([], UserFacts(), parse_output(text).charts)
    found = found_in(result)
    assert ("above-peak" in found) is above
    if above:
        assert (
            "within GPU 0, 122 % of the theoretical peak of 1008 GB/s" in found["above-peak"].text
        )


@pytest.mark.parametrize(("unit", "counted"), [("MB", 1.024e6), ("GB", 1e9)])
def test_copies_of_the_cuda_samples(unit: str, counted: float) -> None:
    text = text_of("w03").replace("(MB/s)", f"({unit}/s)")
    if unit == "GB":
        text = text.replace("6343.6", "6.4").replace("6441.1", "6.6").replace("190413.9", "190.4")
    (chart,) = parse_output(text).charts
    assert isinstance(chart, LinkTables)
    (test,) = chart.tests
    assert (test.rows, test.test) == (("host", "device"), "copies of 32 MiB")
    to_device, to_host = (6.4, 6.6) if unit == "GB" else (6343.6, 6441.1)
    assert test.cells[0][1] == pytest.approx(to_device * counted / 1e9)
    assert test.cells[1][0] == pytest.approx(to_host * counted / 1e9)


def test_a_machine_of_some_megabytes_a_second_has_no_large_caches() -> None:
    # Figures: github.com/litex-hub/linux-on-litex-vexriscv, issue 229 (one core of 100 MHz).
    text = (
        "Function     Rate (MB/s)  Avg time   Min time  Max time\n"
        "Copy:               61.3242            0.5232            0.5218            0.5242\n"
        "Scale:              43.6510            0.7349            0.7331            0.7367\n"
        "Add:                56.2504            0.8550            0.8533            0.8562\n"
        "Triad:              48.3942            0.9936            0.9919            0.9957\n"
    )
    (result,) = interpreted(parse_output(text).tables, UserFacts())
    assert "below-4x-rule" not in found_in(result)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("   765.35 MiB  uncore_imc/cas_count_read/ #     0.00 DRAM_BW_Use\n", "perf stat"),
        ("    Global memory bandwidth (GBPS)\n      float   : 32.15\n", "clpeak"),
        ("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1   2.05\n", "the OSU"),
        ("Parallel Research Kernels version 2020\nRate (MB/s): 27243.009853\n", "the Parallel"),
        (" SRC+EXE\\DST    CPU 00    CPU 01\n  CPU 00  ->     92.21    102.51\n", "TransferBench"),
    ],
)
def test_a_refusal_names_the_program_whose_output_is_not_read(text: str, name: str) -> None:
    with pytest.raises(UsageError, match=f"the output of {name}.* is not read"):
        parse_output(text)


BABELSTREAM = """Function    MBytes/sec  Min (sec)   Max         Average
Copy        91018.241   0.00590     0.01087     0.00721
Mul         80014.622   0.00671     0.01173     0.00837
Add         92644.967   0.00869     0.01636     0.01121
Triad       93484.396   0.00861     0.01416     0.01142
Dot         114688.364  0.00468     0.01382     0.00707
"""
"""Figures: a public example of BabelStream 4.0 with OpenMP."""


def test_rates_that_are_repeated_below_their_table_are_no_second_run() -> None:
    again = "\nThe rates are\n\nCopy : 91018.241\nMul : 80014.622\nDot : 114688.364\n"
    (table,) = parse_output(BABELSTREAM + again).tables
    assert len(table.rows) == 5
    with pytest.raises(UsageError, match="several runs is mixed"):
        parse_output(BABELSTREAM + BABELSTREAM.split("\n", 1)[1].replace("Copy ", "Mul  ", 1))


def test_a_sentence_that_ends_with_the_name_of_a_benchmark_is_no_label() -> None:
    text = f"The loop is slow. Indeed from the output of BabelStream\nwe see:\n{BABELSTREAM}"
    parsed = parse_output(text)
    assert (len(parsed.tables), parsed.notes) == (1, ())

"""Traffic that counters saw, as likwid-perfctr, VTune and pcm-memory print it.

The texts have the layouts of the programs' own sources; their figures are made for these tests.
"""

from __future__ import annotations

import pytest

from streamgage.errors import UsageError
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.formats import parse_output

READ, WRITTEN = (61_000.5, 52_000.25), (30_500.25, 26_000.125)
"""MBytes/s of the two threads that read the counters of their socket."""
SECONDS = 2.5


def boxed(rows: list[list[str]]) -> str:
    """The rows as likwid prints a table."""
    width = max(len(row[0]) for row in rows) + 2
    rule = "+" + "+".join(["-" * width, *["-" * 14] * (len(rows[0]) - 1)]) + "+"
    shown = [
        "|" + "|".join([row[0].center(width), *(c.rjust(13) + " " for c in row[1:])]) + "|"
        for row in rows
    ]
    return "\n".join([rule, shown[0], rule, *shown[1:], rule]) + "\n"


def metrics(factor: float = 1.0) -> list[list[str]]:
    """The metrics of a group MEM of four threads on two sockets."""
    read = [READ[0] * factor, 0.0, READ[1] * factor, 0.0]
    written = [WRITTEN[0] * factor, 0.0, WRITTEN[1] * factor, 0.0]
    both = [one + other for one, other in zip(read, written, strict=True)]

    def row(name: str, values: list[float]) -> list[str]:
        return [name, *(f"{each:.4f}" if each else "0" for each in values)]

    return [
        row("Runtime (RDTSC) [s]", [SECONDS] * 4),
        row("CPI", [1.25] * 4),
        row("Memory read bandwidth [MBytes/s]", read),
        row("Memory read data volume [GBytes]", [each * SECONDS / 1e3 for each in read]),
        row("Memory write bandwidth [MBytes/s]", written),
        row("Memory write data volume [GBytes]", [each * SECONDS / 1e3 for each in written]),
        row("Memory bandwidth [MBytes/s]", both),
        row("Memory data volume [GBytes]", [each * SECONDS / 1e3 for each in both]),
    ]


def sums(rows: list[list[str]]) -> list[list[str]]:
    """The rows of sums, least, most and mean that likwid adds for several threads."""
    found = []
    for name, *cells in rows:
        values = [float(each) for each in cells]
        four = (sum(values), min(values), max(values), sum(values) / len(values))
        found.append([f"{name} STAT", *(f"{each:.4f}" for each in four)])
    return found


THREADS = ["HWThread 0", "HWThread 1", "HWThread 24", "HWThread 25"]
HEAD = """\
--------------------------------------------------------------------------------
CPU name:\tIntel(R) Xeon(R) Gold 6248R CPU @ 3.00GHz
CPU type:\tIntel Cascadelake SP processor
CPU clock:\t2.99 GHz
--------------------------------------------------------------------------------
"""


def as_boxes(region: str = "", group: str = "MEM", factor: float = 1.0) -> str:
    """What likwid-perfctr prints for a group, of a region or of a whole run."""
    rows = metrics(factor)
    named = f"Region {region}, Group 1: {group}" if region else f"Group 1: {group}"
    events = [["Event", "Counter", *THREADS], ["CAS_COUNT_RD", "MBOX0C0", "1", "0", "2", "0"]]
    return (
        f"{named}\n{boxed(events)}\n{boxed([['Metric', *THREADS], *rows])}\n"
        f"{boxed([['Metric', 'Sum', 'Min', 'Max', 'Avg'], *sums(rows)])}\n"
    )


def as_csv(region: str = "", group: str = "MEM") -> str:
    """The same as ``-O`` prints it."""
    rows = metrics()
    of_region = f"Region {region}," if region else ""
    lines = [f"TABLE,{of_region}Group 1 Metric,{group},{len(rows)},", f"Metric,{','.join(THREADS)}"]
    lines += [",".join(row) for row in rows]
    lines += [
        f"TABLE,{of_region}Group 1 Metric STAT,{group},{len(rows)},",
        "Metric,Sum,Min,Max,Avg",
    ]
    lines += [",".join(row) for row in sums(rows)]
    name = "CPU name:,Intel(R) Xeon(R) Gold 6248R CPU @ 3.00GHz,,,"
    return "\n".join(["STRUCT,Info,3,,", name, *lines, ""])


def only(text: str) -> LinkTables:
    """The one chart of an output."""
    (chart,) = parse_output(text).charts
    assert isinstance(chart, LinkTables)
    return chart


def rows_of(table: LinkTable) -> dict[str, tuple[float | None, ...]]:
    return dict(zip(table.rows, table.cells, strict=True))


@pytest.mark.parametrize("text", [HEAD + as_boxes(), as_csv()], ids=["boxes", "csv"])
def test_sockets_that_likwid_perfctr_counted(text: str) -> None:
    chart = only(text)
    (table,) = chart.tests
    found = rows_of(table)
    assert list(found) == ["HWThread 0", "HWThread 24", "all"]  # the others count no memory
    assert found["HWThread 24"] == pytest.approx((52.00025, 26.000125, 78.000375))
    assert found["all"] == pytest.approx((113.00075, 56.500375, 169.501125))
    assert chart.about.processor == "Intel(R) Xeon(R) Gold 6248R CPU @ 3.00GHz"
    assert table.test == "traffic MEM"


def test_sums_alone_are_the_traffic_of_all() -> None:
    text = "Group 1: MEM\n" + boxed([["Metric", "Sum", "Min", "Max", "Avg"], *sums(metrics())])
    (table,) = only(text).tests
    assert rows_of(table) == {"all": pytest.approx((113.00075, 56.500375, 169.501125))}


@pytest.mark.parametrize("make", [as_boxes, as_csv])
def test_each_region_of_the_marker_interface_is_a_result(make: object) -> None:
    assert callable(make)
    parsed = parse_output(make("triad") + make("copy"))
    assert [each.heading for each in parsed.charts] == ["triad", "copy"]


def test_halves_of_the_channels_are_not_taken_for_the_whole_memory() -> None:
    parsed = parse_output(as_boxes(group="MEM1") + as_boxes(group="MEM2", factor=0.9))
    (chart,) = parsed.charts
    assert isinstance(chart, LinkTables)
    assert [each.test for each in chart.tests] == ["traffic MEM1", "traffic MEM2"]
    assert any("one half of the memory's channels" in each for each in parsed.notes)


def test_traffic_that_contradicts_its_own_volume_or_sum_is_named() -> None:
    wrong = as_boxes().replace("152501.8750", "190000.0000")
    parsed = parse_output(wrong.replace(f"{SECONDS:.4f}", "5.0000"))
    assert any("contradicts itself" in each and "in 5.0000 s" in each for each in parsed.notes)
    total = "91500.7500"
    assert total in as_boxes()
    parsed = parse_output(as_boxes().replace(total, "99900.7500"))
    assert any("91.5 GB/s read and written, and 99.9 in all" in each for each in parsed.notes)


def test_a_group_without_memory_is_refused_with_the_group_to_use() -> None:
    text = (
        HEAD + "Group 1: FLOPS_DP\n" + boxed([["Metric", "HWThread 0"], ["DP [MFLOP/s]", "812.5"]])
    )
    with pytest.raises(UsageError, match="run it with -g MEM"):
        parse_output(text)


SUMMARY = """\
Elapsed Time: 12.250s
    Memory Bound: 61.4% of Pipeline Slots
        DRAM Bound: 40.2% of Clockticks
    Loads: 13,440,403,200
    Stores: 6,190,185,700

Average DRAM Bandwidth
Package    Total, GB/sec  Average Bandwidth Read, GB/sec  Average Bandwidth Write, GB/sec
---------  -------------  ------------------------------  -------------------------------
package_0         60.300                          40.100                           20.200
package_1         50.100                          33.400                           16.700

Bandwidth Utilization
Bandwidth Domain             Platform Maximum  Observed Maximum  Average  % of Elapsed Time with High BW Utilization(%)
---------------------------  ----------------  ----------------  -------  ---------------------------------------------
DRAM, GB/sec                 218                        171.900  110.400                                          20.9%
DRAM Single-Package, GB/sec  109                         92.900   60.300                                           2.0%
UPI Utilization, (%)         100                         12.000    3.000                                           0.0%
Collection and Platform Info
    CPU
        Name: Intel(R) Xeon(R) Processor code named Icelake
"""  # noqa: E501 - as wide as it prints


def test_the_summary_of_vtune() -> None:
    chart = only(SUMMARY)
    packages, domains = chart.tests
    assert rows_of(packages)["package_1"] == pytest.approx((33.4, 16.7, 50.1))
    assert rows_of(packages)["all"] == pytest.approx((73.5, 36.9, 110.4))
    assert domains.columns == ("average", "highest", "platform's maximum")
    assert rows_of(domains) == {
        "DRAM": (110.4, 171.9, 218.0),
        "DRAM Single-Package": (60.3, 92.9, 109.0),
    }
    assert chart.about.processor == "Intel(R) Xeon(R) Processor code named Icelake"


@pytest.mark.parametrize("separator", [",", ";"])
def test_the_summary_of_vtune_as_csv(separator: str) -> None:
    rows = [
        ["Hierarchy Level", "Metric Name", "Metric Value"],
        ["0", "Elapsed Time", "12.25"],
        ["1", "Bandwidth Domain", "Platform Maximum", "Observed Maximum", "Average",
         "% of Elapsed Time with High BW Utilization(%)"],
        ["1", '"DRAM, GB/sec"', "218.000000", "171.900000", "110.400000", "20.9"],
        ["0", "Collection and Platform Info", ""],
    ]  # fmt: skip
    chart = only("\n".join(separator.join(row) for row in rows) + "\n")
    assert rows_of(chart.tests[0]) == {"DRAM": (110.4, 171.9, 218.0)}


def test_vtune_that_contradicts_itself_is_named() -> None:
    parsed = parse_output(SUMMARY.replace("171.900", "71.900"))
    assert any("110.4 GB/s of DRAM on average, and 71.9 at most" in each for each in parsed.notes)


def test_a_summary_of_vtune_without_bandwidth_is_refused_with_the_analysis_to_run() -> None:
    text = SUMMARY.partition("Average DRAM")[0] + "Collection and Platform Info\n    Name: x\n"
    with pytest.raises(UsageError, match="vtune -collect memory-access"):
        parse_output(text)


GROUPS = ",," + "SKT0," * 5 + "SKT1," * 5 + "System,System,System"
NAMES = "Date,Time," + "Ch0Read,Ch0Write,Mem Read (MB/s),Mem Write (MB/s),Memory (MB/s)," * 2
INTERVALS = "".join(
    f"2026-01-02,10:00:0{n}.100,{read / 2},{read / 4},{read},{read / 2},{1.5 * read},"
    f"{read / 4},{read / 8},{read / 2},{read / 4},{0.75 * read},{1.5 * read},{0.75 * read},"
    f"{2.25 * read}\n"
    for n, read in enumerate((20_000.0, 30_000.0, 40_000.0))
)


def test_the_lines_of_pcm_memory_as_csv() -> None:
    text = f"{GROUPS}\n{NAMES}Read,Write,Memory\n{INTERVALS}"
    chart = only(text)
    mean, busiest = chart.tests
    assert rows_of(mean) == {
        "socket 0": pytest.approx((30.0, 15.0, 45.0)),
        "socket 1": pytest.approx((15.0, 7.5, 22.5)),
        "all": pytest.approx((45.0, 22.5, 67.5)),
    }
    assert "mean of 3 intervals" in mean.description
    assert rows_of(busiest)["all"] == pytest.approx((60.0, 30.0, 90.0))


def test_lines_of_pcm_memory_that_are_cut_off_are_left_out() -> None:
    text = f"{GROUPS}\n{NAMES}Read,Write,Memory\n{INTERVALS}2026-01-02,10:00:04.100,1,2,3\n"
    assert only(text).tests == only(text.rpartition("2026")[0]).tests
    with pytest.raises(UsageError, match="no complete line below its headers"):
        parse_output(f"{GROUPS}\n{NAMES}Read,Write,Memory\n2026-01-02,10:00:04.100,1,2,3\n")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Rows as grep or a screen leaves them, without the line that names the columns.
        ([metrics()[6][:2]], {"all": (None, None, 91.50075)}),
        ([each[:2] for each in metrics()[2:7]], {"all": (61.0005, 30.50025, 91.50075)}),
        (
            [metrics()[6], sums(metrics())[6]],
            {
                "column 1": (None, None, 91.50075),
                "column 3": (None, None, 78.000375),
                "all": (None, None, 169.501125),
            },
        ),
    ],
)
def test_rows_of_likwid_perfctr_without_the_names_of_their_columns_are_read(
    rows: list[list[str]], expected: dict[str, tuple[float | None, ...]]
) -> None:
    text = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    (table,) = only(f"$ likwid-perfctr -C 2 -g MEM ./a.out | grep Memory\n{text}\n").tests
    assert rows_of(table) == {name: pytest.approx(each) for name, each in expected.items()}


def test_rows_of_two_runs_of_likwid_perfctr_without_names_are_two_results() -> None:
    row = "| Memory bandwidth [MBytes/s] | {} |"
    parsed = parse_output(f"{row.format('9150.25')}\n\n{row.format('7800.5')}\n")
    assert len(parsed.charts) == 2

"""Tables of results that people write themselves, in Markdown and CSV."""

from __future__ import annotations

import pytest
from test_cases import gbps

from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output

FOUR = {"copy": 84.3624, "scale": 85.7566, "add": 94.408, "triad": 94.102}
DOWN = """\
### Dual socket

| Kernel | Bandwidth (GB/s) | % of peak |
|:-------|-----------------:|----------:|
| Copy   | 84.3624 | 61.8 % |
| Scale  | 85.7566 | 62.8 % |
| Add    | 94.408  | 69.2 % |
| **Triad** | **94.102** | 68.9 % |
"""
ACROSS = """\
| Machine | Copy | Scale | Add | Triad |
|---------|-----:|------:|----:|------:|
| node01  | 84362.4 | 85756.6 | 94408.0 | 94102.0 |
| node02  | 63100.0 | 64200.0 | 71300.0 | 71012.3 |
"""


def test_kernels_in_rows() -> None:
    (table,) = parse_output(DOWN).tables
    assert gbps(table) == pytest.approx(FOUR)
    assert (table.heading, table.about.tool) == ("Dual socket", "STREAM")


def test_kernels_in_columns_with_their_unit_above() -> None:
    parsed = parse_output(f"Rates in MB/s:\n\n{ACROSS}")
    first, second = parsed.tables
    assert (first.heading, second.heading) == ("node01", "node02")
    assert gbps(first) == pytest.approx(FOUR)
    assert gbps(second)["triad"] == pytest.approx(71.0123)
    assert [each.line for each in parsed.tables] == [5, 6]
    assert any("without times" in each for each in parsed.notes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| Machine ", "| MB/s "),
        ("Copy |", "Copy (MB/s) |"),
        ("94102.0 |", "94,102.0 |"),
        ("| 84362.4 ", "| 84362.4 MB/s "),
        ("| 84362.4 ", "| 84 362.4 ± 12.5 "),
    ],
)
def test_units_and_figures_as_people_write_them(old: str, new: str) -> None:
    above = "" if "MB/s" in new and "Mach" in old else "Rates in MB/s:\n"
    assert gbps(parse_output(above + ACROSS.replace(old, new)).tables[0]) == pytest.approx(FOUR)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_same_as_csv(separator: str) -> None:
    rows = [("Kernel", "GB/s"), *((k.capitalize(), str(v)) for k, v in FOUR.items())]
    (table,) = parse_output("".join(separator.join(row) + "\n" for row in rows)).tables
    assert gbps(table) == pytest.approx(FOUR)


def test_decimal_commas_and_thousands_are_told_apart_by_what_memories_reach() -> None:
    commas = DOWN.replace("84.3624", "84,362").replace("85.7566", "85,757")
    commas = commas.replace("94.408 ", "94,408 ").replace("94.102", "94,102")
    assert gbps(parse_output(commas).tables[0])["triad"] == pytest.approx(94.102)
    thousands = commas.replace("GB/s", "MB/s")
    assert gbps(parse_output(thousands).tables[0])["triad"] == pytest.approx(94.102)


def test_numbers_of_threads_in_columns_are_a_scaling() -> None:
    text = (
        "| Function | 1 thread (GB/s) | 8 threads (GB/s) | Speedup |\n|---|---|---|---|\n"
        "| Copy | 12.1 | 80.2 | 6.6 |\n| Mul | 12.0 | 79.9 | 6.6 |\n| Dot | 13.5 | 90.1 | 6.7 |\n"
    )
    one, eight = parse_output(text).tables
    assert (one.threads, eight.threads) == (1, 8)
    assert one.section == eight.section
    assert (one.about.tool, gbps(eight)["dot"]) == ("BabelStream", 90.1)


def test_numbers_of_threads_in_rows_are_a_scaling() -> None:
    text = "Threads,Copy (GB/s),Triad (GB/s)\n1,12.1,13.0\n8,80.2,88.0\n"
    one, eight = parse_output(text).tables
    assert (one.threads, eight.threads, one.heading) == (1, 8, None)
    assert gbps(eight) == {"copy": 80.2, "triad": 88.0}


def test_a_table_without_a_unit_is_refused_with_its_line_and_figure() -> None:
    with pytest.raises(UsageError, match=r"line 3 has '84362.4' without a unit"):
        parse_output(ACROSS)


def test_a_comma_of_two_meanings_is_refused() -> None:
    text = "| Kernel | GB/s |\n|---|---|\n| Copy | 1,204 |\n| Triad | 1,305 |\n"
    with pytest.raises(UsageError, match=r"'1,204', whose comma may be decimal or not"):
        parse_output(text)

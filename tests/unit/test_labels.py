"""Outputs whose lines have labels, and rows that grep took out of them."""

from __future__ import annotations

import re

import pytest
from foreign_outputs import STREAM
from test_cases import case, gbps, text_of

from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.interop.parsed import ParsedOutput


def labelled(label: str, count: int = 2, text: str = STREAM) -> str:
    """The lines of so many outputs, one of each in turn, with ``label`` of 0, 1 ... before each."""
    lines = text.splitlines()
    return "".join(f"{label.format(n)}{line}\n" for line in lines for n in range(count))


def triads(parsed: ParsedOutput) -> dict[str | None, float]:
    return {each.heading: gbps(each)["triad"] for each in parsed.tables}


ALONE = gbps(parse_output(STREAM).tables[0])


def test_two_tasks_of_srun_whose_lines_are_mixed() -> None:
    parsed = case("c46")
    assert triads(parsed) == pytest.approx({"0": 94.1020, "1": 94.2165})
    assert [each.line for each in parsed.tables] == [51, 52]
    assert {each.threads for each in parsed.tables} == {24}
    assert {each.array_bytes for each in parsed.tables} == {960_000_000}
    assert {each.validated for each in parsed.tables} == {True}


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("{}: ", ["0", "1"]),
        ("[1,{}]<stdout>: ", ["1,0", "1,1"]),
        ("[1,{}]<stdout>:", ["1,0", "1,1"]),
        ("[{}] ", ["0", "1"]),
        ("node0{}: ", ["node0", "node1"]),
        ("rack-{}.cluster: ", None),
        ("stream_{}  | ", ["stream_0", "stream_1"]),
        ("[pod/stream-{}/main] ", ["pod/stream-0/main", "pod/stream-1/main"]),
        ("logs/stream-{}.log:", ["logs/stream-0.log", "logs/stream-1.log"]),
        ("n{}\t", ["n0", "n1"]),
    ],
)
def test_each_label_is_an_output_of_its_own(label: str, names: list[str] | None) -> None:
    parsed = parse_output(labelled(label))
    assert [gbps(each) for each in parsed.tables] == [ALONE, ALONE]
    if names is not None and "0{}" not in label:
        assert [each.heading for each in parsed.tables] == names
    assert all(each.threads == 96 for each in parsed.tables)


def test_numbers_of_lines_from_grep_are_no_part_of_a_label() -> None:
    rows = [line for line in STREAM.splitlines() if re.match(r"\w+: +[0-9]", line)]
    text = "".join(f"a.log:{n}:{row}\n" for n, row in enumerate(rows, 30))
    (table,) = parse_output(text).tables
    assert gbps(table) == ALONE


def test_a_single_label_is_no_heading() -> None:
    (table,) = parse_output(labelled("0: ", 1)).tables
    assert (gbps(table), table.heading) == (ALONE, None)


def test_the_triads_of_four_nodes_prove_each_other() -> None:
    parsed = case("c48")
    assert triads(parsed) == pytest.approx(
        {"node03": 94.1020, "node01": 94.2165, "node04": 94.3608, "node02": 71.0123}
    )
    # Rate x time / 24 bytes: 120.00 million elements on all nodes.
    assert parsed.tables[0].array_bytes == pytest.approx(960e6, rel=1e-4)
    assert len({each.array_bytes for each in parsed.tables}) == 1
    assert [each.line for each in parsed.tables] == [2, 3, 4, 5]
    assert any("node02 by 25 %" in each for each in parsed.notes)
    assert any("120 million elements" in each for each in parsed.notes)


def test_rows_that_fit_no_other_are_left_out_by_the_name_of_their_node() -> None:
    text = text_of("c48").replace("0.030605", "0.020605").replace("0.030568", "0.027568")
    parsed = parse_output(text)
    # That of one node still has a round number of elements.
    assert set(triads(parsed)) == {"node04"}
    assert [each for each in parsed.notes if "left out: node03: it holds rows of STREAM" in each]


def test_rows_of_grep_without_names_are_a_table_each() -> None:
    text = re.sub(r"node[0-9]+: ", "", text_of("c48").partition("\n")[2])
    parsed = parse_output(text)
    assert [gbps(each)["triad"] for each in parsed.tables] == pytest.approx(
        [94.1020, 94.2165, 94.3608, 71.0123]
    )


def test_a_single_row_is_proved_by_a_round_number_of_elements() -> None:
    row = "Triad:          94102.0     0.030677     0.030605     0.030880\n"
    (table,) = parse_output(row).tables
    assert table.array_bytes == pytest.approx(960e6, rel=1e-4)
    with pytest.raises(UsageError):
        parse_output(row.replace("94102.0", "94657.3"))  # 120.71 million elements


def test_rows_of_babelstream_prove_themselves_by_their_own_columns() -> None:
    text = "".join(
        f"gpu{n}.log:Triad       {rate}  {best}     {worst}     {mean}\n"
        for n, (rate, best, worst, mean) in enumerate(
            [
                ("268480.000", "0.030000", "0.031000", "0.030400"),
                ("134240.000", "0.060000", "0.061000", "0.060400"),
            ]
        )
    )
    parsed = parse_output(text)
    assert {each.about.tool for each in parsed.tables} == {"BabelStream"}
    assert triads(parsed) == pytest.approx({"gpu0.log": 268.48, "gpu1.log": 134.24})


def test_a_node_that_ansible_names_is_the_heading() -> None:
    text = f"node1 | CHANGED | rc=0 >>\n{STREAM}\nnode2 | CHANGED | rc=0 >>\n{STREAM}"
    parsed = parse_output(text)
    assert [each.heading for each in parsed.tables] == ["node1", "node2"]


def test_a_node_on_one_line_as_ansible_writes_it() -> None:
    joined = STREAM.strip().replace("\n", "\\n")
    parsed = parse_output(f"node1 | CHANGED | rc=0 | (stdout) {joined}\n")
    (table,) = parsed.tables
    assert (gbps(table), table.heading) == (ALONE, "node1")


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2007"])
def test_blanks_that_do_not_break_a_line_are_blanks(blank: str) -> None:
    (table,) = parse_output(STREAM.replace(" ", blank)).tables
    assert gbps(table) == ALONE


@pytest.mark.parametrize("comment", ["  # best of three", "  <- copy is memcpy", " (+21 %)"])
def test_comments_behind_rows_are_passed_over(comment: str) -> None:
    text = re.sub(r"(?m)^(Copy|Triad)(:.*)$", rf"\1\2{comment}", STREAM)
    (table,) = parse_output(text).tables
    assert gbps(table) == ALONE


def test_columns_that_run_together_are_parted() -> None:
    (table,) = case("c29").tables
    assert gbps(table) == pytest.approx(
        {
            "copy": 2979.008268,
            "scale": 2890.738861,
            "add": 3301.423655,
            "triad": 3314.891033,
            "dot": 1837.655013,
        }
    )
    # 2979 GB/s x 0.18 ms / 16 bytes are the 268.4 MB that it names.
    assert [row.seconds for row in table.rows] == [18e-5, 19e-5, 24e-5, 24e-5, 29e-5]
    glued = re.sub(r"(?m)^((?:Copy|Scale|Add|Triad):) +([^\n]+)$", _glue, STREAM)
    assert gbps(parse_output(glued).tables[0]) == ALONE


def _glue(row: re.Match[str]) -> str:
    return f"{row[1]} {''.join(row[2].split())}"


def test_a_refusal_names_the_line_and_the_characters() -> None:
    text = re.sub(r"(?m)^((?:Copy|Scale|Add|Triad):) +[0-9.]+", r"\1 85_678,9,0", STREAM)
    line = next(n for n, each in enumerate(text.splitlines(), 1) if each.startswith("Copy:"))
    with pytest.raises(UsageError) as refused:
        parse_output(text)
    assert f"line {line} has '85_678,9,0' where a figure should be" in str(refused.value)

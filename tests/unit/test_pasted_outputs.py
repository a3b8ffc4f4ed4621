"""One output of STREAM in many forms in which people paste it.

Each gives the same figures, or a refusal that names the line and its characters.
"""

from __future__ import annotations

import re

import pytest
from foreign_outputs import STREAM, stream_table
from pastes import CONTENTS, HEADS, LABELS, PREFIXES, ROW, Paste, mixed, rows_of
from test_cases import gbps

from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.interop.tables import Table

ALONE = gbps(parse_output(STREAM).tables[0])
OF_LOGS = re.compile(r"escaped|Docker's|journalctl -o json|log of a cloud|ansible")
"""What tools make of a whole output, which nobody prefixes again."""
PARTS = re.compile(r"rows|cells$")
"""What takes lines out of an output by how they begin."""
NODES = {
    f"node{n:02d}": stream_table(
        *(rate * (0.75 if n == 2 else 1) for rate in (84.3, 85.7, 94.4, 94.1))
    )
    for n in range(1, 5)
}


def by_name(pastes: tuple[Paste, ...]) -> list[object]:
    return [pytest.param(each, id=each.name) for each in pastes]


def only(text: str) -> Table:
    (table,) = parse_output(text).tables
    return table


@pytest.mark.parametrize("paste", by_name(PREFIXES + CONTENTS))
def test_figures_and_facts_are_those_that_the_benchmark_printed(paste: Paste) -> None:
    table = only(paste.change(STREAM))
    assert gbps(table) == pytest.approx(ALONE)
    if paste.whole:
        assert (table.threads, table.array_bytes, table.validated) == (96, 3_440_640_000, True)


@pytest.mark.parametrize(
    "content", by_name(tuple(each for each in CONTENTS if not OF_LOGS.search(each.name)))
)
def test_what_stands_before_lines_does_not_hide_what_stands_in_them(content: Paste) -> None:
    text = content.change(STREAM).replace("\r", "")
    wrong = [each.name for each in PREFIXES if not _is_right(each.change(text))]
    assert wrong == []


@pytest.mark.parametrize(
    "content", by_name(tuple(each for each in CONTENTS if not PARTS.search(each.name)))
)
def test_labelled_lines_may_be_pasted_again(content: Paste) -> None:
    inner = [e for e in PREFIXES if "wrapped" not in content.name or len(e.change("x\n")) < 12]
    wrong = [
        each.name
        for each in inner
        if each.name != "diff" and not _is_right(content.change(each.change(STREAM)))
    ]
    assert wrong == []


def _is_right(text: str) -> bool:
    try:
        tables = parse_output(text).tables
    except UsageError:
        return False
    return len(tables) == 1 and gbps(tables[0]) == pytest.approx(ALONE)


@pytest.mark.parametrize("lines", ["whole", "rows", "triad"])
@pytest.mark.parametrize("label", LABELS)
def test_a_slow_node_is_named_whatever_stands_before_its_lines(label: str, lines: str) -> None:
    texts = dict(NODES)
    if lines == "rows":
        texts = {node: rows_of(text) for node, text in NODES.items()}
    elif lines == "triad":
        texts = {node: f"{[*ROW.finditer(text)][-1][0]}\n" for node, text in NODES.items()}
    parsed = parse_output(mixed(texts, label))
    rates = {str(each.heading): gbps(each)["triad"] for each in parsed.tables}
    assert sorted(rates.values()) == pytest.approx([70.575, 94.1, 94.1, 94.1], rel=1e-3)
    slow = min(rates, key=rates.__getitem__)
    assert "node02" in slow or slow.endswith("1")  # tasks count from 0
    assert any(f"{slow} by 25 %" in each for each in parsed.notes)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("rows", [False, True], ids=["whole", "triad"])
def test_a_slow_node_is_named_by_the_line_before_its_output(head: str, rows: bool) -> None:
    texts = {n: f"{[*ROW.finditer(t)][-1][0]}\n" if rows else t for n, t in NODES.items()}
    parsed = parse_output("".join(f"{head.format(n)}\n{text}" for n, text in texts.items()))
    names = [str(each.heading) for each in parsed.tables]
    assert [each.partition(".")[0] for each in names] == list(NODES)
    assert any(f"{names[1]} by 25 %" in each for each in parsed.notes)


@pytest.mark.parametrize("name", ["NPS{}", "SNC{}", "{} threads", "gcc-1{}", "run {}"])
def test_headings_that_are_settings_are_no_nodes(name: str) -> None:
    text = "".join(f"{name.format(n)}\n{text}" for n, text in enumerate(NODES.values(), 1))
    parsed = parse_output(text)
    assert len(parsed.tables) == 4
    assert not any("below the median" in each for each in parsed.notes)


def test_a_row_a_node_as_a_script_prints_it() -> None:
    rows = {n: [*ROW.finditer(t)][-1][0] for n, t in NODES.items()}
    parsed = parse_output("".join(f"{node}   {row}\n" for node, row in rows.items()))
    assert [each.heading for each in parsed.tables] == list(NODES)
    # The equal sizes of the arrays prove the columns.
    assert [each.array_bytes for each in parsed.tables] == pytest.approx([2e9] * 4, rel=1e-3)


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ("85_678,9,0 {1} {2} {3}", "'85_678,9,0' where a figure should be"),
        ("{0} O.O1OO67 {2} {3}", "'O.O1OO67' where a figure should be"),
        ("n/a {1} {2} {3}", "'n/a' where a figure should be"),
        ("{0};{1};{2};{3}", "where a figure should be"),
        ("{0}/{1}/{2}/{3}", "where a figure should be"),
        ("{0} {1}", "2 of 4 figures"),
        ("{0}? {1}? {2}? {3}?", "'{0}?' where a figure should be"),
        ("######## {1} {2} {3}", "'########' where a figure should be"),
        ("{0} ... {3}", "'...' where a figure should be"),
        ("[{0}] [{1}] [{2}] [{3}]", "'[{0}]' where a figure should be"),
        ("{0} 10.067ms 10.045ms 10.089ms", "'10.067ms' where a figure should be"),
        ("{0}", "1 of 4 figures"),
        ("{0} \u00a6 {1} \u00a6 {2} \u00a6 {3}", "'\u00a6' where a figure should be"),
        ("{0} ({1}, {2}, {3})", "where a figure should be"),
    ],
)
def test_a_refusal_names_the_line_and_what_stopped_it(figures: str, words: str) -> None:
    first = ROW.search(STREAM)
    assert first is not None
    line = STREAM.count("\n", 0, first.start()) + 1
    text = ROW.sub(
        lambda row: f"{row['kernel']}:     {figures.format(*row['figures'].split())}", STREAM
    )
    with pytest.raises(UsageError) as refused:
        parse_output(text)
    expected = re.escape(words.format(*first["figures"].split()))
    assert re.search(rf"line {line} has (?:'[^']+' )?{expected}", str(refused.value))


@pytest.mark.parametrize("names", [("Kopie", "Skal", "Plus", "Drei"), ("xCopy", "xSc", "xA", "xT")])
def test_a_refusal_names_a_kernel_that_is_none(names: tuple[str, ...]) -> None:
    text = STREAM
    for old, new in zip(("Copy", "Scale", "Add", "Triad"), names, strict=True):
        text = text.replace(f"{old}:", f"{new}:")
    with pytest.raises(UsageError, match=rf"line 19 has '{names[0]}' where the name of a kernel"):
        parse_output(text)


def test_thousands_that_blanks_separate_are_one_figure() -> None:
    text = ROW.sub(lambda row: re.sub(r"([0-9]{3}\.[0-9] )", r" \1", row[0], count=1), STREAM)
    assert "685 041.8" in text
    assert gbps(only(text)) == pytest.approx(ALONE)


def test_a_figure_behind_the_columns_is_a_comment() -> None:
    text = ROW.sub(lambda row: f"{row[0]}   12", STREAM)
    assert gbps(only(text)) == pytest.approx(ALONE)

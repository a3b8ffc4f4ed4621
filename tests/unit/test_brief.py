"""A terminal without room for a page shows the answer, and says how to see the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from example_results import every_kind, of_document
from msgspec.structs import replace

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.trust import WORDS
from streamgage.show.brief import BELOW
from streamgage.show.page import RATE, Axis, Cell, Column, Lines, Page, Series, Table, Words
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

HEIGHTS = (16, 24, 40)


def screen(lines: int | None, width: int = 80) -> Terminal:
    return Terminal(width, False, UNICODE, lines)


def pages() -> Iterator[tuple[str, Page]]:
    for number, each in enumerate(every_kind()):
        name = f"{each.kind.name}-{number}"
        yield name, each.page
        if each.kind.name != "measure":  # which is made from its records
            spoiled = replace(each.document, taken=0.72)
            yield f"{name}-spoiled", of_document(spoiled, name).page


PAGES = dict(pages())


@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_the_terminal_and_keeps_its_answer(name: str, height: int) -> None:
    page = replace(PAGES[name], first=None)
    whole, shown = render(page, screen(None)), render(page, screen(height))
    room = height - BELOW
    assert shown.count("\n") <= room
    if whole.count("\n") <= room:
        assert shown == whole
        return
    assert shown != whole and shown.splitlines()[-1].startswith(" More         --details")
    assert page.trust is not None
    assert WORDS[page.trust.verdict].upper() in shown
    assert page.headline.split()[0] in shown


@pytest.mark.parametrize("width", [60, 80])
def test_the_verdict_ends_the_headline_where_it_has_room(width: int) -> None:
    page = replace(PAGES["ladder-3"], first=None)
    words = f"{page.headline} {WORDS['quotable'].upper()}"
    *_, last = first = render(page, screen(None, width)).splitlines()[:2]
    assert " ".join(" ".join(first).split()) == words
    assert len(last) == width - 1


def table(rows: int) -> Table[int]:
    return Table([Column("row", lambda row: Cell(f"row {row}"))], range(rows))


def page_with(
    body: Sequence[Table[int] | Words] = (),
    findings: Sequence[Finding] = (),
    plots: Sequence[Lines] = (),
    tables: Sequence[Table[int]] = (),
) -> Page:
    return Page("t", None, body=body, findings=findings, plots=plots, tables=tables)


def test_a_long_table_is_cut_and_says_by_how_much() -> None:
    shown = render(page_with([table(100), Words(["It is so."])]), screen(24))
    assert "It is so." in shown
    cut = re.search(r"^ \.\.\. (\d+) more lines$", shown, re.M)
    assert cut is not None
    assert int(cut[1]) + len(re.findall(r"^ +row \d+$", shown, re.M)) == 100


def test_what_is_said_of_a_table_is_kept_before_its_rows() -> None:
    sentences = [f"Sentence {number}." for number in range(8)]
    shown = render(page_with([table(100), Words(sentences)]), screen(16))
    assert [each for each in sentences if each not in shown] == []
    assert "row 50" not in shown


def test_details_and_files_show_everything() -> None:
    page = page_with(tables=[table(100)])
    for terminal, details in ((screen(None), False), (screen(24), True)):
        shown = render(page, terminal, details=details)
        assert "row 99" in shown and "--details" not in shown


def test_at_most_three_findings_are_shown_each_by_its_first_sentence() -> None:
    findings = [
        Finding(code=f"code-{number}", severity="warning", text=f"it is {number}.5. And more.")
        for number in range(5)
    ]
    shown = render(page_with(findings=findings, tables=[table(100)]), screen(24))
    assert "code-2  It is 2.5." in shown and "And more" not in shown and "code-3" not in shown
    assert "--details, also for 2 findings more" in shown


def curve(name: str, values: Sequence[float | None]) -> Series:
    figures = [
        None if each is None else Estimate(value=each, low=None, high=None) for each in values
    ]
    return Series(name, [float(place + 1) for place in range(len(values))], figures)


def test_a_curve_is_a_line_of_characters_with_its_ends() -> None:
    plot = Lines(
        "Rates",
        "",
        Axis("threads"),
        Axis("GB/s of nominal bytes", RATE),
        [
            curve("bound", [10.0, 40.0, None, 80.0]),
            curve("no", [80.0] * 100),
            curve("none", [None]),
        ],
    )
    page = page_with(plots=[plot], tables=[table(100)])
    shown = render(page, screen(24))
    assert " Rates, 1 to 100 threads\n" in shown
    assert "  bound  ▂▅ █  10.0 to 80.0 GB/s\n" in shown
    assert f"  no     {40 * '█'}  80.0 GB/s\n" in shown
    assert "  none " not in shown
    assert "_" not in shown and "row 1" not in shown
    plain = render(page, Terminal(80, False, ASCII, 24))
    assert "  bound  .= #  10.0 to 80.0 GB/s\n" in plain

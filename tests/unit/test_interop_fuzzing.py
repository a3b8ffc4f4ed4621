"""Whatever a file holds: records, or one sentence; never another error."""

from __future__ import annotations

import math

import pytest
from foreign_outputs import ALL, STREAM, STREAM_HEADER
from hypothesis import example, given, settings
from hypothesis import strategies as st
from programs import REPOSITORY
from test_counted_traffic import GROUPS, INTERVALS, NAMES, SUMMARY, as_boxes, as_csv
from test_more_importers import COPIES
from test_result_tables import ACROSS, DOWN

from streamgage.errors import UsageError
from streamgage.interop import (
    result_tables,
)
from streamgage.interop.formats import FORMATS, parse_output
from streamgage.interop.output_format import Parser
from streamgage.interop.pasted import encodable
from streamgage.results.interpreted import interpreted
from streamgage.results.result import NO_USER_FACTS
from streamgage.show.csv import render as csv
from streamgage.show.formats import as_json as json
from streamgage.show.markdown import render as markdown
from streamgage.show.symbols import ASCII
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.store.load import _refuse_impossible

PARSERS: dict[str, Parser] = {
    **{each.name: each.parse for each in FORMATS},
    "results": result_tables.parse,
    "any": parse_output,
}
CASES = REPOSITORY / "tests" / "data" / "cases"
COUNTED = [as_boxes(), as_csv("triad"), SUMMARY, f"{GROUPS}\n{NAMES}Read,Write,Memory\n{INTERVALS}"]
WRITTEN = [DOWN, f"In MB/s:\n{ACROSS}", COPIES]
OUTPUTS = {
    **dict(enumerate(COUNTED + WRITTEN)),
    **ALL,
    **{path.stem: path.read_text("utf-8") for path in sorted(CASES.glob("*.txt"))},
}
PIECES = [line + "\n" for text in OUTPUTS.values() for line in text.splitlines()]
WORDS = sorted({word for text in OUTPUTS.values() for word in text.split()})
ODD = st.sampled_from(
    [
        *("nan", "inf", "-1", "0", "1e999", "********", "1D+400", "9" * 50, "-", "", "\0", "\r"),
        *("0x10", "1_0", "\u0661\u0662", "\ud800", "1.#QNAN", "+", ".", "e5", "\u2502", "|"),
    ]
)


def check(parse: Parser, text: str) -> None:
    """Records that can be answered and shown, or one sentence."""
    try:
        parsed = parse(encodable(text))
    except UsageError as error:
        sentence = str(error)
        assert sentence
        assert "\n" not in sentence
        assert len(sentence) < 600
        return
    for table in parsed.tables:
        assert all(math.isfinite(row.gbps) and row.gbps > 0 for row in table.rows)
    results = interpreted(parsed.tables, NO_USER_FACTS, parsed.charts)
    own = [each for each in results if not each.is_in_series]
    assert sum(len(e.tables) for each in own for e in each.settings) == len(parsed.tables)
    assert len([each for each in own if not each.settings]) == len(parsed.charts)
    assert own
    for each in results:
        assert each.title
        _refuse_impossible(each.result.document, "it")
        assert json(each.result.printed)
        found = each.result.page
        assert csv(found.data)
        assert markdown(found)
        assert render(found, Terminal(60, False, ASCII))


@pytest.mark.parametrize("parse", PARSERS.values(), ids=list(PARSERS))
@given(text=st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")))
def test_any_text(parse: Parser, text: str) -> None:
    check(parse, text)


@pytest.mark.parametrize("parse", PARSERS.values(), ids=list(PARSERS))
@given(pieces=st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=40))
def test_any_lines_of_known_outputs(parse: Parser, pieces: list[str]) -> None:
    check(parse, "".join(pieces))


@given(
    text=st.sampled_from(list(OUTPUTS.values())),
    cuts=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 40), ODD | st.sampled_from(WORDS)),
        max_size=4,
    ),
)
@settings(max_examples=100)
def test_outputs_with_parts_changed(text: str, cuts: list[tuple[float, int, str]]) -> None:
    for at, length, word in cuts:
        place = int(at * len(text))
        text = text[:place] + word + text[place + length :]
    for parse in PARSERS.values():
        check(parse, text)


@given(
    text=st.sampled_from(list(OUTPUTS.values())),
    pick=st.integers(0, 400),
    word=ODD | st.sampled_from(WORDS) | st.text(max_size=5),
)
@settings(max_examples=100)
def test_outputs_with_one_word_changed(text: str, pick: int, word: str) -> None:
    words = text.split(" ")
    words[pick % len(words)] = word
    check(parse_output, " ".join(words))


@given(text=st.sampled_from(list(OUTPUTS.values())), at=st.floats(0, 1))
@settings(max_examples=100)
@example(text=STREAM, at=0.5)
def test_outputs_cut_off_anywhere(text: str, at: float) -> None:
    check(parse_output, text[: int(at * len(text))])


@pytest.mark.parametrize("name", ALL)
def test_the_outputs_themselves(name: str) -> None:
    check(parse_output, ALL[name])
    assert parse_output(ALL[name]).tables


SC_MEMBENCH = OUTPUTS["t20-sc-membench-two-threads"]
FOUND = [
    # digits that int() and str.isdigit() take and that no C program prints
    STREAM.replace("Array size = 430080000", "Array size = \u0664\u0663\u0660"),
    STREAM.replace("uses 8 bytes", "uses \u0668 bytes"),
    STREAM.replace("counted = 96", "counted = " + "9" * 5000),
    STREAM.replace("Array size = 430080000", "Array size = " + "9" * 5000),
    STREAM_HEADER * 2000,
    "Copy: " * 2000,
    STREAM_HEADER + ("Copy: " * 80 + "\n") * 50,
    "function" * 5000,
    "function,_per_sec," * 2000,
    "phase,max_mbytes_per_sec\n" * 500,
    "Function" + " " * 100_000 + "Rate",
    "LIKWID MICRO BENCHMARK\nTest: copy\nMByte/s:" + "\t" * 100_000,
    "LIKWID MICRO BENCHMARK\n" * 3000,
    "\u2502" * 50_000,
    "-" * 100_000,
    # more threads than a document can have
    SC_MEMBENCH.replace(",2,52,", ",600000,52,"),
    SC_MEMBENCH + "1,read," * 2000,
    "Running a_b_c\n" * 3000,
    '"nvbandwidth" : {' * 3000,
    "Measuring idle latencies\n" * 3000,
    "bw_mem 1 rd\n" * 3000,
]


@pytest.mark.parametrize("text", FOUND, ids=range(len(FOUND)))
@pytest.mark.parametrize("parse", PARSERS.values(), ids=list(PARSERS))
def test_what_was_found_before(parse: Parser, text: str) -> None:
    check(parse, text)

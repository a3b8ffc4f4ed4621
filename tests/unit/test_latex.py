"""``--format latex``: every kind of result as tables for a paper."""

from __future__ import annotations

import re
from typing import Any

import pytest
from example_results import every_kind

from streamgage.results.render import render_result
from streamgage.results.result import Result
from streamgage.show.latex import escape_latex

_UNESCAPED = re.compile(r"(?<!\\)[%#_]|[^\x00-\x7f]")
RESULTS = every_kind()


@pytest.mark.parametrize("loaded", RESULTS, ids=lambda each: f"{each.kind.name}-{each.name}")
def test_every_row_has_as_many_cells_as_the_table_has_columns(loaded: Result[Any]) -> None:
    text = render_result(loaded, "latex")
    tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, re.S)
    assert tables
    for columns, body in tables:
        rows = [
            line for line in body.split("\n") if line.endswith(r" \\") and "multicol" not in line
        ]
        assert len(rows) > 1
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1


@pytest.mark.parametrize("loaded", RESULTS, ids=lambda each: f"{each.kind.name}-{each.name}")
def test_nothing_in_a_table_is_an_order_to_latex_by_accident(loaded: Result[Any]) -> None:
    text = render_result(loaded, "latex")
    for line in text.split("\n"):
        if not line.startswith("%"):
            assert not _UNESCAPED.search(line), line


def test_special_letters_are_shown_as_they_stand() -> None:
    assert escape_latex("50 % of a_b & c") == r"50 \% of a\_b \& c"
    assert escape_latex("20.0 ±0.2") == r"20.0 $\pm$0.2"

"""Several results on one page are compared with the first of them."""

from __future__ import annotations

from pathlib import Path

from example_results import every_kind
from example_sides import run_result
from programs import streamgage

from streamgage.comparison.compare.sides import compare_one_kind
from streamgage.html.comparison import comparison_page
from streamgage.html.page import page
from streamgage.show.page import Table


def test_results_of_one_kind_stand_side_by_side() -> None:
    results = [run_result(20.0, name="a.jsonl"), run_result(25.0, name="b.jsonl", seed=2)]
    found = compare_one_kind(results)
    assert found is not None
    compared = comparison_page(found)
    tables = [each for each in compared.body if isinstance(each, Table)]
    assert [column.title for column in tables[-1].columns][:5] == [
        *("figure", "A", "B", "B over A", "verdict"),
    ]
    text = page(results, comparison=compared)
    assert 'id="comparison"' in text and "The results compared" in text


def test_one_result_or_one_of_each_kind_has_nothing_to_be_compared_with() -> None:
    assert compare_one_kind([run_result()]) is None
    kinds = {each.kind.name: each for each in every_kind()}
    assert compare_one_kind([*kinds.values()]) is None


def test_of_several_kinds_those_are_compared_that_are_most() -> None:
    runs = [each for each in every_kind() if each.kind.name == "measure"]
    found = compare_one_kind([*every_kind()[2:], *runs])
    assert found is not None
    assert (found.kind, len(found.sides)) == ("measure", len(runs))
    assert [each.name for each in found.sides] == [each.name for each in runs]


def test_the_command_compares_what_it_is_given(tmp_path: Path) -> None:
    for name, gbps in (("a.jsonl", 20.0), ("b.jsonl", 25.0)):
        [content] = run_result(gbps, name=name).files.values()
        (tmp_path / name).write_bytes(content)
    shown = streamgage("report", "a.jsonl", "b.jsonl", "--format", "md", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    head, _, rest = shown.stdout.partition("## The results compared")
    assert "## Overview" in head and "triad plain" in rest and "faster" in rest
    alone = streamgage("report", "a.jsonl", "--format", "md", folder=tmp_path)
    assert "## The results compared" not in alone.stdout

"""No conclusion is firmer than its run, in any kind of result, command, format and picture."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from example_results import every_kind
from example_scale import machine_of, scaling_of

from streamgage.analysis.conclusion import fact, if_so, no_firmer, sound, texts, undecided
from streamgage.analysis.finding import Finding
from streamgage.analysis.trust import trust_of
from streamgage.comparison.compare.comparison import comparison
from streamgage.errors import UsageError
from streamgage.programs.predict.judge import predicted
from streamgage.results.kinds import NAMES
from streamgage.results.render import FORMATS, render_result
from streamgage.results.result import Result
from streamgage.show.page import NO_QUOTE, Lines, Plot, Ring
from streamgage.show.picture import figure_of
from streamgage.show.traces import drawings

WHY = "other programs used 72 % of the CPUs"
LOAD = Finding(code="other-load", severity="spoiled", text="Others ran.", reason=WHY)
RESULTS = [each for each in every_kind() if each.called != "two-modes.jsonl"]
ANOTHER = next(each for each in every_kind() if each.called == "two-modes.jsonl")
KINDS = pytest.mark.parametrize("result", RESULTS, ids=lambda each: each.kind.name)


def spoiled(result: Result[Any], finding: Finding = LOAD) -> Result[Any]:
    """The same result, of a run that the finding spoiled."""
    own = result.kind.findings
    kind = dataclasses.replace(
        result.kind, findings=lambda document: [finding, *own(document)], facts=()
    )
    return dataclasses.replace(result, kind=kind)


def test_there_is_an_example_of_every_kind() -> None:
    assert {each.kind.name for each in RESULTS} == set(NAMES)


@KINDS
def test_of_a_spoiled_run_no_conclusion_is_firm(result: Result[Any]) -> None:
    words = spoiled(result).words
    assert words.trust.verdict == "not-quotable"
    assert {each.grade for each in words.conclusions} <= {"none", "fact"}
    assert "sound" not in {each.grade for each in words.findings}
    firm = [each for each in result.words.conclusions if each.grade != "fact"]
    if firm and result.trust.verdict != "not-quotable":
        assert words.conclusions[0].text == f"No conclusion: {WHY}."
        assert len([each for each in words.conclusions if each.grade == "none"]) == 1 + len(firm)


@KINDS
@pytest.mark.parametrize("form", FORMATS)
def test_no_format_writes_a_firm_conclusion_of_a_spoiled_run(
    result: Result[Any], form: str
) -> None:
    if form not in result.kind.formats or result.trust.verdict == "not-quotable":
        return
    busy = spoiled(result)
    if form == "json":
        assert "sound" not in set(grades_in(json.loads(render_result(busy, form))))
        return
    try:
        written = plain(render_result(busy, form))
    except UsageError as error:
        assert form == "stream", error  # this run lacks some of STREAM's kernels
        return
    for each in (*busy.words.conclusions, *busy.words.findings):
        if each.grade == "none":
            written = written.replace(plain(each.text), "")
    for sentence in firm_sentences(result):
        assert plain(sentence) not in written


def firm_sentences(result: Result[Any]) -> Iterator[str]:
    """What the result concludes if nothing spoils it."""
    for each in result.words.conclusions:
        if each.grade != "fact":
            yield each.text
    for each in result.words.findings:
        if each.grade == "sound":
            yield each.text


def grades_in(found: object) -> Iterator[str]:
    """All grades in a decoded document."""
    if isinstance(found, dict):
        if isinstance(found.get("grade"), str):
            yield found["grade"]
        for each in found.values():
            yield from grades_in(each)
    elif isinstance(found, list):
        for each in found:
            yield from grades_in(each)


def plain(text: str) -> str:
    """The letters and digits of a text, which no format changes."""
    return re.sub(r"[^a-z0-9]", "", text.casefold())


@KINDS
def test_a_picture_of_a_spoiled_run_says_so_and_marks_no_conclusion(result: Result[Any]) -> None:
    page = spoiled(result).page
    assert all(each.stamp == NO_QUOTE for each in page.plots)
    assert not any(isinstance(mark, Ring) for plot in page.plots for mark in marks_of(plot))
    if page.plots and "picture" in result.kind.gives:
        drawn = figure_of(page)
        assert NO_QUOTE in [text.get_text() for text in drawn.texts]
    for plot in page.plots:
        layouts = [each.layout for each in drawings(plot)]
        assert all(NO_QUOTE in [a["text"] for a in each["annotations"]] for each in layouts)
    if result.trust.verdict != "not-quotable":
        assert not any(each.stamp for each in result.page.plots)


def marks_of(plot: Plot) -> Sequence[object]:
    """The marks of a plot of lines; other plots have none."""
    return plot.marks if isinstance(plot, Lines) else ()


@KINDS
def test_load_by_others_spoils_every_kind(result: Result[Any]) -> None:
    if result.kind.facts:
        return  # it is judged with the records, which say whether the load was felt
    busy = msgspec.structs.replace(result.document, taken=0.72)
    assert result.kind.words(busy).trust.verdict == "not-quotable"


@KINDS
def test_a_comparison_with_a_spoiled_run_concludes_nothing(result: Result[Any]) -> None:
    labelled = msgspec.structs.replace(result.document, label="another")
    other = ANOTHER if result.kind.facts else dataclasses.replace(result, document=labelled)
    for sides in ([[other], [spoiled(result)]], [[spoiled(result)], [other]]):
        found = comparison(sides, fail_below=0.5)
        ratios = [each for figure in found.figures for each in figure.ratios]
        assert {each.verdict for each in ratios} <= {"no conclusion", None}
        assert {each.grade for each in found.conclusions} <= {"none", "fact"}
        assert found.acceptance is not None and found.acceptance.passed is None
        if ratios:
            assert "is not quotable" in found.acceptance.text


def test_a_prediction_says_what_the_scaling_says() -> None:
    document = scaling_of(machine_of())
    curve = document.curves[0]
    assert [each.grade for each in predicted(document, 2).conclusions] == ["sound", "sound"]
    unclear = msgspec.structs.replace(curve, saturated=None, open_because="noise")
    open_ = msgspec.structs.replace(document, curves=[unclear], recommended=[])
    last = predicted(open_, 2, placement=curve.placement, kernel=curve.kernel).conclusions[-1]
    assert last.grade == "undecided"
    assert "it is not clear whether more would gain, because the rounds scatter" in last.text
    busy = msgspec.structs.replace(document, taken=0.72)
    assert {each.grade for each in predicted(busy, 2).conclusions} == {"none"}


def test_the_reason_comes_first_and_every_part_depends_on_it() -> None:
    said = no_firmer([sound("Triad rises. The cores are the limit.")], trust_of([LOAD]))
    assert texts(said) == [
        f"No conclusion: {WHY}.",
        "If that had no influence: triad rises; the cores are the limit.",
    ]
    assert if_so("MPI gains.") == "If that had no influence: MPI gains."


def test_facts_hold_whatever_happened() -> None:
    said = no_firmer([sound("It is fast."), fact("1 run failed.")], trust_of([LOAD]))
    assert [each.grade for each in said] == ["none", "none", "fact"]
    assert said[-1].text == "1 run failed."
    assert no_firmer([fact("1 run failed.")], trust_of([LOAD])) == [fact("1 run failed.")]


def test_a_run_with_care_keeps_its_conclusions() -> None:
    care = trust_of([Finding(code="steal", severity="warning", text="A little.")])
    known = [sound("It is fast."), undecided("More may gain.")]
    assert no_firmer(known, care, None) == known

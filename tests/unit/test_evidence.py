"""Kernels that nobody asked for: measured to judge the others by, and shown nowhere."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from checked_runs import alone_records, checked_run
from example_records import END, validation
from guests import memory_bound
from traffic_runs import Guest

from streamgage.analysis.sample_rates import samples_of_variants
from streamgage.analysis.traffic.bracket import BRACKETS, evidence_for
from streamgage.analysis.traffic.scene import Scene
from streamgage.analysis.traffic.verdict import judge_traffic
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import AnyRecord, Sample, Variant
from streamgage.records.run import collect
from streamgage.results.measure import KIND
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.rates_alone import rates_alone
from streamgage.results.result import Result
from streamgage.show.csv import render as csv_of
from streamgage.show.markdown import render as markdown_of
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace
BETWEEN = ("daxpy", "sdaxpy")
"""The kernels that triad lies between."""


def triad() -> list[AnyRecord]:
    """The records of a run of triad alone."""
    return alone_records("triad", BETWEEN)


def spoilt(spoil: Callable[[int], float], keep: int = 1000) -> Result[Measure]:
    """The answer with the samples of evidence longer by what ``spoil`` says of their number."""
    evidence = {
        each.id for each in triad() if isinstance(each, Variant) and each.purpose == "evidence"
    }
    records = []
    for each in triad():
        if isinstance(each, Sample) and each.variant in evidence:
            if each.block >= keep:
                continue
            each = change(each, seconds=each.seconds * spoil(each.block))  # noqa: PLW2901
        records.append(each)
    return judge_measure(collect([*records, change(END, stopped_by="budget")]))


def codes(shown: Result[Measure]) -> set[str]:
    return {each.code for each in shown.words.findings}


def test_triad_alone_is_judged_as_it_is_among_others() -> None:
    alone = judge_measure(collect(triad())).document.kernels
    among = [
        each for each in judge_measure(checked_run()).document.kernels if each.kernel == "triad"
    ]
    assert [each.alpha for each in alone] == [each.alpha for each in among]
    assert [each.hardware_gbps for each in alone] == [each.hardware_gbps for each in among]
    assert [each.alpha.verdict for each in alone] == ["full", "full", "at-most"]


def test_without_evidence_nothing_can_be_told() -> None:
    alone = judge_measure(collect(alone_records("triad", ())))
    assert {each.alpha.verdict for each in alone.document.kernels} == {"cannot-tell"}
    assert all("were not measured" in (each.alpha.why or "") for each in alone.document.kernels)


def test_evidence_is_shown_nowhere() -> None:
    shown = judge_measure(collect(triad()))
    page = shown.page
    texts = [
        render(page, Terminal(100, False, UNICODE), details=True),
        csv_of(page.data),
        markdown_of(page),
        shown.words.quote,
        str(page),
        str(list(KIND.headlines(shown.document))),
        str(list(KIND.rates(shown.document))),
    ]
    for text in texts:
        assert text is not None
        assert "triad" in text.lower()
        assert "daxpy" not in text.lower()
    assert {each.kernel for each in shown.document.kernels} == {"triad"}
    assert {each.variant.kernel for each in samples_of_variants(shown.run)} == {"triad"}
    assert shown.document.tunings == []
    assert len(shown.run.tunings) == 1


def test_it_is_in_the_document_next_to_the_forced_reads() -> None:
    shown = judge_measure(collect(triad())).document
    checks = [(each.kernel, each.purpose, each.valid) for each in shown.checks]
    assert sorted(checks) == [
        ("daxpy", "evidence", True),
        ("sdaxpy", "evidence", True),
        ("triad", "forced-read", True),
    ]


def test_the_rates_alone_are_those_of_kernels_that_were_asked_for() -> None:
    assert {
        each.kernel for each in rates_alone(collect(triad()), UserFacts()).document.kernels
    } == {"triad"}


def test_a_wrong_result_of_it_is_an_error_that_names_it() -> None:
    wrong = next(
        each for each in triad() if isinstance(each, Variant) and each.purpose == "evidence"
    )
    shown = judge_measure(collect([*triad(), validation(wrong.id, valid=False)]))
    found = next(each for each in shown.words.findings if each.code == "invalid")
    assert found.severity == "error"
    assert "daxpy regular, for comparison (3 of" in found.text


def test_its_samples_are_no_unsettled_figure_and_no_finding() -> None:
    assert codes(spoilt(lambda _: 1.0, keep=7)) == codes(spoilt(lambda _: 1.0))
    assert "two-modes" not in codes(spoilt(lambda block: 1.0 + block % 2 / 2))


@pytest.mark.parametrize("kernel", [name for name, (low, _) in BRACKETS.items() if low])
def test_it_is_enough_to_check_forced_reads(kernel: str) -> None:
    asked = evidence_for([kernel])
    times = memory_bound(1.0, kernels=tuple(BRACKETS))
    measured = {key: time for key, time in times.items() if key[0] in asked}
    scene = Scene(Guest(measured).run(), None, UserFacts())
    assert scene.checked
    assert list(scene.checks) == [kernel]


def test_init_is_judged_by_a_check_of_copy() -> None:
    asked = evidence_for(["init"])
    times = memory_bound(1.0, kernels=("init", "copy"))
    measured = {
        (name, how): time
        for (name, how), time in times.items()
        if name == "init" or (name in asked and (name != "copy" or how == "forced"))
    }
    guest = Guest(measured)
    judged = judge_traffic(guest.run())
    assert judged.crossings[guest.id("init", "plain")].alpha.verdict == "full"
    assert judged.refusals == ()

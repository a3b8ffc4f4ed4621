"""What is measured for the interpretation alone is no figure, and is not judged as one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from checked_runs import checked_records
from example_records import DEFAULT, END, validation

from streamgage.analysis.finding import Finding
from streamgage.analysis.shapes import gain_of
from streamgage.records import AnyRecord, Purpose, Sample, Variant
from streamgage.records.run import Run, collect
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.result import Result

change = msgspec.structs.replace
CHECKS: tuple[Purpose, ...] = ("forced-read", "series")


def variants(purpose: Purpose) -> list[Variant]:
    found = [each for each in checked_records() if isinstance(each, Variant)]
    return [each for each in found if each.purpose == purpose]


def findings(shown: Result[Measure]) -> dict[str, Finding]:
    return {each.code: each for each in shown.words.findings}


def spoilt(purpose: Purpose, factors: Sequence[float], keep: int = 1000) -> Run:
    """The run with every sample of that purpose longer by the factors in turn."""
    numbers = {each.id for each in variants(purpose)}
    taken: dict[int, int] = {}
    records: list[AnyRecord] = []
    for each in checked_records():
        if isinstance(each, Sample) and each.variant in numbers:
            k = taken[each.variant] = taken.get(each.variant, 0) + 1
            if k > keep:
                continue
            each = change(each, seconds=each.seconds * factors[k % len(factors)])  # noqa: PLW2901
        records.append(each)
    return collect([*records, change(END, stopped_by="budget")])


@pytest.mark.parametrize("purpose", CHECKS)
def test_two_groups_of_its_samples_are_no_finding(purpose: Purpose) -> None:
    assert "two-modes" not in findings(judge_measure(spoilt(purpose, (1.0, 1.5))))
    assert "two-modes" in findings(judge_measure(spoilt("rate", (1.0, 1.5))))


@pytest.mark.parametrize("purpose", CHECKS)
def test_few_samples_of_it_are_no_unsettled_figure(purpose: Purpose) -> None:
    assert "not-converged" not in findings(judge_measure(spoilt(purpose, (1.0,), keep=7)))
    few = findings(judge_measure(spoilt("rate", (1.0,), keep=7)))["not-converged"]
    assert "triad plain has 7 samples, but needs 20" in few.text


@pytest.mark.parametrize("purpose", CHECKS)
def test_it_gains_nothing_and_no_shape_is_slower_for_it(purpose: Purpose) -> None:
    run = spoilt(purpose, (3.0,))
    checks = [each for each in run.variants.values() if each.purpose == purpose]
    assert any(each.shape != DEFAULT for each in checks)
    assert [gain_of(run, change(each, tuned=True)) for each in checks] == [None] * len(checks)
    assert "slower-shape" not in findings(judge_measure(run))


def test_a_wrong_result_of_it_is_told_by_name() -> None:
    wrong = [variants(purpose)[0] for purpose in CHECKS]
    invalid = [validation(each.id, valid=False) for each in wrong]
    found = findings(judge_measure(collect([*checked_records(), *invalid])))["invalid"]
    assert found.severity == "error"
    assert "init regular, read forced (3 of" in found.text
    assert "sum regular of the series with 1 thread (3 of" in found.text


def test_a_forced_read_that_fails_makes_every_verdict_cannot_tell() -> None:
    shown = judge_measure(spoilt("forced-read", (1.4,)))
    judged = [each.alpha for each in shown.document.kernels if each.alpha.verdict is not None]
    assert {each.verdict for each in judged} == {"cannot-tell"}
    assert all("the self-test of timing failed" in (each.why or "") for each in judged)
    assert "late-read" not in findings(shown)


def test_ordinary_stores_as_quick_as_forced_reads_read_none_late() -> None:
    records = checked_records()
    samples = {(each.variant, each.block): each for each in records if isinstance(each, Sample)}
    forced = {each.kernel: each.id for each in variants("forced-read")}
    plain = {
        each.id: forced[each.kernel]
        for each in variants("rate")
        if each.store == "plain" and each.kernel in forced
    }
    quick = [
        change(each, seconds=1.01 * samples[plain[each.variant], each.block].seconds)
        if isinstance(each, Sample) and each.variant in plain
        else each
        for each in records
    ]
    shown = judge_measure(collect(quick))
    late = findings(shown)["late-read"].text
    assert "plain" not in late and "copy regular" in late
    judged = [each for each in shown.document.kernels if each.store == "plain"]
    verdicts = {each.kernel: each.alpha.verdict for each in judged}
    assert verdicts["copy"] == verdicts["triad"] == "full"

"""How far results can be trusted: the verdict follows from findings, wherever they stand."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import msgspec
import pytest
from checked_runs import checked_records
from example_records import (
    DISTURBANCE,
    END,
    MACHINE,
    MEMORY,
    good_records,
    place,
    placement,
    stream_records,
    tuned_records,
    validation,
    where_bound,
)
from example_results import every_kind, measured
from example_scale import machine_of, scaling_of

from streamgage.analysis.finding import SEVERITIES, Finding, Severity
from streamgage.analysis.outside import severity_of
from streamgage.analysis.trust import Verdict, trust_of
from streamgage.programs.predict.judge import predicted
from streamgage.records import AnyRecord
from streamgage.results.kinds import words_of
from streamgage.results.render import render_result
from streamgage.results.result import Result
from streamgage.show.brief import BELOW
from streamgage.show.page import Point
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace


def finding(severity: Severity, reason: str = "") -> Finding:
    return Finding(code=f"a-{severity}", severity=severity, text="Seen. Do it.", reason=reason)


@pytest.mark.parametrize(
    ("severities", "verdict"),
    [
        ((), "quotable"),
        (("note", "fact"), "quotable"),
        (("fact", "warning"), "with-care"),
        (("warning", "spoiled"), "not-quotable"),
        (("error",), "not-quotable"),
    ],
)
def test_the_weightiest_finding_decides(severities: tuple[Severity, ...], verdict: Verdict) -> None:
    assert trust_of(finding(each) for each in severities).verdict == verdict


def test_reasons_are_the_weightiest_first_and_leave_notes_out() -> None:
    found = trust_of([finding(each) for each in reversed(SEVERITIES)])
    assert [each.code for each in found.reasons] == ["a-error", "a-spoiled", "a-warning"]


def test_a_reason_is_that_of_the_finding_or_its_first_sentence() -> None:
    found = trust_of([finding("spoiled", "others ran"), finding("warning")])
    assert [each.text for each in found.reasons] == ["others ran", "Seen"]


BUSY = change(DISTURBANCE, other_seconds=0.6 * DISTURBANCE.seconds)
ONE_CPU = placement(place(0), place(0))
SPOILED: dict[str, tuple[AnyRecord, ...]] = {
    "other-load": (BUSY,),
    "steal": (change(DISTURBANCE, steal_seconds=DISTURBANCE.seconds),),
    "fewer-cpus": (ONE_CPU,),
    "below-4x-rule": (change(MEMORY, array_bytes=1 << 20, asked_bytes=1 << 20),),
    "invalid": (validation(3, valid=False),),
    "cpu-quota": (
        change(MACHINE, cpu_quota=1.0),
        change(DISTURBANCE, throttled_seconds=DISTURBANCE.seconds),
    ),
}
"""What is added to a good run, by the finding that spoils it."""


@pytest.mark.parametrize("code", SPOILED)
def test_what_spoils_a_run_is_named_and_its_figures_are_not_quotable(code: str) -> None:
    loaded = measured(where_bound([*good_records(), *SPOILED[code]]))
    assert loaded.trust.verdict == "not-quotable"
    assert code in {each.code for each in loaded.trust.reasons}
    quote = loaded.page.quote
    assert quote.startswith(f"NOT QUOTABLE ({loaded.trust.reasons[0].text}")


def test_a_good_run_is_quotable_and_so_is_a_guests() -> None:
    for more in ((), (change(MACHINE, hypervisor="KVM"),)):
        loaded = measured([*good_records(), *more])
        assert loaded.trust.verdict == "quotable", loaded.trust
        assert "quotable" not in loaded.page.quote.lower()


def test_a_caution_stands_in_the_quote() -> None:
    loaded = measured([*good_records(), change(END, reason="interrupted")])
    assert loaded.trust.verdict == "with-care"
    assert "; with care: the run was stopped early by SIGINT;" in loaded.page.quote


@pytest.mark.parametrize(
    ("share", "in_cpus", "severity"),
    [
        (0.01, 0.3, None),
        (0.05, 0.1, "warning"),
        (0.2, 0.4, "spoiled"),
        (0.03, 0.9, "spoiled"),  # one CPU of thirty: all threads wait for it
    ],
)
def test_load_counts_by_its_share_and_by_the_cpus_that_it_takes(
    share: float, in_cpus: float, severity: Severity | None
) -> None:
    assert severity_of(share, in_cpus) == severity


@pytest.mark.parametrize("loaded", every_kind(), ids=lambda each: each.kind.name)
def test_every_kind_says_it_in_every_format(loaded: Result[Any]) -> None:
    verdict = words_of(loaded.document).trust.verdict
    document = json.loads(render_result(loaded, "json"))
    assert document["trust"]["verdict"] == verdict
    rows = list(csv.DictReader(io.StringIO(render_result(loaded, "csv"))))
    assert {row["trust"] for row in rows} <= {verdict}
    for form in ("table", "markdown"):
        text = render_result(loaded, form)
        assert verdict.replace("-", " ") in text.split("\n\n")[0].lower(), form


def test_a_series_that_was_stopped_is_taken_with_care() -> None:
    whole = scaling_of(machine_of())
    assert words_of(whole).trust.verdict == "quotable"
    found = words_of(change(whole, interrupted=True)).trust
    assert (found.verdict, found.reasons[0].code) == ("with-care", "unfinished")


def test_a_prediction_is_trusted_as_its_scaling_is() -> None:
    scaling = change(scaling_of(machine_of()), interrupted=True)
    assert predicted(scaling, 2).trust == words_of(scaling).trust


def test_stream_has_a_line_for_it_that_parsers_skip() -> None:
    loaded = measured([*stream_records(), BUSY])
    text = render_result(loaded, "stream")
    assert "Trust: not quotable: other programs used" in text


@pytest.mark.parametrize(
    "records",
    [
        good_records(),
        checked_records(),
        tuned_records(),
        *([*good_records(), *e] for e in SPOILED.values()),
    ],
    ids=["good", "checked", "tuned", *SPOILED],
)
def test_the_first_screen_has_at_most_24_lines_and_begins_with_the_answer(
    records: list[AnyRecord],
) -> None:
    loaded = measured(records)
    lines = render(loaded.page, Terminal(80, False, UNICODE)).rstrip("\n").split("\n")
    assert len(lines) <= 24, "\n".join(lines)
    assert max(map(len, lines)) <= 80
    words = {"quotable": "QUOTABLE", "with-care": "WITH CARE", "not-quotable": "NOT QUOTABLE"}
    assert words[loaded.trust.verdict] in lines[0]
    on_terminal = render(loaded.page, Terminal(80, False, UNICODE, 24))
    assert on_terminal.count("\n") <= 24 - BELOW, on_terminal


def test_points_that_may_go_leave_a_full_screen() -> None:
    page = measured().page
    assert page.first is not None
    long = [Point(f"P{number}", "word " * 40, may_go=number) for number in (1, 3, 0, 2)]
    full = change(page, first=change(page.first, points=long))
    text = render(full, Terminal(80, False, UNICODE))
    assert [each.name for each in long if f" {each.name} " in text] == ["P1", "P0"]
    assert text.count("\n") <= 24
    stays = change(page, first=change(page.first, points=[change(e, may_go=0) for e in long] * 2))
    assert render(stays, Terminal(80, False, UNICODE)).count(" P0 ") == 2


def test_what_stood_below_a_point_that_went_has_its_name() -> None:
    page = measured().page
    assert page.first is not None
    points = [
        *(Point("Limit", "word " * 60), Point("Sure", "gone " * 60, may_go=1), Point("", "left")),
        Point("Last", "word " * 60),
    ]
    text = render(
        change(page, first=change(page.first, points=points)), Terminal(80, False, UNICODE)
    )
    assert "gone" not in text
    assert " Sure         left\n" in text

"""What was wrong in the runs of a series is a reason of its trust, as it is of a single run."""

from __future__ import annotations

import json

import msgspec
import pytest
from example_records import DISTURBANCE, END, MACHINE, MEMORY, samples_of, validation
from example_results import repeated
from example_scale import machine_of, scaling_of

from streamgage.analysis.finding import Severity
from streamgage.records import AnyRecord
from streamgage.results.document import Document
from streamgage.results.kinds import words_of
from streamgage.results.run_findings import known_roughly
from streamgage.show.formats import as_json

change = msgspec.structs.replace
HALF_STOPPED = change(DISTURBANCE, throttled_seconds=DISTURBANCE.seconds)
LITTLE_STOPPED = change(DISTURBANCE, throttled_seconds=0.05 * DISTURBANCE.seconds)
FAULTS: list[tuple[str, Severity, list[AnyRecord], str]] = [
    ("invalid", "error", [validation(3, valid=False)], "wrong results in 10 of 10 runs"),
    ("cpu-quota", "spoiled", [HALF_STOPPED], "a CPU quota stopped the threads (up to 50 % of"),
    ("cpu-quota", "warning", [LITTLE_STOPPED], "a CPU quota stopped the threads (up to 2.5 % of"),
    ("niced", "warning", [change(MACHINE, nice=10)], "it ran with a lower priority (nice 10)"),
    ("moved", "warning", samples_of(3, [0.1], moved=1), "bound threads moved in 10 of 10 runs"),
    ("paused", "warning", [change(END, paused_seconds=3.0)], "runs stood still for 30.0 s"),
    (
        "below-4x-rule",
        "warning",
        [change(MEMORY, array_bytes=32 << 20, elements=4 << 20)],
        "arrays are 2.0x the last-level cache, below STREAM's 4x rule",
    ),
    (
        "below-4x-rule",
        "spoiled",
        [change(MEMORY, array_bytes=8 << 20, elements=1 << 20)],
        "arrays are 0.5x the last-level cache, below STREAM's 4x rule",
    ),
]


def test_a_good_series_has_no_faults() -> None:
    assert repeated().faults is None
    assert words_of(repeated()).trust.verdict == "quotable"


@pytest.mark.parametrize(("code", "severity", "more", "reason"), FAULTS)
def test_a_fault_of_its_runs_is_a_reason(
    code: str, severity: Severity, more: list[AnyRecord], reason: str
) -> None:
    words = words_of(repeated(*more))
    found = {each.code: each for each in words.findings}[code]
    assert (found.severity, found.reason[: len(reason)]) == (severity, reason)
    assert words.trust.verdict == ("with-care" if severity == "warning" else "not-quotable")
    assert code in {each.code for each in words.trust.reasons}


def test_faults_are_facts_of_the_document() -> None:
    document: Document = repeated(*samples_of(3, [0.1], moved=1))
    stored = json.loads(as_json(document))
    assert stored["faults"]["moved"] == stored["faults"]["runs"] == 10


def test_two_rounds_show_no_noise() -> None:
    trust = words_of(repeated(rounds=2)).trust
    assert (trust.verdict, trust.reasons[0].code) == ("with-care", "not-converged")
    assert trust.reasons[0].text == "only 2 rounds, so the noise is unknown"


@pytest.mark.parametrize(
    ("low", "high", "severity"),
    [(38.5, 41, None), (39, 42.5, "warning"), (18, 41, "spoiled"), (None, None, None)],
)
def test_a_series_whose_figure_is_rough_says_so(
    low: float | None, high: float | None, severity: Severity | None
) -> None:
    found = known_roughly("triad, node 0 to 0", 40.0, low, high)
    assert (None if found is None else found.severity) == severity
    if found is not None:
        assert found.reason.startswith("triad, node 0 to 0: known to ")


def test_the_width_of_the_headline_counts_in_every_kind_that_has_one() -> None:
    scaling = scaling_of(machine_of())
    curves = [
        change(
            curve,
            points=[
                change(point, gbps=change(point.gbps, high=1.2 * point.gbps.value))
                for point in curve.points
            ],
        )
        for curve in scaling.curves
    ]
    trust = words_of(change(scaling, curves=curves)).trust
    assert [each.code for each in trust.reasons] == ["not-converged"]
    assert "known to 20 % only" in trust.reasons[0].text

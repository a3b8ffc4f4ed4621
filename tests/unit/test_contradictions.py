"""What counts as a contradiction between the results of two runs."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from programs import REPOSITORY

sys.path.append(str(REPOSITORY / "tests" / "spoiled"))

from contradictions import contradictions, summary


def document(
    verdict: str | None = "full",
    alpha: tuple[float, float] | None = (0.9, 1.1),
    bounds: tuple[float, float] = (40.0, 41.0),
    codes: tuple[str, ...] = (),
    limit: str | None = "memory",
    **kernel: object,
) -> dict[str, Any]:
    low, high = alpha or (None, None)
    triad = {"kernel": "triad", "store": "plain", "isa": None, "tuned": False, "threads": 2}
    triad |= {"low_gbps": bounds[0], "high_gbps": bounds[1], "bounded_by": "interval"}
    triad |= {"alpha": {"verdict": verdict, "low": low, "high": high, "evidence": "inferred"}}
    return {
        "kernels": [triad | kernel],
        "findings": [{"code": each} for each in codes],
        "saturation": {"limit": limit},
    }


def kinds(one: dict[str, Any], other: dict[str, Any], drift: float = 0.0) -> list[str]:
    return [each.kind for each in contradictions({"quiet-01": one, "quiet-02": other}, drift)]


def test_equal_results_agree() -> None:
    assert kinds(document(), document()) == []


@pytest.mark.parametrize(
    ("verdict", "alpha"), [("none", (-0.1, 0.1)), ("none", None), ("partial", (0.3, 0.6)),
                           ("at-most", (0.0, 0.5)), ("full", (0.5, 0.8))]
)  # fmt: skip
def test_stores_that_are_judged_differently(
    verdict: str, alpha: tuple[float, float] | None
) -> None:
    assert kinds(document(), document(verdict, alpha)) == ["stores"]


@pytest.mark.parametrize(
    ("verdict", "alpha"),
    [("cannot-tell", None), (None, None), ("at-most", (0.0, 1.0)), ("full", (0.8, 0.95))],
)
def test_a_run_that_says_less_contradicts_nothing(
    verdict: str | None, alpha: tuple[float, float] | None
) -> None:
    assert kinds(document(), document(verdict, alpha)) == []


def test_intervals_that_have_nothing_in_common() -> None:
    assert kinds(document(), document(bounds=(42.0, 43.0))) == ["bounds"]
    assert kinds(document(), document(bounds=(42.0, 43.0)), drift=0.03) == []
    assert kinds(document(), document(bounds=(40.9, 43.0))) == []


@pytest.mark.parametrize(
    "kernel", [{"bounded_by": "range"}, {"disturbed": True}, {"states": [{"gbps": 30}]}]
)
def test_ranges_and_states_claim_no_interval(kernel: dict[str, Any]) -> None:
    assert kinds(document(), document(bounds=(60.0, 61.0), **kernel)) == []


def test_findings_on_facts_do_not_come_and_go_but_those_on_load_may() -> None:
    assert kinds(document(codes=("no-huge-pages",)), document()) == ["finding"]
    assert kinds(document(codes=("other-load", "paused")), document()) == []


def test_another_limit_contradicts_and_an_unknown_one_does_not() -> None:
    assert kinds(document(), document(limit="cores")) == ["limit"]
    assert kinds(document(), document(limit=None)) == []


def test_the_summary_counts_each_kind() -> None:
    found = contradictions({"a": document(), "b": document("none", (0, 0.1), (50, 51))})
    assert summary(found) == "stores 1, limit 0, finding 0, bounds 1"

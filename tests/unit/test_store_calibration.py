"""Verdicts on public tables against what is known of their stores, as docs/validation.md says."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from programs import REPOSITORY
from published_stores import PublicTable, calibration, public_tables

from streamgage.analysis.traffic.likelihood import rates_of
from streamgage.analysis.traffic.odds import (
    INFERRED_ODDS,
    LIKELY_ODDS,
    MOST_SPREAD,
    Posterior,
    posterior_of,
)

TABLES = public_tables()
SHOWN: dict[bool, dict[str, tuple[int, int, int]]] = {
    False: {"inferred": (262, 0, 46), "likely": (9, 0, 0), "excluded": (0, 0, 0)},
    True: {"inferred": (184, 0, 46), "likely": (4, 0, 2), "excluded": (136, 0, 0)},
}
"""Verdicts that are right, wrong and not checked by grade, without the peak and with it."""
UNDECIDED = {False: 387, True: 332}


def test_the_truth_of_most_kernels_is_known() -> None:
    assert len(TABLES) == 176
    known = [basis for table in TABLES for _, basis in table.truth.values()]
    assert {basis: known.count(basis) for basis in sorted(set(known))} == {
        "builds": 7,
        "gcc": 42,
        "peak": 368,
    }


@pytest.mark.parametrize("with_peak", [False, True])
def test_no_verdict_on_a_public_table_is_wrong(with_peak: bool) -> None:
    found = calibration(TABLES, with_peak=with_peak)
    for grade, shown in SHOWN[with_peak].items():
        assert tuple(found[grade, each] for each in ("right", "wrong", "unknown")) == shown, grade
    assert found["none", "undecided"] == UNDECIDED[with_peak]


OF_PROCESSORS: dict[bool, dict[tuple[str, str], int]] = {
    False: {("likely", "right"): 1, ("none", "undecided"): 363},
    True: {
        ("inferred", "right"): 2,
        ("likely", "right"): 4,
        ("likely", "unknown"): 2,
        ("excluded", "right"): 37,
        ("none", "undecided"): 319,
    },
}


@pytest.mark.parametrize("with_peak", [False, True])
def test_four_rates_of_a_processor_seldom_decide(with_peak: bool) -> None:
    tables = [table for table in TABLES if table.node.kind != "gpu"]
    assert len(tables) == 91
    assert dict(calibration(tables, with_peak=with_peak)) == OF_PROCESSORS[with_peak]


def usable(table: PublicTable, peak_gbps: float | None) -> Posterior | None:
    """The posterior of a table that allows a verdict."""
    found = posterior_of(rates_of(table.gbps, peak_gbps))
    if found is None or found.spread > MOST_SPREAD or found.best.alone is not None:
        return None
    return found


def wrong_odds(tables: list[PublicTable], *, with_peak: bool) -> Iterator[float]:
    """The odds that the rates give to what is known to be wrong."""
    for table in tables:
        found = usable(table, table.node.peak_gbps if with_peak else None)
        for kernel, (alpha, _) in table.truth.items() if found is not None else ():
            assert found is not None
            yield found.odds(kernel, "none" if alpha == 1 else "full")


@pytest.mark.parametrize("with_peak", [False, True])
def test_grades_ask_for_more_than_any_wrong_verdict_has(with_peak: bool) -> None:
    most = max(wrong_odds(TABLES, with_peak=with_peak))
    assert most < LIKELY_ODDS < INFERRED_ODDS
    assert most == pytest.approx(17.8 if with_peak else 5.9, rel=0.05)


def test_a_threshold_fitted_to_babelstream_alone_would_be_too_low() -> None:
    others = [table for table in TABLES if table.collection != "benchmarks"]
    fitted = 2 * max(wrong_odds(others, with_peak=True))
    assert fitted < max(wrong_odds(TABLES, with_peak=True))


@pytest.mark.parametrize("collection", sorted({table.collection for table in TABLES}))
@pytest.mark.parametrize("with_peak", [False, True])
def test_grades_hold_in_each_collection_by_itself(collection: str, with_peak: bool) -> None:
    tables = [table for table in TABLES if table.collection == collection]
    assert max(wrong_odds(tables, with_peak=with_peak)) < LIKELY_ODDS


def test_builds_of_one_node_have_no_verdicts_that_contradict_each_other() -> None:
    """If one build is said to read all its lines, no other of the node exceeds it by far."""
    for table in TABLES:
        found = usable(table, None)
        if found is None:
            continue
        for kernel in ("scale", "add", "triad"):
            if found.odds(kernel, "full") < LIKELY_ODDS:
                continue
            moved = found.rates.crossed(found.best.alphas)[kernel].gbps
            assert moved <= table.node.peak_gbps


def test_posteriors_are_shares() -> None:
    for table in TABLES:
        found = posterior_of(rates_of(table.gbps))
        assert found is not None
        assert math.fsum(found.shares) == pytest.approx(1)


def test_the_page_shows_these_counts() -> None:
    page = (REPOSITORY / "docs" / "validation.md").read_text("utf-8")
    for with_peak, name in ((False, "no peak"), (True, "the peak")):
        for grade, (right, wrong, unchecked) in SHOWN[with_peak].items():
            assert f"| {name} | {grade} | {right} | {wrong} | {unchecked} |" in page
        assert f"| {name} | undecided | {UNDECIDED[with_peak]} | | |" in page

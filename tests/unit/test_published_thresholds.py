"""The thresholds of Azure and CSCS next to the peaks: the table of docs/validation.md."""

from __future__ import annotations

import pytest
from programs import REPOSITORY
from published_thresholds import peak_of, row, shares, thresholds

from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.peak.usual import USUAL

PAGE = (REPOSITORY / "docs" / "validation.md").read_text("utf-8")


def by_hardware(part: str) -> ExpectedValue:
    return next(each for each in thresholds() if part in each.hardware)


def test_the_page_has_every_threshold_with_its_shares() -> None:
    missing = [row(each) for each in thresholds() if row(each) not in PAGE]
    assert missing == []
    lines = PAGE.partition("## Thresholds")[2].partition("\n## ")[0].splitlines()
    rows = [
        each for each in lines if (each.startswith("| ") and "CSCS" in each) or "Microsoft" in each
    ]
    assert len(rows) == len(thresholds())


@pytest.mark.parametrize("value", thresholds(), ids=lambda each: f"{each.hardware} {each.low_gbps}")
def test_no_threshold_is_above_its_peak(value: ExpectedValue) -> None:
    found = shares(value)
    assert found is None or found[0] < 1


@pytest.mark.parametrize("hardware", ["EPYC 7742", "EPYC 7003"])
def test_plain_stores_of_zen_are_usual_once_their_reads_count(hardware: str) -> None:
    found = shares(by_hardware(hardware))
    assert found is not None
    nominal, whole = found
    assert nominal < USUAL.low <= whole <= USUAL.high


def test_the_stores_of_grace_cannot_have_read_their_lines() -> None:
    found = shares(by_hardware("GH200 nodes"))
    assert found is not None
    assert USUAL.low < found[0] < 1 < found[1]


def test_peaks_that_are_not_known_are_said() -> None:
    unknown = {each.hardware for each in thresholds() if peak_of(each) is None}
    assert all(f"| {each} |" in PAGE for each in unknown)

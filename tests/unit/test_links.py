"""Copies between the host and devices: from records to the tables, and what is said of them."""

from __future__ import annotations

import json

import msgspec
import pytest
from example_device import DEVICE
from example_links import BYTES, OTHER, RATES, link_records, links_of_devices
from example_records import as_lines, validation
from golden import approved
from schemas import validator

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import UsageError
from streamgage.records import Device
from streamgage.records.run import collect
from streamgage.results.kinds import result_of, result_of_run, words_of
from streamgage.results.links import KIND
from streamgage.results.links.document import LinkCell, Links
from streamgage.results.links.judge import judge_links
from streamgage.results.summarise import summary_of
from streamgage.show.csv import render as csv_of
from streamgage.show.formats import as_json
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.store.load import load_content


def cell(links: Links, test: str, memory: str, device: str = "opencl:0") -> LinkCell:
    (found,) = [each for each in links.tests if each.test == test]
    return next(each for each in found.cells if (each.row, each.column) == (memory, device))


@pytest.mark.parametrize("name", RATES)
def test_each_copy_counts_its_bytes_once(name: str) -> None:
    memory, _, way = name.partition("-")
    found = cell(links_of_devices(), way, memory)
    assert found.value == pytest.approx(RATES[name], rel=0.01)
    assert found.low is not None and found.high is not None
    assert found.low <= found.value <= found.high
    assert found.n == 20
    slower = cell(links_of_devices(), way, memory, "opencl:1")
    assert slower.value == pytest.approx(RATES[name] / 2, rel=0.01)


def test_with_several_rounds_the_bounds_are_over_these() -> None:
    found = cell(links_of_devices(rounds=3), "to-device", "pinned")
    assert (found.n, found.bounded_by) == (3, "range")


def test_what_a_terminal_shows_of_links() -> None:
    result = result_of(links_of_devices())
    approved("links-100.txt", render(result.page, Terminal(100, False, UNICODE)))


def test_the_document_is_of_the_schema_and_read_back() -> None:
    links = links_of_devices()
    validator("links").validate(json.loads(as_json(KIND.printed(links))))
    assert msgspec.json.decode(msgspec.json.encode(links), type=Links) == links
    assert (links.copy_bytes, links.devices) == (BYTES, ["opencl:0", "opencl:1"])
    assert links.described == [DEVICE, OTHER]


def test_every_figure_is_in_the_data() -> None:
    lines = csv_of(result_of(links_of_devices()).page.data).splitlines()
    assert len(lines) == 1 + 2 * len(RATES)
    assert lines[0] == "test,row,column,unit,value,low,high,n,trust"


def test_records_without_the_device_are_refused_by_name() -> None:
    content = as_lines([each for each in link_records() if not isinstance(each, Device)])
    with pytest.raises(UsageError, match=r"^r\.jsonl has no result \(the record that names the"):
        load_content(content, "r.jsonl", "r.jsonl", pytest.fail)


def test_a_wrong_byte_spoils_the_result() -> None:
    links = links_of_devices((DEVICE,), validation(3, valid=False))
    words = words_of(links)
    assert words.trust.verdict == "not-quotable"
    assert [each.code for each in words.findings if each.severity == "error"] == ["invalid"]


def test_a_device_that_fails_is_a_gap_with_its_reason() -> None:
    runs = [
        FreshRun("opencl:0", 1, collect(link_records()), None, None),
        FreshRun("opencl:1", 1, collect([]), "opencl:1: its memory is full.", None),
    ]
    links = judge_links(runs, (DEVICE, OTHER), None, rounds=1, seed=7)
    assert {each.column for test in links.tests for each in test.cells} == {"opencl:0"}
    shown = render(result_of(links).page, Terminal(100, False, UNICODE))
    assert "opencl:1: opencl:1: its memory is full." in " ".join(shown.split())


def test_links_without_a_run_have_no_table() -> None:
    links = judge_links([], (DEVICE,), None, rounds=1, seed=7)
    assert links.tests == []
    shown = render(result_of(links).page, Terminal(100, False, UNICODE))
    assert "Nothing was measured." in shown


def test_the_sentences_are_of_pinned_memory() -> None:
    first, second = words_of(links_of_devices()).verdict
    assert first.startswith("opencl:0, pinned memory: ")
    assert first.endswith("both at once.")
    assert second.startswith("opencl:1")


def test_the_records_of_one_run_are_links() -> None:
    found = result_of_run(collect(link_records()))
    assert isinstance(found.document, Links)
    assert cell(found.document, "to-device", "pinned").value == pytest.approx(24, rel=0.01)


def test_links_are_listed_with_their_devices() -> None:
    summary = summary_of(result_of(links_of_devices()))
    assert summary.processor == "Example GPU (opencl:0), Example GPU (opencl:1)"
    assert summary.array_bytes == BYTES

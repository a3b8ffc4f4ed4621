"""Copies between the host and devices: from records to the tables, and what is said of them."""

from __future__ import annotations

import json
from typing import Literal

import msgspec
import pytest
from example_device import DEVICE
from example_links import (
    BYTES,
    OTHER,
    RATES,
    link_records,
    links_of_devices,
    links_of_gpus,
    peer_records,
)
from example_records import as_lines, validation
from example_results import transfers
from golden import approved
from schemas import validator

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import UsageError
from streamgage.records import Device
from streamgage.records.run import collect
from streamgage.results.kinds import result_of, result_of_run, words_of
from streamgage.results.links import KIND
from streamgage.results.links.comparable import figures
from streamgage.results.links.document import LinkCell, Links, LinkTest
from streamgage.results.links.judge import judge_links
from streamgage.results.summarise import summary_of
from streamgage.show.csv import render as csv_of
from streamgage.show.formats import as_json
from streamgage.show.page import Heat, Plot
from streamgage.show.picture import figure_of
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.show.traces import drawings
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
    assert lines[0] == "test,row,column,unit,value,low,high,n,path,trust"


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
    first, second = words_of(links_of_devices()).sentences
    assert first.startswith("opencl:0, pinned memory: ")
    assert first.endswith("both at once.")
    assert second.startswith("opencl:1")


def test_between_two_devices_each_way_has_a_figure_and_both_have_one() -> None:
    links = links_of_gpus("peer-access", "through-host")
    found = {
        (test.test, each.row, each.column): (each.value, each.path)
        for test in links.tests
        for each in test.cells
        if each.path is not None
    }
    assert found == {
        ("device-to-device", "cuda:0", "cuda:1"): (pytest.approx(42, rel=0.01), "peer-access"),
        ("device-to-device", "cuda:1", "cuda:0"): (pytest.approx(40, rel=0.01), "through-host"),
        ("devices-both-ways", "cuda:0", "cuda:1"): (pytest.approx(70, rel=0.01), "through-host"),
    }
    validator("links").validate(json.loads(as_json(KIND.printed(links))))


def test_what_a_terminal_shows_between_two_devices() -> None:
    result = result_of(links_of_gpus("peer-access", "through-host"))
    approved("links-between-100.txt", render(result.page, Terminal(100, False, UNICODE)))


def test_a_comparison_names_what_is_copied() -> None:
    names = [each.name for each in figures(links_of_gpus()) if each is not None]
    assert len(names) == 2 * len(RATES) + 3
    assert "copies from pinned memory to cuda:1" in names
    assert "copies from cuda:1 to cuda:0" in names
    assert "copies both ways between cuda:0 and cuda:1" in names


def test_the_records_of_a_run_of_two_devices_are_links_between_them() -> None:
    found = result_of_run(collect(peer_records()))
    assert isinstance(found.document, Links)
    assert found.document.devices == ["cuda:0", "cuda:1"]
    assert [each.test for each in found.document.tests] == ["device-to-device", "devices-both-ways"]
    shown = render(found.page, Terminal(100, False, UNICODE))
    assert "Between two devices: 39.9 to 41.9 GB/s one way" in shown
    assert "pageable  " not in shown


def test_that_opencl_measures_nothing_between_devices_is_said() -> None:
    said = "Copies between devices are not measured by OpenCL."
    assert said in result_of(links_of_devices()).page.note
    assert said not in result_of(links_of_devices((DEVICE,))).page.note
    assert said not in result_of(links_of_gpus()).page.note


def test_what_is_known_roughly_is_said_for_people() -> None:
    links = links_of_devices((DEVICE,))
    (test,) = [each for each in links.tests if each.test == "from-device"]
    wide = [
        msgspec.structs.replace(each, low=each.value * 0.7, high=each.value * 1.3, value=99.0)
        if each.row == "pinned"
        else each
        for each in test.cells
    ]
    tests = [msgspec.structs.replace(test, cells=wide)]
    (finding,) = [
        each
        for each in words_of(msgspec.structs.replace(links, tests=tests)).findings
        if each.code == "not-converged"
    ]
    assert finding.reason.startswith("copies from opencl:0 to pinned memory: known to ")


@pytest.mark.parametrize(
    ("devices", "kind", "title"),
    [
        ((DEVICE,), "gpu", "its GPU"),
        ((DEVICE, OTHER), "gpu", "its GPUs"),
        ((DEVICE,), "cpu", "its device"),
        ((DEVICE, OTHER), "accelerator", "its devices"),
    ],
)
def test_the_title_of_the_picture_says_what_the_devices_are(
    devices: tuple[Device, ...], kind: Literal["gpu", "cpu", "accelerator"], title: str
) -> None:
    described = [msgspec.structs.replace(each, kind=kind) for each in devices]
    page = result_of(links_of_devices(described)).page
    assert page.picture == f"Transfers between the host and {title}"


def test_the_axes_of_a_heat_map_say_from_where_to_where() -> None:
    plots = result_of(links_of_devices()).page.plots
    assert [axes_of(each) for each in plots] == [
        ("from memory", "to device"),
        ("to memory", "from device"),
        ("memory", "device"),
    ]
    assert [axes_of(each) for each in result_of(transfers()).page.plots] == [("from CPU", "to GPU")]


def axes_of(plot: Plot) -> tuple[str, str]:
    assert isinstance(plot, Heat)
    return plot.table.columns[0].title, plot.table.over


def test_rates_that_are_close_have_close_colours() -> None:
    close = msgspec.structs.replace(
        links_of_devices(),
        tests=[
            LinkTest(
                test="to-device",
                description="from the host's memory to the device",
                unit="GB/s",
                row_axis="from memory",
                column_axis="to device",
                rows=["pageable", "pinned"],
                columns=["opencl:0"],
                cells=[
                    LinkCell(row="pageable", column="opencl:0", value=21.9),
                    LinkCell(row="pinned", column="opencl:0", value=22.2),
                ],
            )
        ],
    )
    from matplotlib.patches import Rectangle

    page = result_of(close).page
    axes = figure_of(page).axes[0]
    colours = [each.get_facecolor() for each in axes.patches if isinstance(each, Rectangle)]
    assert len(colours) == 2
    assert colours[0][:3] == pytest.approx(colours[1][:3], abs=0.03)
    (trace,) = drawings(page.plots[0])[0].traces
    assert (trace["zmin"], trace["zmax"]) == (0, 22.2)


def test_the_records_of_one_run_are_links() -> None:
    found = result_of_run(collect(link_records()))
    assert isinstance(found.document, Links)
    assert cell(found.document, "to-device", "pinned").value == pytest.approx(24, rel=0.01)


def test_links_are_listed_with_their_devices() -> None:
    summary = summary_of(result_of(links_of_devices()))
    assert summary.processor == "Example GPU (opencl:0), Example GPU (opencl:1)"
    assert summary.array_bytes == BYTES

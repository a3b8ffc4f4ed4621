"""The page of a report: what is in it, and that nothing of a result can act in it."""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from example_compilers import compared
from example_ladder import ladder_of
from example_ladder import machine_of as ladder_machine
from example_latency import latencies_of
from example_records import END, MACHINE, as_lines, good_records, samples_of, steady_times
from example_results import (
    every_kind,
    ignore,
    measured,
    of_document,
    two_modes_records,
    with_findings,
)
from example_scale import asked_of, machine_of, points_of, scaling_of
from foreign_outputs import STREAM
from msgspec.structs import replace

from streamgage.analysis.finding import Finding
from streamgage.explanations import codes
from streamgage.html.markdown import markdown
from streamgage.html.page import page
from streamgage.records import AnyRecord, Machine, Sample, Variant
from streamgage.results.fleet.document import Fleet
from streamgage.results.kinds import NAMES as KINDS
from streamgage.results.kinds import result_of, words_of
from streamgage.results.links.document import Links
from streamgage.results.measure.document import Measure
from streamgage.results.result import Result
from streamgage.results.scale.judge import judge_scale
from streamgage.show.html import embedded
from streamgage.show.page import Cell, Column, Page, Table, Words
from streamgage.store.load import load_content

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028-->"
ALL = every_kind()


class Elements(HTMLParser):
    """Every element with its attributes, the text of scripts, and all that can be read."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]

    def drawings(self) -> Iterator[dict[str, object]]:
        for attributes, text in zip(self.all("script"), self.scripts, strict=True):
            if attributes.get("type") == "application/json":
                yield from json.loads(text)


def hostile_record(record: AnyRecord) -> AnyRecord:
    """The same with markup for names."""
    if isinstance(record, Machine):
        return replace(record, host=HOSTILE, processor=HOSTILE, kernel=HOSTILE)
    if isinstance(record, Variant):
        return replace(record, code=HOSTILE, store=HOSTILE)
    return record


def hostile() -> list[Result[Any]]:
    made = scaling_of(machine_of(), ("compact",), (1, 2))
    content = msgspec.json.encode(made).replace(b"compact", b"@<b>&amp;")
    finding = Finding(code="<b>bold</b>", severity="note", text=HOSTILE)
    return [
        measured([*map(hostile_record, good_records())], HOSTILE),
        load_content(content, HOSTILE, HOSTILE, ignore),
        with_findings([finding], HOSTILE),
    ]


def test_every_kind_of_result_has_a_page() -> None:
    assert {each.kind.name for each in ALL} == set(KINDS)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The page of each kind of result alone, by the result's name."""
    return {each.name: page([each]) for each in ALL}


@pytest.mark.parametrize("loaded", ALL, ids=lambda each: each.name)
def test_a_page_tells_what_the_result_comes_to(loaded: Result[Any], pages: dict[str, str]) -> None:
    shown = " ".join(Elements(pages[loaded.name]).text.split())
    document = loaded.document
    sentences = words_of(document).sentences or [words_of(document).quote or ""]
    assert sentences
    for sentence in sentences:
        assert sentence in shown
    for finding in words_of(document).findings:
        assert finding.text in shown
        assert finding.code in shown
    if not isinstance(document, Fleet | Links):  # of many machines, and of another's output
        assert document.machine is not None
        assert document.machine.kernel in shown


@pytest.mark.parametrize("loaded", ALL, ids=lambda each: each.name)
def test_every_plot_has_its_figures_as_a_table(loaded: Result[Any], pages: dict[str, str]) -> None:
    html = pages[loaded.name]
    plots = re.findall(r"<figure class=\"plot.*?</figure>", html, re.DOTALL)
    assert plots
    for plot in plots:
        assert plot.count("<table") == 1
        assert len(Elements(plot).all("tr")) > 1
        assert re.search(r'class="canvas"[^>]*aria-label="[^"]{40,}', plot)


def test_nothing_of_a_result_becomes_an_element() -> None:
    html = page(hostile())
    found = Elements(html)
    assert not found.all("img")
    assert not [name for _, attributes in found.found for name in attributes if name[:2] == "on"]
    calm = Elements(page([measured(), of_document(scaling_of(machine_of()), "scale.json")]))
    kinds = sorted(str(each.get("type")) for each in found.all("script"))
    assert kinds.count("None") == 1
    assert set(kinds) == {str(each.get("type")) for each in calm.all("script")}
    assert "alert(1)" in found.text
    assert "<b>bold</b>" in found.text


def test_nothing_in_a_plot_is_an_order_to_plotly() -> None:
    names = [
        trace["name"]
        for drawing in Elements(page(hostile())).drawings()
        for trace in drawing["traces"]
        if "name" in trace
    ]
    assert "@&lt;b&gt;&amp;amp;" in names
    assert not [name for name in names if "<" in name]


def test_json_in_a_script_holds_no_end_of_it() -> None:
    text = str(embedded({"a": HOSTILE, "b": "\u2029&"}))
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"a": HOSTILE, "b": "\u2029&"}


@pytest.mark.parametrize("printed", [False, True])
def test_the_policy_lets_the_pages_own_scripts_run_alone(printed: bool) -> None:
    html = page([measured()], printed=printed)
    policy = next(
        str(each["content"])
        for each in Elements(html).all("meta")
        if each.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data: blob:"
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    packed = re.search(r'id="plotly">([^<]*)<', html)
    if packed:
        scripts.append(gzip.decompress(b64decode(packed[1])).decode())
    hashes = {f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'" for each in scripts}
    assert set(rules["script-src"].split()) == hashes
    assert len(hashes) == 2


def test_a_page_names_nothing_outside_itself() -> None:
    for tag, attributes in Elements(page(ALL)).found:
        for name in ("src", "href", "action", "srcset", "data"):
            value = attributes.get(name)
            assert value is None or value == "data:," or value.startswith("#"), (tag, value)


def test_twenty_runs_of_many_samples_stay_small() -> None:
    times = [steady_times(0.04, 1250, seed=seed) for seed in range(4)]
    records = [each for each in two_modes_records() if not isinstance(each, Sample)]
    for variant, each in enumerate(times):
        records += samples_of(variant, each)
    one = measured(records)
    assert one.records is not None
    assert len(one.run.timed_samples()) * 20 == 100_000
    assert len(page([one] * 20).encode()) < 8_000_000


def test_downloads_are_the_bytes_that_came_in() -> None:
    content = as_lines(good_records())
    html = page([load_content(content, "run 7", "20260131T120000Z-node7-1.jsonl", ignore)])
    found = Elements(html)
    names = [each["data-name"] for each in found.all("button")]
    assert names == [
        "run-7.measure.json",
        "20260131T120000Z-node7-1.jsonl",
        "20260131T120000Z-node7-1.samples.csv",
    ]
    packed = [
        gzip.decompress(b64decode(text))
        for attributes, text in zip(found.all("script"), found.scripts, strict=True)
        if attributes.get("type") == "application/octet-stream" and "id" not in attributes
    ]
    assert packed[1] == content
    assert msgspec.json.decode(packed[0])["machine"]["host"] == "node7"


def test_a_document_that_came_in_is_offered_once() -> None:
    html = page([of_document(scaling_of(machine_of()), "scale.json")])
    assert [each["data-name"] for each in Elements(html).all("button")] == ["scale.json"]


def test_a_page_to_print_has_no_downloads() -> None:
    assert not Elements(page([measured()], printed=True)).all("button")


def test_what_is_not_whole_says_so_above_all_else() -> None:
    cut = [record for record in good_records() if record != END]
    html = page([measured(cut)])
    assert html.index("Not whole: Its records stop early") < html.index("The figures")


def test_replayed_counters_are_marked() -> None:
    loaded = measured()
    assert isinstance(loaded.document, Measure)
    first, *others = loaded.document.kernels
    alpha = replace(first.alpha, evidence="replayed", value=1.0)
    document = replace(loaded.document, kernels=[replace(first, alpha=alpha), *others])
    assert "REPLAYED" in page([result_of(document, "replayed")])
    assert "REPLAYED" not in page([loaded])


def test_findings_stand_by_weight_and_explain_themselves() -> None:
    findings = [
        Finding(code="no-counters", severity="note", text="The third."),
        Finding(code="two-modes", severity="warning", text="The second."),
        Finding(code="invalid", severity="error", text="The first."),
        Finding(code="of-a-newer-version", severity="note", text="The fourth."),
    ]
    html = page([with_findings(findings, "run")])
    _, _, section = html.partition(">What to know<")
    places = [section.index(f"The {each}.") for each in ("first", "second", "third", "fourth")]
    assert places == sorted(places)
    assert html.count('class="explanation"') == 3


def test_every_explanation_fits_below_its_finding() -> None:
    findings = [Finding(code=code, severity="note", text="Seen.") for code in codes()]
    html = page([with_findings(findings, "run")])
    levels = [int(tag[1]) for tag, _ in Elements(html).found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(deeper <= level + 1 for level, deeper in pairwise(levels))
    assert html.count('class="explanation"') == len(codes())
    assert all(link["href"].startswith("#") for link in Elements(html).all("a"))


def test_several_results_have_an_overview_that_leads_to_each() -> None:
    found = Elements(page(ALL))
    anchors = {attributes["id"] for attributes in found.all("article")}
    links = [attributes["href"] for attributes in found.all("a")]
    assert {f"#{anchor}" for anchor in anchors} <= set(links)
    assert len(anchors) == len(ALL)
    assert not Elements(page(ALL[:1])).all("nav")


def test_a_comparison_stands_between_the_overview_and_the_results() -> None:
    table = Table([Column[str]("run", Cell, left=True)], ["a"], "Triad")
    compared = Page("What has changed", None, body=[Words(["Nothing."], strong=True), table])
    html = page(ALL[:2], comparison=compared)
    places = [html.index(text) for text in ("Overview", "What has changed", "<article")]
    assert places == sorted(places)


def test_a_result_without_a_machine_has_a_page() -> None:
    loaded = load_content(STREAM.encode(), "stream.txt", "stream.txt", ignore)
    shown = Elements(page([loaded])).text
    assert "Saved output of STREAM" in shown
    assert "Triad" in shown.title()
    assert "Bandwidth of each kernel" in shown


def test_a_document_alone_has_its_table_and_no_samples() -> None:
    whole = measured()
    alone = of_document(whole.document, "result.json")
    assert "The samples over time" in page([whole])
    html = page([alone])
    assert "The samples over time" not in html
    assert "Bandwidth of each kernel" in html
    assert MACHINE.host in html


def nothing_measured() -> dict[str, Result[Any]]:
    """Results that came to nothing."""
    points = points_of(["compact"], [1])
    empty_ladder = replace(ladder_of(ladder_machine()), curves=[], levels=[])
    return {
        "machine alone": measured([MACHINE]),
        "no samples": measured([e for e in good_records() if not isinstance(e, Sample)]),
        "scale": of_document(
            judge_scale([], points, asked_of(["compact"], [1]), machine_of()), "s"
        ),
        "ladder": of_document(empty_ladder, "ladder"),
        "latency without load": of_document(latencies_of(load=None), "latency"),
        "compilers": of_document(
            compared({}, not_built={"gcc -O3": "there is no gcc"}), "compilers"
        ),
    }


@pytest.mark.parametrize("loaded", nothing_measured().values(), ids=nothing_measured())
@pytest.mark.parametrize("printed", [False, True])
def test_a_result_in_which_little_was_measured_has_a_page(
    loaded: Result[Any], printed: bool
) -> None:
    html = page([loaded], printed=printed)
    assert "How it was measured" in html
    assert "None" not in Elements(html).text.replace("None of", "")
    assert markdown([loaded]).startswith("# ")


def test_many_files_of_a_result_are_folded() -> None:
    content = as_lines(good_records())
    files = {f"1-{number}.jsonl": content for number in range(1, 14)}
    loaded = dataclasses.replace(measured(), files=files)
    found = Elements(page([loaded]))
    names = [each["data-name"] for each in found.all("button")]
    assert set(files) < set(names)
    assert "14 files" in found.text

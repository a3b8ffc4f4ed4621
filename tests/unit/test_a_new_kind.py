"""A kind of result that one file declares has every format, a report, a place in the store."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from example_scale import machine_of

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.commands.compare import compare
from streamgage.commands.history import history
from streamgage.commands.load import load
from streamgage.results import kinds
from streamgage.results.comparable import of_rounds
from streamgage.results.document import Document
from streamgage.results.kind import Headline, Kind
from streamgage.results.kinds import result_of
from streamgage.results.render import draw_result, render_result
from streamgage.results.settings import Settings
from streamgage.results.summary import rate_of
from streamgage.show.page import (
    RATE,
    Axis,
    Cell,
    Column,
    Data,
    Datum,
    Lines,
    Page,
    Series,
    Table,
    bounded,
    figure,
)
from streamgage.store.destination import Destination, store_series


class Kettle(Document, frozen=True, kw_only=True, tag="kettle"):
    """How fast water moves."""

    gbps: list[Estimate]


def _page(kettle: Kettle) -> Page:
    cups = list(enumerate(kettle.gbps, 1))
    columns: list[Column[tuple[int, Estimate]]] = [
        Column("cup", lambda each: Cell(str(each[0]), each[0])),
        Column("GB/s", lambda each: figure(each[1])),
    ]
    return Page(
        title="Kettle",
        machine=kettle.machine,
        tables=[Table(columns, cups, title="cups")],
        note="A cup at a time.",
        picture="Kettle",
        plots=[
            Lines(
                title="Cups",
                about="Water over cups.",
                x=Axis("cups"),
                y=Axis("GB/s", RATE, from_zero=True),
                series=[Series("water", [1, 2], kettle.gbps)],
            )
        ],
        data=Data([Datum("cup", lambda each: each[0]), *bounded("gbps", lambda e: e[1])], cups),
    )


KIND = Kind(
    name="kettle",
    document=Kettle,
    page=lambda result: _page(result.document),
    headlines=lambda kettle: [Headline("triad, water", kettle.gbps[0].value)],
    rates=lambda kettle: [rate_of("triad", "plain", 1, 2, kettle.gbps[0])],
    settings=lambda _: Settings(rounds=2),
    findings=lambda _: [Finding(code="other-load", severity="note", text="Somebody made tea.")],
    comparable=lambda result, _: [of_rounds(("cup 1",), result.document.gbps[0], 2)],
)


def kettle_of(gbps: float) -> Kettle:
    rate = Estimate(value=gbps, low=0.99 * gbps, high=1.01 * gbps)
    return Kettle(machine=machine_of(), gbps=[rate, rate])


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, KIND))


def test_its_document_says_of_which_kind_it_is() -> None:
    text = render_result(result_of(kettle_of(20.0)), "json")
    assert json.loads(text)["kind"] == "kettle"
    assert json.loads(text)["findings"][0]["text"] == "Somebody made tea."
    assert kinds.decode_document(text.encode(), "kettle.json") == kettle_of(20.0)


def test_it_has_a_table_in_every_format() -> None:
    assert "20.0 ±0.2" in render_result(result_of(kettle_of(20.0)), "table")
    assert "| 1 | 20.0 ±0.2 |" in render_result(result_of(kettle_of(20.0)), "markdown")
    rows = list(csv.DictReader(io.StringIO(render_result(result_of(kettle_of(20.0)), "csv"))))
    assert rows[0].pop("trust") == "quotable"
    assert rows[0] == {"cup": "1", "median_gbps": "20", "low_gbps": "19.8", "high_gbps": "20.2"}


def test_it_has_a_picture() -> None:
    assert draw_result(result_of(kettle_of(20.0)), Path("x.svg")).startswith(b"<?xml")


def test_it_is_kept_listed_and_shown_again(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    (tmp_path / "runs").mkdir()
    stored = store_series(
        Destination(store), kettle_of(20.0), tmp_path / "runs", print, exit_status=0
    )
    [entry] = history(store=store)
    assert (entry.id, entry.kind, entry.rates[0].median_gbps) == (stored.number, "kettle", 20.0)
    again = load(entry.id, store=store)
    assert again.document == kettle_of(20.0)
    assert again.rates[0]["median_gbps"] == 20.0
    again.report(tmp_path / "report.html")
    assert "Somebody made tea." in (tmp_path / "report.html").read_text("utf-8")


def test_it_is_compared_with_its_like(tmp_path: Path) -> None:
    files = []
    for name, gbps in (("a", 20.0), ("b", 30.0)):
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(render_result(result_of(kettle_of(gbps)), "json"), "utf-8")
    [row] = compare(*files).figures
    assert row.name == "cup 1"
    assert row.ratios[0].value == pytest.approx(1.5)

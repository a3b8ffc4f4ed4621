"""Results whose names are markup: the browser shows them, and runs nothing of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from example_records import good_records
from example_results import ignore, measured, with_findings
from example_scale import machine_of, scaling_of
from msgspec.structs import replace
from report_browser import complaints, draw_all, open_details, opened, requests
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By

from streamgage.analysis.finding import Finding
from streamgage.html.page import page
from streamgage.records import AnyRecord, Machine
from streamgage.results.result import Result
from streamgage.store.load import load_content

SCRIPT = "<script>document.title = 'run'</script>"
IMAGE = "<img src='http://example.invalid/x.png' onerror='document.title = \"run\"'>"
PLACEMENT = "<a href='http://example.invalid/'>compact</a>"


def hostile() -> list[Result[Any]]:
    """A run of a hostile machine, a scaling with a hostile placement, and a hostile finding."""

    def changed(record: AnyRecord) -> AnyRecord:
        if isinstance(record, Machine):
            return replace(record, host=SCRIPT, processor=IMAGE)
        return record

    text = msgspec.json.encode(scaling_of(machine_of(), ("compact",), (1, 2))).decode()
    answer = text.replace('"compact"', json.dumps(PLACEMENT))
    finding = Finding(code="late", severity="note", text=SCRIPT + IMAGE)
    return [
        measured([*map(changed, good_records())], f"{IMAGE}.jsonl"),
        load_content(answer.encode(), SCRIPT, "scale.json", ignore),
        with_findings([finding], SCRIPT),
    ]


def test_markup_in_names_is_text(driver: WebDriver, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(page(hostile()), "utf-8")
    opened(driver, path)
    draw_all(driver)
    open_details(driver)
    shown = driver.find_element(By.TAG_NAME, "body").text
    for markup in (SCRIPT, IMAGE, PLACEMENT):
        assert markup in shown
    assert driver.title == "3 results of streamgage"
    assert driver.find_elements(By.CSS_SELECTOR, "main img, a[href^=http]") == []
    links = driver.execute_script("return document.querySelectorAll('svg a').length")
    assert links == 0
    legends = driver.find_elements(By.CSS_SELECTOR, ".legendtext")
    assert PLACEMENT in [each.get_attribute("textContent") for each in legends]
    assert complaints(driver) == []
    assert [each for each in requests(driver) if "example.invalid" in each] == []

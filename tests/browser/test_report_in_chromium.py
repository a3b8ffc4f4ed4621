"""A report as a reader meets it: plots, tables, themes, downloads, and nothing sent anywhere."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from example_records import as_lines
from example_results import ignore, measured, two_modes_records
from report_browser import (
    DESKTOP,
    PHONE,
    WAIT_SECONDS,
    complaints,
    draw_all,
    open_details,
    opened,
    requests,
    until_ready,
)
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from streamgage.html.page import page
from streamgage.store.load import load_content

MARKS_IN_DATA_AND_PICTURE = """
const lengthOf = (values) =>
  values.bdata ? atob(values.bdata).length / Number(values.dtype.slice(1)) : values.length;
return [...document.querySelectorAll("figure.plot")].map((figure) => {
  const script = figure.querySelector('script[type="application/json"]');
  const select = figure.querySelector(".choice select");
  const drawing = JSON.parse(script.textContent)[select ? Number(select.value) : 0];
  const values = (trace) => {
    const along = trace.orientation === "h" ? trace.x : trace.y;
    return "shared" in along ? drawing.shared[along.shared] : along;
  };
  const known = (trace) => {
    const all = values(trace);
    if (all.bdata) return lengthOf(all);
    const empty = trace.type === "bar" ? [null, 0] : [null];
    return all.filter((each) => !empty.includes(each)).length;
  };
  const of = (kind) => drawing.traces.filter(kind);
  const sum = (traces) => traces.reduce((total, trace) => total + known(trace), 0);
  const count = (selector) => figure.querySelectorAll(selector).length;
  // A line with gaps is several paths of one trace.
  const drawnLines = [...figure.querySelectorAll(".scatterlayer .trace")]
    .filter((each) => each.querySelector("path.js-line")).length;
  const drawnBars = (within) => [...within.querySelectorAll(".barlayer .point path")]
    .filter((each) => each.getBoundingClientRect().height > 0).length;
  const dots = of((each) => each.type === "scatter" && each.mode.includes("markers"));
  const lines = of((each) => each.type === "scatter" && each.mode.includes("lines"));
  const bars = of((each) => each.type === "bar");
  const maps = of((each) => each.type === "heatmap");
  const spreads = of((each) => each.type === "histogram");
  return {
    title: figure.querySelector("figcaption").textContent.trim(),
    dots: [sum(dots), count(".scatterlayer path.point")],
    lines: [lines.length, drawnLines],
    bars: [sum(bars), spreads.length ? sum(bars) : drawnBars(figure)],
    maps: [maps.length, count(".heatmaplayer .hm")],
    spreads: [spreads.length, count(".barlayer .trace") ? spreads.length : 0],
  };
});
"""


@pytest.fixture
def one_run(tmp_path: Path) -> Path:
    """The page of one run."""
    path = tmp_path / "one.html"
    path.write_text(page([measured(two_modes_records())]), "utf-8")
    return path


def test_every_plot_is_drawn_with_all_its_points_and_nothing_is_sent(
    driver: WebDriver, all_kinds: Path
) -> None:
    opened(driver, all_kinds)
    assert draw_all(driver) > 20
    for plot in driver.execute_script(MARKS_IN_DATA_AND_PICTURE):
        expected = {name: each[0] for name, each in plot.items() if name != "title"}
        found = {name: each[1] for name, each in plot.items() if name != "title"}
        assert found == expected, plot["title"]
        assert sum(found.values()) > 0, plot["title"]
    assert complaints(driver) == []
    asked = requests(driver)
    assert all_kinds.as_uri() in asked
    assert [each for each in asked if not each.startswith(("file:", "data:", "blob:"))] == []


def test_plots_are_drawn_when_they_come_into_sight(driver: WebDriver, all_kinds: Path) -> None:
    opened(driver, all_kinds)
    until_ready(driver)
    script = "return document.querySelectorAll('.canvas[data-drawn]').length"
    assert driver.execute_script(script) < 3
    assert draw_all(driver) == driver.execute_script(script)


def test_no_button_offers_to_send_a_plot_away(driver: WebDriver, one_run: Path) -> None:
    opened(driver, one_run)
    draw_all(driver)
    names = {
        each.get_attribute("data-title")
        for each in driver.find_elements(By.CSS_SELECTOR, ".modebar-btn")
    }
    assert names == {"Download plot", "Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"}


def test_a_variant_can_be_chosen(driver: WebDriver, one_run: Path) -> None:
    opened(driver, one_run)
    draw_all(driver)
    choice = Select(driver.find_element(By.CSS_SELECTOR, ".choice select"))
    assert choice.first_selected_option.text == "triad plain"
    canvas = driver.find_element(By.CSS_SELECTOR, "figure:has(.choice) .canvas")
    before = driver.execute_script("return arguments[0]._fullData[0].y[0]", canvas)
    choice.select_by_visible_text("copy streaming")
    after = driver.execute_script("return arguments[0]._fullData[0].y[0]", canvas)
    assert before == pytest.approx(5.03, rel=0.01)
    assert after == pytest.approx(8.95, rel=0.01)


ALL = "details.all table.sortable"
"""The table with every figure."""


def column(driver: WebDriver, number: int) -> list[str]:
    cells = driver.find_elements(By.CSS_SELECTOR, f"{ALL} tbody tr > :nth-child({number})")
    return [each.text for each in cells][:4]


def test_a_table_sorts_by_a_click_and_by_the_keyboard(driver: WebDriver, one_run: Path) -> None:
    opened(driver, one_run)
    driver.execute_script("document.querySelector('details.all').open = true")
    heads = driver.find_elements(By.CSS_SELECTOR, f"{ALL} thead th")[:9]
    assert column(driver, 1) == ["sum plain", "copy plain", "copy streaming", "triad plain"]
    heads[1].find_element(By.TAG_NAME, "button").click()
    assert heads[1].get_attribute("aria-sort") == "ascending"
    assert [each.split()[0] for each in column(driver, 2)] == ["5.03", "6.71", "6.71", "8.94"]
    button = heads[1].find_element(By.TAG_NAME, "button")
    button.send_keys(Keys.ENTER)
    assert heads[1].get_attribute("aria-sort") == "descending"
    assert column(driver, 1)[0] == "copy streaming"
    heads[0].find_element(By.TAG_NAME, "button").send_keys(Keys.SPACE)
    assert heads[0].get_attribute("aria-sort") == "ascending"
    assert heads[1].get_attribute("aria-sort") is None
    assert column(driver, 1) == ["copy plain", "copy streaming", "sum plain", "triad plain"]
    assert "Sorted by kernel" in driver.find_element(By.ID, "said").get_attribute("textContent")


def colours(driver: WebDriver) -> tuple[str, str]:
    """Of the page's ground, and of the ticks of a plot."""
    ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    tick = driver.find_element(By.CSS_SELECTOR, ".canvas .xtick text")
    return ground, tick.value_of_css_property("fill")


def test_the_theme_follows_the_system_until_somebody_chooses(
    driver: WebDriver, one_run: Path
) -> None:
    opened(driver, one_run, scheme="dark")
    draw_all(driver)
    dark = colours(driver)
    opened(driver, one_run, scheme="light")
    draw_all(driver)
    light = colours(driver)
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    choice = Select(driver.find_element(By.ID, "theme"))
    for name, expected in (("dark", dark), ("light", light), ("system", light)):
        choice.select_by_visible_text(name)
        assert colours(driver) == expected
    assert driver.execute_script("return document.cookie") == ""


def test_downloads_are_what_was_measured(driver: WebDriver, tmp_path: Path) -> None:
    content = as_lines(two_modes_records())
    loaded = load_content(content, "run 7", "node7.jsonl", ignore)
    path = tmp_path / "downloads.html"
    path.write_text(page([loaded]), "utf-8")
    opened(driver, path)
    folder = tmp_path / "downloads"
    folder.mkdir()
    behaviour = {"behavior": "allow", "downloadPath": str(folder)}
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    names = ["run-7.measure.json", "node7.jsonl", "node7.samples.csv"]
    buttons = driver.find_elements(By.CSS_SELECTOR, ".downloads button")
    assert [each.text for each in buttons] == names
    for button, name in zip(buttons, names, strict=True):
        button.click()
        WebDriverWait(driver, WAIT_SECONDS).until(lambda _, name=name: (folder / name).is_file())
    assert (folder / "node7.jsonl").read_bytes() == content
    again = load_content((folder / names[0]).read_bytes(), "again", "again", ignore)
    assert again.document == loaded.document
    rows = list(csv.DictReader(io.StringIO((folder / names[2]).read_text("utf-8"))))
    assert loaded.records is not None
    samples = loaded.run.timed_samples()
    assert [float(row["seconds"]) for row in rows] == [each.seconds for each in samples]
    assert {row["kernel"] for row in rows} == {"sum", "copy", "triad"}
    assert {row["epoch"] for row in rows if row["kernel"] == "triad"} == {"0", "1", "2"}
    assert complaints(driver) == []


@pytest.mark.parametrize("unfolded", [False, True])
def test_a_phone_never_scrolls_the_page_sideways(
    driver: WebDriver, all_kinds: Path, unfolded: bool
) -> None:
    opened(driver, all_kinds, size=PHONE)
    if unfolded:
        open_details(driver)
    draw_all(driver)
    assert driver.execute_script("return document.documentElement.scrollWidth") == PHONE[0]
    wide = driver.execute_script(
        "return [...document.querySelectorAll('main *')].filter((each) => !each.closest('.scroll')"
        " && !each.closest('.canvas') && each.getBoundingClientRect().right > 391)"
        ".map((each) => each.outerHTML.slice(0, 80))"
    )
    assert wide == []


def test_a_phone_shows_the_median_next_to_what_it_is_of(driver: WebDriver, all_kinds: Path) -> None:
    opened(driver, all_kinds, size=PHONE)
    until_ready(driver)
    seen = driver.execute_script(
        "return [...document.querySelectorAll('article')].map((article) => {"
        " const all = article.querySelector('details.all');"
        " if (all) all.open = true;"
        " const table = article.querySelector('[aria-labelledby$=-figures] .scroll table');"
        " const cells = [...table.querySelectorAll('tr > :nth-child(2)')];"
        " return [cells[0].textContent, Math.max(...cells.map("
        " (each) => each.getBoundingClientRect().right)), cells.length];})"
    )
    heads = [head for head, _, _ in seen]
    assert [head for head in heads if "median" in head] != []
    # That of compilers is the first kernel: its unit is the head of the names. That of traffic is
    # how much was moved, and that of a program how long it took.
    figures = ("median", "GB/s", "ns", "memory of node", "GPU 0", "copy", "total", "time")
    assert all(any(word in head for word in figures) for head in heads), heads
    assert all(right <= PHONE[0] and number > 1 for _, right, number in seen), seen


def test_without_javascript_all_but_plots_and_downloads_is_there(
    driver: WebDriver, one_run: Path
) -> None:
    opened(driver, one_run, scripts=False)
    shown = driver.find_element(By.TAG_NAME, "body").text
    assert "Without JavaScript the plots and the downloads are missing" in shown
    assert "Triad 3.35 to 5.03 GB/s" in shown
    assert not driver.find_element(By.CSS_SELECTOR, ".canvas").is_displayed()
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_motion_is_left_out_where_it_is_not_wanted(driver: WebDriver, one_run: Path) -> None:
    script = "return getComputedStyle(document.documentElement).scrollBehavior"
    opened(driver, one_run, motion="reduce", size=DESKTOP)
    assert driver.execute_script(script) == "auto"
    opened(driver, one_run, motion="no-preference")
    assert driver.execute_script(script) == "smooth"

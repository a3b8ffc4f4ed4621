"""Reports for those who read by keyboard, by voice, or with little contrast."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from report_browser import draw_all, open_details, opened
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

POOR_CONTRAST = """
const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const groundOf = (element) => {
  for (let each = element; each; each = each.parentElement) {
    const found = rgb(getComputedStyle(each).backgroundColor);
    if (found.length === 3 || found[3] === 1) return found;
  }
  return [255, 255, 255];
};
const poor = new Set();
let seen = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !element.checkVisibility()) continue;
  if (element.closest("script, style, noscript, option, .unseen, .skip")) continue;
  const style = getComputedStyle(element);
  const inside = element.closest("svg");
  const one = light(rgb(inside ? style.fill : style.color));
  const other = light(groundOf(inside ? element.closest(".canvas") : element));
  const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  seen += 1;
  const onMark = element.closest(".heatmaplayer, .barlayer");
  if (!onMark && ratio < (large ? 3 : 4.5))
    poor.add(`${ratio.toFixed(2)} ${element.className} ${element.textContent.slice(0, 40)}`);
}
return [seen, [...poor]];
"""
"""By the formula of WCAG 2.2, success criterion 1.4.3. Text on the marks of a plot is coloured by
Plotly, and the same figures stand in the table below."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_both_themes(driver: WebDriver, all_kinds: Path, scheme: str) -> None:
    opened(driver, all_kinds, scheme=scheme)
    draw_all(driver)
    open_details(driver)
    seen, poor = driver.execute_script(POOR_CONTRAST)
    assert seen > 1000
    assert poor == []


def test_headings_leave_no_level_out(driver: WebDriver, all_kinds: Path) -> None:
    opened(driver, all_kinds)
    levels = [
        int(each.tag_name[1])
        for each in driver.find_elements(By.CSS_SELECTOR, "h1, h2, h3, h4, h5, h6")
    ]
    assert levels.count(1) == 1
    assert levels[0] == 1
    steps = [second - first for first, second in pairwise(levels)]
    assert max(steps) == 1


def test_everything_that_is_used_or_read_has_a_name(driver: WebDriver, all_kinds: Path) -> None:
    opened(driver, all_kinds)
    draw_all(driver)
    open_details(driver)
    tree = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    wanted = {"button", "combobox", "link", "table", "region", "navigation", "figure", "heading"}
    unnamed = [
        node["role"]["value"]
        for node in tree
        if not node["ignored"]
        and node["role"]["value"] in wanted
        and not node.get("name", {}).get("value", "").strip()
    ]
    roles = {node["role"]["value"] for node in tree if not node["ignored"]}
    assert unnamed == []
    assert roles >= {"main", "banner", "contentinfo", "navigation", "table", "columnheader"}


def test_ids_are_unique_and_what_is_referred_to_is_there(
    driver: WebDriver, all_kinds: Path
) -> None:
    opened(driver, all_kinds)
    ids = driver.execute_script(
        "return [...document.querySelectorAll('[id]')].map((each) => each.id)"
    )
    assert len(ids) == len(set(ids))
    named = driver.execute_script(
        "return [...document.querySelectorAll('[aria-labelledby]')]"
        ".map((each) => each.getAttribute('aria-labelledby'))"
    )
    assert set(named) <= set(ids)
    assert driver.execute_script("return document.documentElement.lang") == "en"


def test_the_first_tab_leads_to_the_results(driver: WebDriver, all_kinds: Path) -> None:
    opened(driver, all_kinds)
    driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    focused = driver.switch_to.active_element
    assert focused.text == "To the results"
    assert focused.value_of_css_property("outline-style") == "solid"
    focused.send_keys(Keys.ENTER)
    assert driver.execute_script("return document.activeElement.id") == "main"


def test_details_open_by_the_keyboard(driver: WebDriver, all_kinds: Path) -> None:
    opened(driver, all_kinds)
    summary = driver.find_element(By.CSS_SELECTOR, ".explanation summary")
    summary.send_keys(Keys.ENTER)
    explanation = driver.find_element(By.CSS_SELECTOR, ".explanation")
    assert explanation.get_attribute("open") is not None
    assert "Why it matters" in explanation.text

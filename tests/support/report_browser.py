"""Opens a report in real Chromium without a screen, and asks it questions."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

WAIT_SECONDS = 120
"""Only so that a test that hangs ends; nothing is timed."""
DESKTOP, PHONE = (1200, 900), (390, 844)


@contextmanager
def chromium(folder: Path) -> Iterator[WebDriver]:
    """Start Debian's Chromium with its driver; it keeps its files in ``folder``."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium is not installed"
    arguments = ["--headless=new", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    if os.geteuid() == 0:  # as which its sandbox does not start
        arguments.append("--no-sandbox")
    for each in [*arguments, "--disable-dev-shm-usage", "--hide-scrollbars"]:
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = Service(shutil.which("chromedriver") or "chromium-driver is not installed")
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield driver
    finally:
        driver.quit()


def opened(
    driver: WebDriver,
    page: Path,
    *,
    size: tuple[int, int] = DESKTOP,
    scheme: str = "light",
    motion: str = "reduce",
    scripts: bool = True,
) -> None:
    """Open the page in a window of that size, under that theme of the system."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": motion},
    ]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    driver.get("about:blank")
    for log in ("browser", "performance"):
        driver.get_log(log)
    driver.get(page.as_uri())


def draw_all(driver: WebDriver) -> int:
    """Scroll to every plot until it is drawn, and return their number."""
    number = int(driver.execute_script("return document.querySelectorAll('.canvas').length"))
    for place in range(number):
        WebDriverWait(driver, WAIT_SECONDS).until(lambda browser, at=place: _drawn(browser, at))
    return number


def _drawn(driver: WebDriver, place: int) -> bool:
    return bool(
        driver.execute_script(
            "const canvas = document.querySelectorAll('.canvas')[arguments[0]];"
            "canvas.scrollIntoView({block: 'center'});"
            "return 'drawn' in canvas.dataset && canvas.querySelector('svg.main-svg') !== null;",
            place,
        )
    )


def until_ready(driver: WebDriver) -> None:
    """Wait until the page can draw."""
    script = "return 'drawing' in document.documentElement.dataset"
    WebDriverWait(driver, WAIT_SECONDS).until(lambda browser: browser.execute_script(script))


def open_details(driver: WebDriver) -> None:
    """Open all that can be unfolded."""
    driver.execute_script("document.querySelectorAll('details').forEach((e) => { e.open = true; })")


_NOTICES = frozenset({"deprecation", "intervention", "recommendation", "violation"})
"""Sources of what a newer browser may say of any page."""
_OF_THE_BROWSER = ("chrome:", "chrome-extension:", "chrome-error:", "devtools:")


def complaints(driver: WebDriver) -> list[str]:
    """The errors of our pages, policies that they do not keep to among them."""
    return [
        each["message"]
        for each in driver.get_log("browser")
        if each["level"] == "SEVERE"
        and each["source"] not in _NOTICES
        and not each["message"].startswith(_OF_THE_BROWSER)
    ]


def requests(driver: WebDriver) -> list[str]:
    """The addresses of everything that the page requested."""
    events = [json.loads(each["message"])["message"] for each in driver.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]

"""One Chromium for all tests of a file, and the pages that they open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from example_results import every_kind
from report_browser import chromium
from selenium.webdriver.chrome.webdriver import WebDriver

from streamgage.html.page import page


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """Chromium."""
    with chromium(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@pytest.fixture(scope="session")
def all_kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a result of every kind."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page(every_kind()), "utf-8")
    return path

"""What a page is blamed for of all that a browser logs; tests/browser has the browser."""

from __future__ import annotations

from typing import Any, cast

import pytest
from report_browser import complaints
from selenium.webdriver.chrome.webdriver import WebDriver


class Logs:
    """A browser that has logged one entry."""

    def __init__(self, level: str, source: str, message: str) -> None:
        """Of that level and source."""
        self._entry = {"level": level, "source": source, "message": message}

    def get_log(self, kind: str) -> list[dict[str, Any]]:
        """As a driver does."""
        return [self._entry] if kind == "browser" else []


@pytest.mark.parametrize(
    ("level", "source", "message", "blamed"),
    [
        ("SEVERE", "javascript", "file:///r.html 7:1 Uncaught ReferenceError: x", True),
        ("SEVERE", "console-api", "file:///r.html 7:1 no such plot", True),
        ("SEVERE", "security", "file:///r.html - Refused to load the script 'x'", True),
        ("SEVERE", "network", "file:///x.png - Failed to load resource", True),
        ("WARNING", "deprecation", "file:///r.html 7:1 unload will be removed", False),
        ("SEVERE", "deprecation", "file:///r.html 7:1 unload was removed", False),
        ("SEVERE", "intervention", "file:///r.html 7:1 slow network", False),
        ("WARNING", "other", "file:///r.html 7:1 A better way is known now", False),
        ("INFO", "console-api", "file:///r.html 7:1 drawn", False),
        ("SEVERE", "javascript", "chrome-extension://abc/a.js 1:1 Uncaught Error", False),
    ],
)
def test_only_errors_of_our_own_pages_count(
    level: str, source: str, message: str, blamed: bool
) -> None:
    driver = cast("WebDriver", Logs(level, source, message))
    assert complaints(driver) == ([message] if blamed else [])

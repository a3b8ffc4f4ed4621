"""Prints the page as PDF, by a browser that needs no screen."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.program import run_for

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MOST_SECONDS = 300.0
_LAST_CHARACTERS = 200


def find_browser() -> str:
    """The first of the browsers that is installed. Raises ``UsageError`` if there is none."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise UsageError(
            "A PDF is printed by Chromium, and none is installed: install the package chromium, or"
            " write -o report.html and print that from any browser."
        )
    return found


def printed(html: str, browser: str) -> bytes:
    """The PDF of a page. Raises ``StreamgageError`` if the browser does not write it."""
    with tempfile.TemporaryDirectory(prefix="streamgage-report-") as name:
        folder = Path(name)
        page, target = folder / "report.html", folder / "report.pdf"
        page.write_text(html, "utf-8")
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--disable-extensions",
            "--no-first-run",
            # Chromium's sandbox does not start for root.
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
            f"--user-data-dir={folder / 'profile'}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={target}",
            page.as_uri(),
        ]
        try:
            done = run_for(command, _MOST_SECONDS, variables={"HOME": name})
        except OSError as error:
            raise StreamgageError(
                f"{browser} cannot be started: {error.strerror or error}; {_INSTEAD}"
            ) from error
        if done is None:
            raise StreamgageError(
                f"{browser} did not print the page within {_MOST_SECONDS:.0f} s; {_INSTEAD}"
            )
        if not target.is_file() or target.stat().st_size == 0:
            last_words = " ".join(done.output.split())[-_LAST_CHARACTERS:]
            reason = last_words or f"exit status {done.status}"
            raise StreamgageError(f"{browser} printed no page ({reason}); {_INSTEAD}")
        return target.read_bytes()


_INSTEAD = "write -o report.html and print that from any browser."

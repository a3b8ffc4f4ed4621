"""Reports on paper: by ``-o report.pdf``, and from the browser."""

from __future__ import annotations

import subprocess
from base64 import b64decode
from pathlib import Path

import pytest
from example_records import as_lines
from example_results import every_kind, two_modes_records
from programs import streamgage
from report_browser import opened, until_ready
from selenium.webdriver.chrome.webdriver import WebDriver

AXES = (
    "block, in the order measured",
    "how many",
    "speedup",
    "working set of each thread",
    "ns per load",
    "memory of node",
    "GB/s across the memory bus, by the loading threads",
)
"""Titles of axes, which nothing but a drawn plot has."""


def text_of(pdf: Path) -> str:
    """What can be read in a PDF, in one line."""
    command = ["pdftotext", "-layout", str(pdf), "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split())


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A result of every kind in a file."""
    for loaded in every_kind():
        for name, content in loaded.files.items():
            (tmp_path / name).write_bytes(content)
    return sorted(path.name for path in tmp_path.iterdir() if path.is_file())


def test_a_pdf_has_the_answers_and_every_plot(tmp_path: Path, files: list[str]) -> None:
    run = streamgage("report", *files, "-o", "report.pdf", folder=tmp_path)
    assert (run.returncode, run.stderr) == (0, "streamgage: Wrote report.pdf.\n")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    shown = text_of(tmp_path / "report.pdf")
    number = len(every_kind())
    for words in (
        f"{number} results of streamgage",
        "Triad 3.35 to 5.03 GB/s plain",
        "two-modes",
        *AXES,
    ):
        assert words in shown
    assert "Downloads" not in shown
    assert "Theme" not in shown


def test_a_pdf_has_the_whole_table(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(as_lines(two_modes_records()))
    run = streamgage("report", "run.jsonl", "-o", "report.pdf", folder=tmp_path)
    assert run.returncode == 0
    shown = text_of(tmp_path / "report.pdf")
    for head in ("kernel", "stores", "median", "crossed", "allocate", "result"):
        assert head in shown
    assert shown.count("right") == 4
    assert "triad plain" in shown


def test_printing_from_the_browser_draws_what_was_never_in_sight(
    driver: WebDriver, all_kinds: Path, tmp_path: Path
) -> None:
    opened(driver, all_kinds, scheme="dark")
    until_ready(driver)
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    path = tmp_path / "printed.pdf"
    path.write_bytes(b64decode(printed["data"]))
    shown = text_of(path)
    for words in AXES:
        assert words in shown
    theme = driver.execute_script("return document.documentElement.dataset.theme ?? ''")
    assert theme == ""

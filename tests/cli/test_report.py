"""``streamgage report`` as a user calls it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import one_sentence, streamgage


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A records file of a good run."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(as_lines(good_records()))
    return path


def without_browsers(folder: Path) -> str:
    """A search path on which there is no browser."""
    return os.pathsep.join([str(folder), str(Path(sys.executable).parent)])


def test_a_page_is_written_where_o_says(tmp_path: Path, records: Path) -> None:
    run = streamgage("report", records, "-o", "report.html", folder=tmp_path)
    assert (run.returncode, run.stdout) == (0, "")
    assert one_sentence(run.stderr) == "Wrote report.html."
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!doctype html>")


def test_the_name_of_the_file_says_the_format(tmp_path: Path, records: Path) -> None:
    run = streamgage("report", records, "-o", "report.md", folder=tmp_path)
    assert run.returncode == 0
    assert (tmp_path / "report.md").read_text("utf-8").startswith("# ")


def test_markdown_may_be_printed(tmp_path: Path, records: Path) -> None:
    run = streamgage("report", records, "--format", "md", folder=tmp_path)
    assert run.returncode == 0
    assert "| triad plain |" in run.stdout


def test_the_newest_run_is_meant_where_none_is_named(tmp_path: Path, records: Path) -> None:
    assert streamgage("results", "import", records, folder=tmp_path).returncode == 0
    run = streamgage("report", "--format", "md", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "node7" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "-o report.html"),
        (["--format", "pdf"], "-o report.pdf"),
        (["--format", "word", "-o", "x"], "use html, md, pdf"),
        (["-o", "folder/that/is/not/there.html"], "cannot be written"),
    ],
)
def test_bad_usage_is_one_sentence(
    tmp_path: Path, records: Path, arguments: list[str], words: str
) -> None:
    run = streamgage("report", records, *arguments, folder=tmp_path)
    assert run.returncode == 2
    assert words in one_sentence(run.stderr)


def test_a_file_that_holds_no_result_leaves_the_page_as_it_was(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("the old one", "utf-8")
    (tmp_path / "notes.txt").write_text("no result", "utf-8")
    run = streamgage("report", "notes.txt", "-o", "report.html", folder=tmp_path)
    assert run.returncode == 2
    assert "notes.txt" in one_sentence(run.stderr)
    assert page.read_text("utf-8") == "the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "report.html"]


def test_without_a_browser_a_pdf_says_what_to_install(tmp_path: Path, records: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    run = streamgage(
        "report", records, "-o", "report.pdf", folder=tmp_path, PATH=without_browsers(empty)
    )
    assert run.returncode == 2
    sentence = one_sentence(run.stderr)
    assert "chromium" in sentence
    assert "-o report.html" in sentence
    assert not (tmp_path / "report.pdf").exists()


def test_a_browser_that_fails_leaves_the_file_as_it_was(tmp_path: Path, records: Path) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    browser = folder / "chromium"
    browser.write_text("#!/bin/sh\necho no display >&2\nexit 1\n", "utf-8")
    browser.chmod(0o755)
    target = tmp_path / "report.pdf"
    target.write_text("the old one", "utf-8")
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    run = streamgage("report", records, "-o", "report.pdf", folder=tmp_path, PATH=path)
    assert run.returncode == 1
    assert "no display" in one_sentence(run.stderr)
    assert target.read_text("utf-8") == "the old one"

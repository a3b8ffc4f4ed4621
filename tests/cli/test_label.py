"""``--label``: the name of a result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import misbehaving_engine, one_sentence, streamgage
from store_results import kept_files

from streamgage.records import Label

LABEL = "before <the> update"
COMMANDS = (["measure"], ["measure", "--runs", "2"])
"""A single run, whose records have the label, and a series, whose document has it."""


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    return misbehaving_engine(tmp_path, f"cat {tmp_path}/lines")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_a_label_is_stored_and_shown(tmp_path: Path, engine: Path, command: list[str]) -> None:
    def run(*arguments: str) -> str:
        done = streamgage(*arguments, folder=tmp_path, engine=engine)
        assert done.returncode == 0, done.stderr
        return done.stdout

    measured = run(*command, "--label", f" {LABEL} ", "--format", "json")
    (tmp_path / "a.json").write_text(measured, "utf-8")
    assert json.loads(measured)["label"] == LABEL
    assert json.loads(run("show", "1", "--format", "json")) == json.loads(measured)
    assert json.loads(run("history", "--format", "json"))[0]["label"] == LABEL
    assert LABEL in run("history")
    run("report", "1", "-o", "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "before &lt;the&gt; update [run 1]" in page
    assert LABEL not in page.replace(json.dumps(LABEL), "")


def test_compare_names_results_by_their_labels(tmp_path: Path, engine: Path) -> None:
    for number in (1, 2):
        command = ("measure", "--label", f"take {number}")
        assert streamgage(*command, folder=tmp_path, engine=engine).returncode == 0
    compared = streamgage("compare", "1", "2", folder=tmp_path, engine=engine)
    assert "A  take 1 [run 1]" in compared.stdout
    assert "B  take 2 [run 2]" in compared.stdout


def test_records_begin_with_the_label(tmp_path: Path, engine: Path) -> None:
    command = ("measure", "--label", LABEL, "--records", "r.jsonl")
    assert streamgage(*command, folder=tmp_path, engine=engine).returncode == 0
    assert (tmp_path / "r.jsonl").read_bytes() == as_lines([Label(text=LABEL), *good_records()])
    assert "r.jsonl" in kept_files(tmp_path)


@pytest.mark.parametrize("label", ["a\nb", "\x1b[31m", "x" * 101])
def test_what_is_no_label_is_refused(tmp_path: Path, engine: Path, label: str) -> None:
    run = streamgage("measure", "--label", label, folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "is not a label: write one line of at most 100 characters" in one_sentence(run.stderr)

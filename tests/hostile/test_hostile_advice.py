"""The commands in messages do what the message says, and nothing to the user's own store."""

from __future__ import annotations

import re
import shlex
import sqlite3
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import environment
from tries import CommandEnd, tried

OTHER = "other store.sqlite"


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    """A folder with a store of two results, the first damaged; the user's own store has three."""
    folder = tmp_path / "here"
    folder.mkdir()
    for number in range(3):
        content = as_lines(good_records()) + b"\n" * number
        (folder / f"{number}.jsonl").write_bytes(content)
    variables = environment(tmp_path, None)
    for more in ([], ["--store", OTHER]):
        for number in range(2 if more else 3):
            assert (
                tried(["results", "import", f"{number}.jsonl", *more], folder, variables).status
                == 0
            )
    with sqlite3.connect(folder / OTHER) as database:
        database.execute("UPDATE files SET content = x'00' WHERE run = 1")
    database.close()
    return folder


def _commands(end: CommandEnd) -> list[list[str]]:
    text = " ".join((end.stderr + end.stdout).split())
    return [shlex.split(each) for each in re.findall(r"`streamgage ([^`]*)`", text)]


@pytest.mark.parametrize(
    "line",
    [
        ["show", "1"],
        ["report", "1", "-o", "x.md"],
        ["results", "export", "1", "--samples"],
        ["compare", "1", "2"],
    ],
    ids=lambda line: line[0],
)
def test_advice_on_a_damaged_result_is_about_that_store(line: list[str], stores: Path) -> None:
    variables = environment(stores.parent, None)
    own = (stores.parent / "data" / "streamgage" / "store.sqlite").read_bytes()
    end = tried([*line, "--store", OTHER], stores, variables)
    assert end.status == 1 and "is damaged" in end.stderr
    for command in _commands(end):
        assert tried(command, stores, variables).status == 0
    assert (stores.parent / "data" / "streamgage" / "store.sqlite").read_bytes() == own
    end = tried(["show", "1", "--store", OTHER], stores, variables)
    assert end.status == 2 and "There is no result 1" in end.stderr
    [command] = _commands(end)
    listed = tried(command, stores, variables)
    assert listed.status == 0 and len(re.findall(r"^ *\d+ ", listed.stdout, re.M)) == 1


def test_advice_on_another_store_that_is_imported_is_about_that_store(stores: Path) -> None:
    variables = environment(stores.parent, None)
    end = tried(["results", "import", OTHER], stores, variables)
    for command in _commands(end):
        assert command[:2] == ["results", "rm"] and command[-1] == OTHER
        assert tried(command, stores, variables).status == 0
    assert "is damaged" in end.stderr
    listed = tried(["history"], stores, variables)
    assert len(re.findall(r"^ *\d+ ", listed.stdout, re.M)) >= 3


@pytest.mark.parametrize(
    "line",
    [["show", "7"], ["show", "last-9"], ["results", "rm", "x"], ["scale", "--predict", "2"]],
)
def test_every_command_of_a_message_can_be_followed(line: list[str], stores: Path) -> None:
    variables = environment(stores.parent, None)
    end = tried([*line, "--store", OTHER], stores, variables)
    assert end.status == 2
    for command in _commands(end):
        assert OTHER in command

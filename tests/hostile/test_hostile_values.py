"""Every option of every command with values that nobody should give it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import environment, misbehaving_engine
from tries import tried
from typer.main import get_command

from streamgage.cli.program import command_names, whole_program

VALUES = {
    "empty": "",
    "blank": " ",
    "negative": "-1",
    "zero": "0",
    "huge": "1e308",
    "no number": "nan",
    "digits": "9" * 400,
    "long": "x" * 100_000,
    "controls": "\x1b[2J\r\u202e",
    "no UTF-8": os.fsdecode(b"\xff\xfe"),
    "path": "../../no/such/folder/x",
    "range": "0-9999999999",
    "quote": "'",
    "markup": "<b>[red]{0}%s",
}
TRIES = 300
SEED = 20261125


def options() -> Iterator[tuple[str, str, bool]]:
    """Every command with each of its parameters, and whether that is an option with a value."""
    program: Any = get_command(whole_program())
    for name in command_names():
        for parameter in program.commands[name].params:
            if parameter.name == "help" or getattr(parameter, "is_flag", False):
                continue
            yield name, parameter.opts[0], parameter.opts[0].startswith("-")


def lines() -> list[list[str]]:
    """Command lines, some hundreds of all that there are, always the same."""
    every = [
        [*name.split(), *([f"{option}={value}"] if named else ["--", value])]
        for name, option, named in options()
        for value in VALUES.values()
    ]
    return random.Random(SEED).sample(every, min(TRIES, len(every)))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that knows this machine and measures nothing."""
    folder = tmp_path_factory.mktemp("engine")
    return misbehaving_engine(folder, 'echo "streamgage-engine: nothing here" >&2; exit 1')


def test_no_value_makes_a_command_fall_over(tmp_path: Path, engine: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    variables = environment(tmp_path, engine)
    complaints = []
    for line in lines():
        found = tried(line, folder, variables)
        if found.complaint is not None:
            shown = " ".join(each[:60] for each in line)
            complaints.append(f"{shown!r}: {found.complaint}: {found.stderr[-300:]}")
        elif found.status == 2 and any(folder.iterdir()):
            complaints.append(f"{line!r:.200}: left {[*map(str, folder.iterdir())]}")
        for each in folder.iterdir():
            each.unlink()
    assert not complaints, f"{len(complaints)} of {TRIES}:\n" + "\n".join(complaints)

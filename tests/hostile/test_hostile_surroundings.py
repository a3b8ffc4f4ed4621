"""Devices without an end, streams that cannot be written, and signals that end without a word."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import (
    REPOSITORY,
    WAIT_SECONDS,
    command,
    environment,
    misbehaving_engine,
    real_engine,
)
from rich.console import Console
from tries import tried

from streamgage.errors import UsageError
from streamgage.html.page import page
from streamgage.interop.formats import parse_output
from streamgage.measurement.notes import Notes
from streamgage.show.page import RATE, Cell, Column, Table
from streamgage.show.symbols import ASCII
from streamgage.show.text_table import show_table
from streamgage.store.load import load_content

READERS = (
    ["show"],
    ["results", "import"],
    ["results", "export"],
    ["interpret"],
    ["fleet", "judge"],
    ["traffic", "--recorded"],
    ["fleet", "run", "--resume"],
    ["fleet", "run", "--nodes"],
    ["check", "--baseline"],
)


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_a_device_without_an_end_is_refused(reader: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    engine = misbehaving_engine(tmp_path, "exit 1")
    for device in ("/dev/zero", "/dev/urandom"):
        end = tried([*reader, device], folder, environment(tmp_path, engine))
        assert end.complaint is None and end.status == 2, end
        assert "it is a device" in end.stderr, end


def test_lines_without_an_end_and_without_a_node_are_refused(tmp_path: Path) -> None:
    endless = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
    try:
        end = subprocess.run(
            command("fleet", "judge", "-"),
            stdin=endless.stdout,
            cwd=REPOSITORY,
            env=environment(tmp_path, None),
            capture_output=True,
            text=True,
            timeout=WAIT_SECONDS,
            check=False,
        )
    finally:
        endless.kill()
        endless.wait()
    assert end.returncode == 2 and "has no line of a node in its first" in end.stderr


LINES = (
    (["interpret", "tests/data/cases/02-genoa-readme-two.txt"], 0),
    (["show", "there-is-none"], 2),
    (["show", "--no-such-option"], 2),
)


@pytest.mark.parametrize(("line", "status"), LINES)
@pytest.mark.parametrize("how", ["full", "closed pipe", "closed"])
def test_the_status_is_the_commands_even_if_stderr_cannot_be_written(
    line: list[str], status: int, how: str, tmp_path: Path
) -> None:
    stderr = {"full": "2>/dev/full", "closed pipe": "2> >(true)", "closed": "2>&-"}[how]
    shell = f"exec 3> >(true); sleep 0.1; {sys.executable} -m streamgage {' '.join(line)} {stderr}"
    end = subprocess.run(
        ["bash", "-c", shell],
        cwd=REPOSITORY,
        env=environment(tmp_path, None),
        stdout=subprocess.DEVNULL,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert end.returncode == status


@pytest.mark.parametrize(
    "number", [signal.SIGHUP, signal.SIGXCPU, signal.SIGQUIT, signal.SIGUSR1], ids=lambda s: s.name
)
def test_a_signal_leaves_no_file_in_the_users_folder(
    number: signal.Signals, tmp_path: Path
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    started = tmp_path / "started"
    machine = f"exec '{real_engine()}' --machine"
    engine = misbehaving_engine(tmp_path, f"touch '{started}'; exec sleep 300", machine=machine)
    process = subprocess.Popen(
        # Those that this test runs under may ignore signals, as nohup does.
        ["env", "--default-signal", *command("scale", "1", "--no-store", "-o", "l.svg")],
        cwd=folder,
        env=environment(tmp_path, engine, STREAMGAGE_LOAD_CHECK="off", TMPDIR=str(folder))
        | {"PYTHONPATH": str(REPOSITORY)},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    end = time.monotonic() + WAIT_SECONDS
    while not started.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    assert process.poll() is None, "it ended before the signal"
    os.kill(process.pid, number)
    assert process.wait(WAIT_SECONDS) != 0
    assert [each.name for each in folder.iterdir()] == []


def test_no_page_has_a_control_character_of_a_files_name() -> None:
    names = ("a\x1b]0;pwn\x07.jsonl", "b\u202e.jsonl")
    content = as_lines(good_records())
    results = [load_content(content, each, each, lambda _: None) for each in names]
    text = page(results)
    assert "pwn" in text
    assert not set("\x1b\x07\u202e") & set(text)


def test_a_note_is_said_once_and_few_that_are_alike(capsys: pytest.CaptureFixture[str]) -> None:
    notes = Notes(progress=True)
    for number in range(300):
        notes("The table has no header.")
        notes(f"Line {number} was left out.")
    for number in range(20):
        notes.say(f"{number}.jsonl is now run {number}.")
    said = capsys.readouterr().err.splitlines()
    assert sum("no header" in each for each in said) == 1
    assert sum("was left out" in each for each in said) == 8
    assert sum("like the last one" in each for each in said) == 1
    assert sum("is now run" in each for each in said) == 20


CASES = sorted((REPOSITORY / "tests" / "data" / "cases").glob("*.txt"))


def _steps(run: Callable[[], object]) -> int:
    """Calls of functions, which are the same on any machine."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        with suppress(UsageError):
            run()
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_reading_takes_as_many_steps_as_there_are_tables(case: Path) -> None:
    text = case.read_text("utf-8", "replace") + "\n\n"
    with suppress(UsageError):
        parse_output(text)  # loads what is loaded once
    few, many = (_steps(partial(parse_output, text * times)) for times in (8, 32))
    assert many < 6 * few


def test_a_table_takes_as_many_steps_as_it_has_rows() -> None:
    column = Column[float]("GB/s", lambda row: Cell("", row, unit=RATE))

    def shown(rows: int) -> None:
        table = Table([column], [float(each) for each in range(rows)])
        show_table(Console(file=io.StringIO(), width=80), table, ASCII)

    shown(1)
    few, many = (_steps(partial(shown, rows)) for rows in (100, 400))
    assert many < 5 * few

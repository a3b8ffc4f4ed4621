"""Places where something is missing that a program may count on: one sentence, no traceback."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import (
    WAIT_SECONDS,
    command,
    environment,
    misbehaving_engine,
    one_sentence,
    streamgage,
)
from store_results import kept_files


@pytest.fixture
def good_engine(tmp_path: Path) -> Path:
    """Prints the records of a good run."""
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    return misbehaving_engine(tmp_path, f"touch {tmp_path}/started\ncat {tmp_path}/lines")


def in_shell(
    redirection: str, *arguments: str, folder: Path, engine: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The program with its standard streams redirected as a shell does it."""
    line = " ".join(map(shlex.quote, command(*arguments)))
    return subprocess.run(
        ["sh", "-c", f"{line} {redirection}"],
        cwd=folder,
        env=environment(folder, engine, **variables),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


def test_a_full_stdout_is_told_with_where_the_records_are(
    tmp_path: Path, good_engine: Path
) -> None:
    run = in_shell(">/dev/full", folder=tmp_path, engine=good_engine)
    assert run.returncode == 1
    kept, said = run.stderr.splitlines()
    assert kept.startswith("streamgage: To see this again: streamgage show ")
    assert said.startswith("streamgage: Standard output could not be written: No space left")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["show", "lines"]])
def test_a_full_stdout_is_one_sentence_everywhere(
    tmp_path: Path, good_engine: Path, arguments: list[str]
) -> None:
    run = in_shell(">/dev/full", *arguments, folder=tmp_path, engine=good_engine)
    assert run.returncode == 1
    assert "No space left on device" in one_sentence(run.stderr)


def test_a_closed_stdout_is_found_before_measuring(tmp_path: Path, good_engine: Path) -> None:
    run = in_shell(">&-", folder=tmp_path, engine=good_engine)
    assert run.returncode == 2
    assert one_sentence(run.stderr).startswith("Standard output is closed: ")
    assert not (tmp_path / "started").exists()


def test_closed_streams_do_not_matter_where_they_are_not_needed(
    tmp_path: Path, good_engine: Path
) -> None:
    options = ["-o", "out", "--records", "run.jsonl"]
    run = in_shell("<&- >&- 2>&-", *options, folder=tmp_path, engine=good_engine)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert "Quote  " in (tmp_path / "out").read_text("utf-8")
    assert (tmp_path / "run.jsonl").read_bytes() == (tmp_path / "lines").read_bytes()


def test_a_closed_stderr_puts_nothing_into_the_result(tmp_path: Path, good_engine: Path) -> None:
    run = in_shell("2>&-", "--format", "csv", folder=tmp_path, engine=good_engine)
    assert run.returncode == 0
    assert run.stdout.count("\n") == 5


def test_an_output_that_fails_late_leaves_the_path_of_the_records(
    tmp_path: Path, good_engine: Path
) -> None:
    run = streamgage("-o", "/dev/full", folder=tmp_path, engine=good_engine)
    assert run.returncode == 1
    kept, said = run.stderr.splitlines()
    assert kept.startswith("streamgage: To see this again: streamgage show ")
    assert said.startswith("streamgage: /dev/full could not be written: No space left on device")


def test_records_to_nowhere_are_shown_all_the_same(tmp_path: Path, good_engine: Path) -> None:
    options = ["--format", "csv", "--records", "/dev/null"]
    run = streamgage(*options, folder=tmp_path, engine=good_engine)
    assert run.returncode == 0
    assert one_sentence(run.stderr) == "To see this again: streamgage show 1"
    assert run.stdout.count("\n") == 5
    assert list(kept_files(tmp_path).values()) == [(tmp_path / "lines").read_bytes()]


def test_the_same_device_may_take_both(tmp_path: Path, good_engine: Path) -> None:
    options = ["-o", "/dev/null", "--records", "/dev/null"]
    assert streamgage(*options, folder=tmp_path, engine=good_engine).returncode == 0


def test_a_folder_that_is_gone(tmp_path: Path, good_engine: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = " ".join(map(shlex.quote, command("-o", "out")))
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    run = subprocess.run(
        ["sh", "-c", f"rmdir {gone}; {line}"],
        cwd=gone,
        env=environment(tmp_path, good_engine, PYTHONPATH=path.rstrip(os.pathsep)),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert run.returncode == 2
    assert "The output file out cannot be written: No such file" in one_sentence(run.stderr)


def test_memory_that_runs_out_is_one_sentence(tmp_path: Path) -> None:
    with (tmp_path / "large.jsonl").open("wb") as file:
        file.truncate(700 << 20)
    line = " ".join(map(shlex.quote, command("show", "large.jsonl")))
    run = subprocess.run(
        ["sh", "-c", f"ulimit -v 600000; exec {line}"],
        cwd=tmp_path,
        env=environment(tmp_path, None),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert run.returncode == 1
    assert one_sentence(run.stderr).startswith("There is not enough memory to go on: raise ")

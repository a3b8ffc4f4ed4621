"""Ctrl-C ends every command quietly, whatever it is doing: loading, working, or ending."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import WAIT_SECONDS, command, environment, misbehaving_engine, streamgage

COMMANDS = {
    "--help": ("--help",),
    "history": ("history",),
    "show": ("show", "last"),
    "measure": ("measure", "--quick"),
    "bad usage": ("--no-such-option",),
}
TRIES = 5

INTERRUPTING = """
import os, runpy, signal, sys
import streamgage.__main__

def count(event, _arguments):
    global left
    left -= 1
    if left == 0:
        open("interrupted", "w").close()
        os.kill(os.getpid(), signal.SIGINT)

left = int(sys.argv.pop(1))
sys.addaudithook(count)
if left < 0:
    import atexit
    atexit.register(lambda: print("events:", -left, file=sys.stderr))
streamgage.__main__.main()
"""
"""The program, which gets SIGINT at its Nth event for auditors, such as an import.

A negative number counts them."""


def interrupted_at(
    event: int, arguments: tuple[str, ...], folder: Path, engine: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTING, str(event), *arguments],
        cwd=folder,
        env=environment(folder, engine),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_at_any_moment_is_status_130_and_no_traceback(tmp_path: Path, name: str) -> None:
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat '{tmp_path}/lines'")
    assert streamgage("--quick", folder=tmp_path, engine=engine).returncode == 0
    counted = interrupted_at(-1, COMMANDS[name], tmp_path, engine)
    events = int(counted.stderr.rpartition("events: ")[2])
    source = random.Random(name)
    interrupted = tmp_path / "interrupted"
    for event in (1, *source.choices(range(2, events), k=TRIES)):
        interrupted.unlink(missing_ok=True)
        run = interrupted_at(event, COMMANDS[name], tmp_path, engine)
        assert "Traceback" not in run.stderr, (event, run.stderr)
        assert "KeyboardInterrupt" not in run.stderr, (event, run.stderr)
        # An engine that has just ended by itself has measured everything.
        whole = run.returncode == 0 and "To see this again" in run.stderr
        # The longer a measurement takes, the more often it looks, so that there are more events.
        came = event == 1 or interrupted.exists()
        ended_before = not came and run.returncode == counted.returncode
        assert run.returncode == 130 or whole or ended_before, (event, run.stderr)


TURNED_INTO_ANOTHER_ERROR = """
import os, sys
import streamgage.__main__

def compile_name(event, arguments):
    if event == "import" and arguments[0] == "unicodedata":
        os.kill(os.getpid(), int(os.environ["NUMBER"]))

def run():
    compile("'\\\\N{REPLACEMENT CHARACTER}'", "name", "eval")

import streamgage.cli
streamgage.cli.main = run
sys.addaudithook(compile_name)
assert "unicodedata" not in sys.modules
streamgage.__main__.main()
"""
"""A signal while the compiler loads the names of letters, which it calls an error of syntax."""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGHUP, 129), (signal.SIGUSR1, 138)]
)
def test_a_signal_that_becomes_another_error_is_no_defect(
    number: int, status: int, tmp_path: Path
) -> None:
    run = subprocess.run(
        ["env", "--default-signal", sys.executable, "-c", TURNED_INTO_ANOTHER_ERROR],
        cwd=tmp_path,
        env=environment(tmp_path, None, NUMBER=str(int(number))),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (status, "")


def test_in_the_background_of_a_shell_it_stays_ignored(tmp_path: Path) -> None:
    script = f"trap '' INT; '{sys.executable}' -c \"$0\" 1 --version"
    run = subprocess.run(
        ["sh", "-c", script, INTERRUPTING],
        cwd=tmp_path,
        env=environment(tmp_path, None),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("arguments", ["--help", "--version", "measure --help", "explain"])
def test_a_reader_that_has_gone_is_no_failure(tmp_path: Path, arguments: str) -> None:
    program = subprocess.Popen(
        command(*arguments.split()),
        cwd=tmp_path,
        env=environment(tmp_path, None),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    program.stdout.close()
    _, said = program.communicate(timeout=WAIT_SECONDS)
    assert (program.returncode, said) == (0, "")

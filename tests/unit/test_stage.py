"""scripts/stage.py runs a command and shows how far it is."""

import subprocess
import sys
from pathlib import Path

STAGE = Path(__file__).resolve().parents[2] / "scripts" / "stage.py"
OUTPUT = """
Get:1 http://deb.example/debian
dlstatus:2:50.0:Retrieving file 2 of 4
pmstatus:cmake:33.3:Installing cmake
Collecting rich>=14
  [0/2] Re-checking globbed directories...
  [57/179] Building CXX object main.cpp.o
Installing collected packages: rich
"""


def stages(folder: Path, status: int) -> subprocess.CompletedProcess[str]:
    """What is shown of a command that prints OUTPUT and ends so."""
    program = f"import sys; print({OUTPUT!r}, flush=True); sys.exit({status})"
    log = folder / "logs" / "log"
    return subprocess.run(
        [sys.executable, STAGE, log, "starting", sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_stage_has_a_line_as_it_begins_and_the_output_goes_into_the_log(
    tmp_path: Path,
) -> None:
    said = stages(tmp_path, 0)
    assert said.returncode == 0
    assert said.stdout == ""
    assert said.stderr.splitlines() == [
        "streamgage: starting ...",
        "streamgage: downloading packages ...",
        "streamgage: installing packages ...",
        "streamgage: fetching Python packages ...",
        "streamgage: building the engine ...",
        "streamgage: installing into .venv ...",
    ]
    assert (tmp_path / "logs" / "log").read_text("utf-8") == OUTPUT + "\n"


def test_a_failure_shows_the_end_of_the_log_and_which_stage_failed(tmp_path: Path) -> None:
    said = stages(tmp_path, 3)
    assert said.returncode == 3
    lines = said.stderr.splitlines()
    assert "  [57/179] Building CXX object main.cpp.o" in lines
    assert not any("status:" in line for line in lines)
    assert lines[-1].startswith("streamgage: this failed: installing into .venv.")


def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, STAGE, tmp_path / "log", "starting", "no-such-program"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 127
    assert said.stderr.splitlines()[-1] == "streamgage: there is no program no-such-program here"


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    said = stages(tmp_path, 0)
    assert said.returncode == 1
    assert said.stderr == f"streamgage: cannot write {tmp_path / 'logs' / 'log'}: File exists\n"

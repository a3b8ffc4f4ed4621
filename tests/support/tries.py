"""Runs many command lines in copies of this process, which has loaded the program once."""

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from streamgage.cli.program import main
from streamgage.errors import BROKEN, FAILED, USAGE

_SECONDS = 300
"""Only so that a try that hangs ends, and is a failure."""
_FAILURES = (FAILED, USAGE, BROKEN)
_MOST_SAID = 6000
"""Characters on stderr: a value is shown, but not all of a long one."""
_STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class CommandEnd:
    """How a command line ended; a negative ``status`` is the number of a signal."""

    status: int
    stdout: str
    stderr: str

    @property
    def complaint(self) -> str | None:
        """A fault that no arguments may cause, such as a crash; ``None`` without one."""
        wrong = {
            f"ended by signal {-self.status}": self.status < 0,
            "traceback": "Traceback" in self.stderr,
            f"exit status {self.status}": self.status > BROKEN and not self._started_no_program,
            "failed without a word": self.status in _FAILURES and not self.stderr.strip(),
            f"{len(self.stderr)} characters on stderr": len(self.stderr) > _MOST_SAID,
            "a control character on stderr": _STEERS.search(self.stderr) is not None,
        }
        return next((what for what, is_so in wrong.items() if is_so), None)

    @property
    def _started_no_program(self) -> bool:
        """Whether a program of the user could not be started, with the status of a shell."""
        reason = {126: "cannot be run", 127: "was not found"}.get(self.status)
        return reason is not None and reason in self.stderr


def tried(arguments: Sequence[str], folder: Path, variables: Mapping[str, str]) -> CommandEnd:
    """Run the program with ``arguments`` in ``folder``."""
    logs = folder.parent / "output"
    logs.mkdir(exist_ok=True)
    outputs = [logs / "stdout", logs / "stderr"]
    child = os.fork()
    if child == 0:
        _run(arguments, folder, variables, outputs)
    _, how = os.waitpid(child, 0)
    stdout, stderr = (each.read_bytes().decode("utf-8", "backslashreplace") for each in outputs)
    return CommandEnd(os.waitstatus_to_exitcode(how), stdout, stderr)


def _run(
    arguments: Sequence[str], folder: Path, variables: Mapping[str, str], outputs: Sequence[Path]
) -> None:
    """Become the program; this does not return."""
    status = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_SECONDS)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - its descriptor is copied
            os.dup2(nothing.fileno(), 0)
        for number, path in enumerate(outputs, 1):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(descriptor, number)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr.reconfigure(errors="backslashreplace", line_buffering=True)
        main(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)

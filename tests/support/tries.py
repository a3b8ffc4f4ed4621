"""Runs many command lines in copies of this process, which has loaded the program once."""

from __future__ import annotations

import os
import re
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from preloaded import load_program

from streamgage.cli.program import main
from streamgage.errors import BROKEN, FAILED, INTERRUPTED, TERMINATED, USAGE

_SECONDS = 300
"""Only so that a try that hangs ends, and is a failure."""
_CPU_SECONDS = 60
"""What no try may compute; the slowest takes a tenth of it."""
_MOST_BYTES = 1 << 30
"""What no try may add to the memory of this process."""
_FAILURES = (FAILED, USAGE, BROKEN)
_MOST_SAID = 6000
"""Characters on stderr: a value is shown, but not all of a long one."""
_MOST_LINES = 40
"""Sentences on stderr: notes, and at the end what is wrong."""
_STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_OF_PYTHON = re.compile(
    r"<(?:class|function|bound method|module|built-in) |<[\w.]+ object|object at 0x|PosixPath\("
    r"|\b(?:TypeError|ValueError|KeyError|IndexError|AttributeError|AssertionError)\b"
    r"|dict_keys|StrEnum|msgspec|\b[A-Z]\w+\(\w+=(?!\")"
)
"""What only a programmer can read."""


@dataclass(frozen=True)
class CommandEnd:
    """How a command line ended; a negative ``status`` is the number of a signal."""

    status: int
    stdout: str
    stderr: str
    more_bytes: int = 0
    """What it added to the memory of this process."""

    @property
    def complaint(self) -> str | None:
        """A fault that no arguments may cause, such as a crash; ``None`` without one."""
        said, lines = self.stderr, self.stderr.splitlines()
        wrong = {
            f"ended by signal {-self.status}": self.status < 0,
            "traceback": "Traceback" in said,
            f"exit status {self.status}": self.status not in self._ours,
            "failed without a word": self.status in _FAILURES and not said.strip(),
            f"{len(said)} characters on stderr": len(said) > _MOST_SAID,
            f"{len(lines)} lines on stderr": len(lines) > _MOST_LINES,
            "a control character on stderr": _STEERS.search(said) is not None,
            "a control character on stdout": _STEERS.search(self.stdout) is not None,
            f"{self.more_bytes >> 20} MiB of memory": self.more_bytes > _MOST_BYTES,
        }
        return next((what for what, is_so in wrong.items() if is_so), None)

    @property
    def _ours(self) -> set[int]:
        """Statuses that it may have; a program of the user that did not start has a shell's."""
        reason = {126: "cannot be run", 127: "was not found"}.get(self.status)
        started_none = {self.status} if reason is not None and reason in self.stderr else set()
        return {*range(BROKEN + 1), INTERRUPTED, TERMINATED, *started_none}


def of_python(text: str) -> str | None:
    """What a text shows of Python's objects; ``None`` for a text for everybody."""
    found = _OF_PYTHON.search(text)
    return None if found is None else found[0]


def tried(
    arguments: Sequence[str], folder: Path, variables: Mapping[str, str], stdin: bytes = b""
) -> CommandEnd:
    """Run the program with ``arguments`` in ``folder``."""

    def run() -> None:
        main(arguments)

    return tried_call(run, folder, variables, stdin)


def tried_program(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], stdin: bytes = b""
) -> CommandEnd:
    """Become another program with these words, such as the engine, in ``folder``."""

    def run() -> None:
        os.execve(command[0], [*command], dict(variables))

    return tried_call(run, folder, variables, stdin)


def tried_call(
    run: Callable[[], None], folder: Path, variables: Mapping[str, str], stdin: bytes = b""
) -> CommandEnd:
    """Call ``run`` in a copy of this process."""
    _load_once()
    logs = folder.parent / "output"
    logs.mkdir(exist_ok=True)
    streams = [Path(os.devnull), logs / "stdout", logs / "stderr"]
    if stdin:
        streams[0] = logs / "stdin"
        streams[0].write_bytes(stdin)
    child = os.fork()
    if child == 0:
        _run(run, folder, variables, streams)
    _, how, used = os.wait4(child, 0)
    stdout, stderr = (each.read_bytes().decode("utf-8", "backslashreplace") for each in streams[1:])
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    more = max(0, used.ru_maxrss - own) << 10
    return CommandEnd(os.waitstatus_to_exitcode(how), stdout, stderr, more)


@cache
def _load_once() -> None:
    """Load all of the program, so that no copy does."""
    load_program()


def _run(
    run: Callable[[], None], folder: Path, variables: Mapping[str, str], streams: Sequence[Path]
) -> None:
    """Become the program; this does not return."""
    status = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS + 5))
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        for number, path in enumerate(streams):
            how = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
            os.dup2(os.open(path, how), number)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr.reconfigure(errors="backslashreplace", line_buffering=True)
        run()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)

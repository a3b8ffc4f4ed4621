"""The steps of a part: a command, tests by pytest, or a program with GoogleTest.

A step runs from the top folder of the project. It returns the failures, or nothing if it passed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias

from checks.failures import (
    Failure,
    crash_of_google_test,
    failures_of_google_test,
    failures_of_pytest,
    has_google_results,
    skipped_google_tests,
)

Process: TypeAlias = "subprocess.Popen[bytes]"
ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "test-logs"
LIMIT_SECONDS = 3000
"""Seconds after which a hanging step is ended."""
_TESTS_FAILED = 1
"""The exit status of pytest where tests failed, and nothing else did."""
_NOT_STARTED = 127
"""A shell's exit status of what cannot be started."""


class RunStopped(Exception):  # noqa: N818 - it is no error
    """The user has ended the run."""


class Processes:
    """The running processes, so that all can be ended; none is in the terminal's process group."""

    def __init__(self) -> None:
        """Begin without processes."""
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def start(self, command: Sequence[str], log: BinaryIO, variables: Mapping[str, str]) -> Process:
        """Start a command that writes to ``log``. Raises ``RunStopped``, and ``OSError``."""
        with self._lock:
            if self._stopped:
                raise RunStopped
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **variables},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._running.add(process)
            return process

    def end(self, process: Process) -> None:
        """End it and what it has left behind, which would disturb the next step."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        with self._lock:
            self._running.discard(process)

    def end_all(self) -> None:
        """End all processes, and start no more."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


PROCESSES = Processes()


@dataclass
class Run:
    """A run of a part: where its output goes, and how many tests it counted."""

    name: str
    again: bool = False
    """``True`` if failed tests are run again."""
    tests: int = 0
    limit: float | None = None
    """The seconds after which it is ended; ``None``: ``LIMIT_SECONDS``."""
    late: bool = False
    """Whether it was ended for that."""
    start: float = field(default_factory=time.monotonic)

    @property
    def log(self) -> Path:
        """The output of all steps."""
        return self.file("log")

    def file(self, ending: str) -> Path:
        """A file for this run, in the folder of logs."""
        return LOGS / f"{self.name}{'.again' if self.again else ''}.{ending}"

    def call(self, command: Sequence[str], variables: Mapping[str, str]) -> tuple[int, str]:
        """Run a command; return its exit status and its output, which goes to the log, too.

        Raises ``RunStopped``.
        """
        with self.log.open("ab") as log:
            start = log.tell()
            log.write(f"$ {' '.join(command)}\n".encode())
            log.flush()
            try:
                process = PROCESSES.start(command, log, variables)
            except OSError as error:
                log.write(f"ERROR: {command[0]} cannot be started: {error.strerror}\n".encode())
                status = _NOT_STARTED
            else:
                status = self._end_of(process, log)
        with self.log.open("rb") as log:
            log.seek(start)
            return status, log.read().decode("utf-8", "replace")

    def _end_of(self, process: Process, log: BinaryIO) -> int:
        seconds = LIMIT_SECONDS if self.limit is None else self.limit
        try:
            return process.wait(max(self.start + seconds - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            self.late = True
            log.write(f"\nERROR: It did not end within {seconds:g} s.\n".encode())
            return -signal.SIGKILL
        finally:
            PROCESSES.end(process)


class Step(Protocol):
    """A step of a part."""

    def run(self, run: Run) -> list[Failure]:
        """Run the step, and return the failures."""

    def run_again(self, run: Run, failures: Iterable[Failure]) -> list[Failure]:
        """Run failed tests again, alone, and return those that failed again."""


@dataclass(frozen=True, eq=False)
class Command:
    """A command that passes with status 0; it is never tried twice."""

    line: str
    variables: Mapping[str, str] = field(default_factory=dict)

    def run(self, run: Run) -> list[Failure]:
        """Run it."""
        status, output = run.call(self.line.split(), self.variables)
        return [Failure(f"`{self.line}` (status {status})", output)] if status else []

    def run_again(self, _run: Run, failures: Iterable[Failure]) -> list[Failure]:
        """Return the failures: a command is never run again."""
        return list(failures)


@dataclass(frozen=True, eq=False)
class Pytest:
    """Tests in Python: files, folders and options for pytest."""

    arguments: str
    marked: str | None = "not needs"
    """Which marks tests must have (``pytest -m``): tests that need programs which only `make check`
    installs are marked ``needs``; see tests/conftest.py."""

    def run(self, run: Run) -> list[Failure]:
        """Run them all."""
        marked = ["-m", self.marked] if self.marked else []
        return self._run(run, [*marked, *self.arguments.split()])

    def run_again(self, run: Run, failures: Iterable[Failure]) -> list[Failure]:
        """Run those of the failed tests that are known by name."""
        return self._run(run, [each.again for each in failures if each.again])

    def _run(self, run: Run, arguments: list[str]) -> list[Failure]:
        report = run.file("jsonl")
        report.unlink(missing_ok=True)
        command = [
            *(".venv/bin/python", "-m", "pytest", "-q", "--durations=10"),
            *("-o", f"cache_dir={LOGS / 'pytest'}/{run.name}", f"--report-log={report}"),
            *arguments,
        ]
        status, output = run.call(command, {})
        counted = re.findall(r"(\d+) passed", output)
        run.tests += int(counted[-1]) if counted else 0
        if status == 0:
            return []
        failures = failures_of_pytest(report) if report.exists() else []
        not_collected = any(each.again is None for each in failures)
        if not failures or (status != _TESTS_FAILED and not not_collected):
            failures.append(Failure(f"pytest (status {status})", output))
        return failures


@dataclass(frozen=True, eq=False)
class GoogleTest:
    """A program with GoogleTest."""

    program: str
    tests: str = "*"
    """A filter of GoogleTest's."""
    never_skipped: str = "^$"
    """A pattern of sources of which no test may be skipped: the set-up installs what they need."""
    variables: Mapping[str, str] = field(default_factory=dict)

    def run(self, run: Run) -> list[Failure]:
        """Run them all."""
        return self._run(run, self.tests)

    def run_again(self, run: Run, failures: Iterable[Failure]) -> list[Failure]:
        """Run the failed ones by their names."""
        return self._run(run, ":".join(each.again for each in failures if each.again))

    def _run(self, run: Run, tests: str) -> list[Failure]:
        results = run.file("json")
        results.unlink(missing_ok=True)
        command = [self.program, f"--gtest_filter={tests}", f"--gtest_output=json:{results}"]
        status, output = run.call(command, self.variables)
        # Tests that start programs of this kind show their lines, too: the last one counts.
        counted = re.findall(r"^\[  PASSED  \] (\d+) test", output, re.M)
        passed = int(counted[-1]) if counted else 0
        run.tests += passed
        if not has_google_results(results):
            return [crash_of_google_test(output)]
        failures = failures_of_google_test(results)
        failures += [
            Failure(f"{name} was skipped", "The set-up installs what it needs: see the log.")
            for name in skipped_google_tests(results, self.never_skipped)
        ]
        if status and not failures:
            failures.append(crash_of_google_test(output))
        if not status and not passed:
            failures.append(Failure(f"{self.program} ran no test", output))
        return failures

"""Runs ``streamgage measure --mpi`` as a user does, and reaches into it while it runs."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from programs import command, environment

WAIT_SECONDS = 240
"""Only so that a hanging test ends; nothing is timed."""
_SECONDS_OF_A_TURN = 0.002
_SECONDS_STOPPED = 0.02
SHORT = ("--kernels", "triad", "--size", "8MB", "--format", "csv")
"""Small arrays: figures mean nothing here, and several ranks share the CPUs."""


def start_ranks(
    ranks: int, launcher: str, *more: str | Path, folder: Path, engine: Path, **variables: str
) -> subprocess.Popen[str]:
    """Start a run; its records go to ``records_of(folder)``."""
    arguments = ("measure", "--mpi", str(ranks), "--launcher", launcher, *SHORT, *more)
    return subprocess.Popen(
        command(*arguments, "--records", records_of(folder)),
        cwd=folder,
        env=environment(folder, engine, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def run_ranks(
    ranks: int, launcher: str, *more: str | Path, folder: Path, engine: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    process = start_ranks(ranks, launcher, *more, folder=folder, engine=engine, **variables)
    return ended(process)


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    """Wait until the run has ended, and return it."""
    try:
        out, err = process.communicate(timeout=WAIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@contextmanager
def held(lock: Path) -> Iterator[None]:
    """Hold the lock, as if another measurement were running."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(f"{os.getpid()} 0 2026-01-31T12:00:00Z\n")
        file.flush()
        yield


def records_of(folder: Path) -> Path:
    """The file with the records of a run in ``folder``."""
    return folder / "ranks.jsonl"


def recorded_lines(folder: Path) -> list[dict[str, Any]]:
    """The complete records so far."""
    file = records_of(folder)
    text = file.read_text("utf-8") if file.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def of_kind(folder: Path, kind: str) -> list[dict[str, Any]]:
    """The records of one kind."""
    return [record for record in recorded_lines(folder) if record["record"] == kind]


def wait_for_ranks(process: subprocess.Popen[str], folder: Path) -> list[dict[str, Any]]:
    """Wait for the ranks, and return them with their processes, before the first sample."""
    return _ranks_after(1, "placement", process, folder)


def wait_for_samples(process: subprocess.Popen[str], folder: Path) -> list[dict[str, Any]]:
    """Wait for some samples, and return the ranks with their processes."""
    return _ranks_after(5, "sample", process, folder)


def _ranks_after(
    number: int, kind: str, process: subprocess.Popen[str], folder: Path
) -> list[dict[str, Any]]:
    end = time.monotonic() + WAIT_SECONDS
    while len(of_kind(folder, kind)) < number:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, f"no record of kind {kind} came"
        time.sleep(0.2)
    ranks = of_kind(folder, "placement")[0]["ranks"]
    assert isinstance(ranks, list)
    return ranks


@contextmanager
def slowed(pid: int) -> Iterator[None]:
    """A process that is stopped most of the time, in turns shorter than a sample."""
    ended = threading.Event()

    def take_turns() -> None:
        with suppress(ProcessLookupError):
            while not ended.wait(_SECONDS_OF_A_TURN):
                os.kill(pid, signal.SIGSTOP)
                ended.wait(_SECONDS_STOPPED)
                os.kill(pid, signal.SIGCONT)

    thread = threading.Thread(target=take_turns)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def wait_until_gone(ranks: list[dict[str, Any]]) -> None:
    """Wait until every process of the ranks has ended."""
    end = time.monotonic() + WAIT_SECONDS
    while any(_runs(rank["pid"]) for rank in ranks):
        assert time.monotonic() < end, "a rank is left over"
        time.sleep(0.2)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state != "Z" and os.path.exists(f"/proc/{pid}")  # noqa: PTH110

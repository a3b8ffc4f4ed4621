"""Submits a job of Slurm for each node, and prints what each job writes to a file of its own.

``python -m streamgage.process.fleet.jobs_of_nodes FOLDER sbatch OPTION...``, with the nodes in a
variable. It ends when every job has ended, and cancels the jobs if it is ended before. One file for
all jobs would be smaller, but on NFS the lines that several nodes append overwrite each other
(open(2), ``O_APPEND``).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from streamgage.process.fleet.node_names import parse_nodes

NODES = "STREAMGAGE_FLEET_NODES"
"""The variable with the names of the nodes, folded."""
_SECONDS_BETWEEN = 2.0
_NODES_OF_A_COMMAND = 500
_GONE = 3
"""The number of looks after which a job that the controller no longer lists has ended."""


def main(folder: Path, submit: list[str]) -> int:
    """Submit a job per node and print what the jobs write; return 1 if none could be submitted."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(143)

    signal.signal(signal.SIGTERM, leave)
    folder.mkdir()
    jobs: dict[str, str] = {}
    printed: dict[str, int] = {}
    try:
        for node in parse_nodes(NODES, os.environ[NODES]):
            job = _submitted(submit, node)
            if job is not None:
                jobs[job] = node
        looks = 0
        while looks < _GONE and jobs:
            time.sleep(_SECONDS_BETWEEN)
            looks = 0 if _running(jobs) else looks + 1
            _print_new(folder, printed)
    finally:
        _print_waiting(jobs)
        _cancel(list(jobs))
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if jobs else 1


def _print_new(folder: Path, printed: dict[str, int]) -> None:
    """Print what each file has gained since the last look: whole lines, the files one by one."""
    with os.scandir(folder) as files:
        for file in files:
            start = printed.get(file.name, 0)
            if file.stat().st_size <= start:
                continue
            with suppress(OSError), Path(file.path).open("rb") as read:
                read.seek(start)
                content = read.read()
                whole = content[: content.rfind(b"\n") + 1]
                printed[file.name] = start + len(whole)
                _print(whole)


def _submitted(submit: list[str], node: str) -> str | None:
    """Submit the job of ``node`` and return its number; ``None`` if Slurm refused it."""
    *before, wrap = submit
    done = subprocess.run(
        [*before, f"--nodelist={node}", wrap],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    job = done.stdout.strip().partition(";")[0]
    if done.returncode == 0 and job.isdecimal():
        return job
    messages = done.stderr.strip().splitlines() or [f"sbatch ended with status {done.returncode}"]
    print(f"{node}: {messages[-1]}", file=sys.stderr, flush=True)
    return None


def _running(jobs: dict[str, str]) -> bool:
    """Return whether the controller lists any of the jobs; ``True`` if it does not answer."""
    numbers = list(jobs)
    for start in range(0, len(numbers), _NODES_OF_A_COMMAND):
        some = ",".join(numbers[start : start + _NODES_OF_A_COMMAND])
        done = subprocess.run(
            ["squeue", "--noheader", f"--jobs={some}", "--states=PD,R,CG,CF,S", "--format=%i"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        # For jobs that have long ended it fails with this sentence.
        if done.stdout.strip() or (done.returncode and "Invalid job id" not in done.stderr):
            return True
    return False


def _print_waiting(jobs: dict[str, str]) -> None:
    """Print why each job that has not started waits, in Slurm's words."""
    numbers = list(jobs)
    for start in range(0, len(numbers), _NODES_OF_A_COMMAND):
        some = ",".join(numbers[start : start + _NODES_OF_A_COMMAND])
        with suppress(OSError):
            done = subprocess.run(
                ["squeue", "--noheader", f"--jobs={some}", "--states=PD", "--format=%i|%r"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            for line in done.stdout.splitlines():
                job, _, why = line.strip().partition("|")
                if job in jobs:
                    print(f"{jobs[job]}: its job waits: {why}", file=sys.stderr, flush=True)


def _cancel(jobs: list[str]) -> None:
    """Cancel the jobs; this does no harm to those that have ended."""
    for start in range(0, len(jobs), _NODES_OF_A_COMMAND):
        with suppress(OSError):
            subprocess.run(
                ["scancel", "--quiet", *jobs[start : start + _NODES_OF_A_COMMAND]],
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )


def _print(content: bytes) -> None:
    if content:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))

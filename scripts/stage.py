"""Runs a command that takes a while, and shows which stage it is in and how far.

    python3 scripts/stage.py LOG STAGE COMMAND ...

STAGE is a sentence for what the command does first. Its output goes into the file LOG; progress is
read from it, as ninja, apt-get and pip write it. Where the command fails, the end of the log is
shown, and the exit status is the command's. Standard library alone: nothing is installed yet.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

STAGES = (
    (re.compile(r"Processing \S+$"), "preparing the package"),
    (re.compile(r"Collecting (?P<what>\S+)"), "fetching Python packages"),
    (re.compile(r"\*\*\* Configuring CMake"), "configuring the engine"),
    (re.compile(r"\[(?P<done>\d+)/(?P<all>\d+)\] (?!Re-)"), "building the engine"),
    (re.compile(r"\*\*\* Making wheel"), "packing"),
    (re.compile(r"Installing collected packages"), "installing into .venv"),
    (re.compile(r"dlstatus:\d+:(?P<percent>\d+)"), "downloading packages"),
    (re.compile(r"pmstatus:[^:]+:(?P<percent>\d+)"), "installing packages"),
)
"""How a line of output begins, and the stage that it belongs to."""

SILENCE_SECONDS = 10.0
"""Seconds between lines where a line cannot be rewritten."""

LAST_LINES = 30


class Progress:
    """The stage that runs, as a line on standard error: rewritten in a terminal."""

    def __init__(self, stage: str) -> None:
        """Show the first stage."""
        self.rewrites = sys.stderr.isatty()
        self.stage = stage
        self.detail = ""
        self.began = time.monotonic()
        self.written = 0.0
        self.write()

    def line(self) -> str:
        """Returns what is shown, for example "streamgage: building the engine: 5 of 40, 12 s"."""
        seconds = f"{time.monotonic() - self.began:.0f} s"
        return f"streamgage: {self.stage}: " + ", ".join(filter(None, (self.detail, seconds)))

    def write(self) -> None:
        """Writes the line now."""
        if self.rewrites:
            sys.stderr.write(f"\r\x1b[K{self.line()}")
        elif self.written == 0:
            sys.stderr.write(f"streamgage: {self.stage} ...\n")
        else:
            sys.stderr.write(self.line() + "\n")
        sys.stderr.flush()
        self.written = time.monotonic()

    def tick(self) -> None:
        """Writes the line again, where the last one is old."""
        if time.monotonic() - self.written >= (0.2 if self.rewrites else SILENCE_SECONDS):
            self.write()

    def read(self, line: str) -> None:
        """Takes a line of the command's output."""
        for pattern, stage in STAGES:
            found = pattern.match(line.strip())
            if found is None:
                continue
            facts = found.groupdict()
            if stage != self.stage:
                self.end()
                self.stage, self.detail = stage, ""
                self.began, self.written = time.monotonic(), 0.0
                self.write()
            if "all" in facts:
                self.detail = f"{facts['done']} of {facts['all']}"
            elif "percent" in facts:
                self.detail = f"{facts['percent']} %"
            elif "what" in facts:
                self.detail = facts["what"]

    def end(self) -> None:
        """Leaves the last line of the stage as it is."""
        if self.rewrites:
            self.write()
            sys.stderr.write("\n")
        elif time.monotonic() - self.began >= SILENCE_SECONDS:
            self.write()


def follow(output: IO[bytes], log: IO[bytes], progress: Progress) -> None:
    """Copies the output into the log until it ends, and shows the progress."""
    rest = b""
    while True:
        if select.select([output], [], [], 0.2)[0]:
            read = os.read(output.fileno(), 1 << 16)
            if not read:
                break
            log.write(read)
            log.flush()
            *lines, rest = (rest + read).split(b"\n")
            for line in lines:
                progress.read(line.decode(errors="replace"))
        progress.tick()


def main(log: Path, stage: str, command: list[str]) -> int:
    """Runs the command and returns its exit status."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        kept = log.open("wb")
    except OSError as error:
        print(f"streamgage: cannot write {log}: {error.strerror}", file=sys.stderr)
        return 1
    progress = Progress(stage)
    with kept:
        try:
            started = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
        except FileNotFoundError:
            progress.end()
            print(f"streamgage: there is no program {command[0]} here", file=sys.stderr)
            return 127
        assert started.stdout is not None
        try:
            follow(started.stdout, kept, progress)
        except KeyboardInterrupt:
            started.wait()
            progress.end()
            return 130
        status = started.wait()
    progress.end()
    if status == 0:
        return 0
    lines = log.read_text("utf-8", errors="replace").splitlines()
    shown = [line for line in lines if not re.match(r"\s*(dl|pm)status:", line)]
    print(*shown[-LAST_LINES:], sep="\n", file=sys.stderr)
    print(
        f"streamgage: this failed: {progress.stage}. The reason is above; {log} has all output.",
        file=sys.stderr,
    )
    return status if status > 0 else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))

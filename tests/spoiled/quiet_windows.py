"""Measure triad next to loads of every kind, between runs on the idle machine: ``make windows``.

Each trial is a run of the engine under a condition; an idle run stands before and behind it. The
figure is right if it lies within 3 % of the range of these two, and refused if it has no interval.
A narrow interval (within 3 % of its figure) that misses the range by more than 5 % is a failure.
``--stream PROGRAM`` runs STREAM in each trial, too, and shows what it prints.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from conditions import CannotMakeError, quota_of_half
from loads import burners, hog_on, part_time_burners

_ENGINE = Path(sys.executable).with_name("streamgage-engine")
_NEAR = 0.03
_MISS = 0.05
_STOPPED_SECONDS = 3.0
_COMPILED = '#include <regex>\nint main() { return std::regex("a").mark_count(); }\n'


@dataclass(frozen=True)
class Figure:
    """The triad of one run in GB/s; without bounds, it was refused."""

    gbps: float | None
    low: float | None
    high: float | None

    @property
    def refused(self) -> bool:
        return self.gbps is None or self.low is None or self.high is None

    @property
    def narrow(self) -> bool:
        if self.gbps is None or self.low is None or self.high is None:
            return False
        return max(self.high - self.gbps, self.gbps - self.low) <= _NEAR * self.gbps


@dataclass
class Outcome:
    """The trials of one condition."""

    name: str
    right: int = 0
    refused: int = 0
    off: int = 0
    narrow_misses: int = 0
    ratios: list[float] = field(default_factory=list)
    stream: list[float] = field(default_factory=list)

    def add(self, figure: Figure, idle: Sequence[float], stream: float | None) -> None:
        """Count a trial between two idle runs."""
        low, high = min(idle), max(idle)
        middle = (low + high) / 2
        if stream is not None:
            self.stream.append(stream / middle)
        if figure.gbps is not None:
            self.ratios.append(figure.gbps / middle)
        if figure.refused or figure.gbps is None:
            self.refused += 1
        elif low * (1 - _NEAR) <= figure.gbps <= high * (1 + _NEAR):
            self.right += 1
        else:
            self.off += 1
        missed = figure.high is not None and figure.high < low * (1 - _MISS)
        missed = missed or (figure.low is not None and figure.low > high * (1 + _MISS))
        self.narrow_misses += figure.narrow and missed

    def row(self) -> str:
        """The row of the table."""
        return (
            f"| {self.name} | {self.right} | {self.refused} | {self.off} | {self.narrow_misses} |"
            f" {_range(self.ratios)} | {_range(self.stream)} |"
        )


def _range(ratios: Sequence[float]) -> str:
    if not ratios:
        return "-"
    ordered = sorted(ratios)
    return f"{statistics.median(ordered):.2f} ({ordered[0]:.2f} to {ordered[-1]:.2f})"


def _triad(seconds: float, prefix: Sequence[str] = (), *, stopped: bool = False) -> Figure:
    command = [
        *(*prefix, str(_ENGINE), "--json", "--seconds", str(seconds)),
        *("--kernels", "triad", "--stores", "plain", "--no-wait"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        if stopped:
            threading.Timer(seconds / 2, _stop, (process,)).start()
        assert process.stdout is not None
        lines = process.stdout.read().decode().splitlines()
    figures = [figure for line in lines for figure in json.loads(line).get("figures", ())]
    found = next((each for each in figures if each["kernel"] == "triad"), None)
    if found is None:
        return Figure(None, None, None)
    return Figure(found["gbps"], found["low"], found["high"])


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGSTOP)
    time.sleep(_STOPPED_SECONDS)
    process.send_signal(signal.SIGCONT)


def _stream(program: Path | None) -> float | None:
    if program is None:
        return None
    text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^Triad:\s+([0-9.]+)", text, re.M)
    return float(found[1]) / 1e3 if found else None


@contextmanager
def _compilation() -> Iterator[Sequence[str]]:
    """A compiler on every CPU, again and again."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        source = Path(folder) / "main.cpp"
        source.write_text(_COMPILED, "utf-8")
        loop = f"while :; do g++ -O2 -fsyntax-only {source}; done"
        for _ in os.sched_getaffinity(0):
            process = subprocess.Popen(["sh", "-c", loop], start_new_session=True)
            stack.callback(lambda each: os.killpg(each.pid, signal.SIGKILL), process)
        yield ()


@contextmanager
def _plain(
    make: Callable[[], AbstractContextManager[object]],
) -> Iterator[Sequence[str]]:
    with make():
        yield ()


@contextmanager
def _quota() -> Iterator[Sequence[str]]:
    with quota_of_half() as setup:
        yield setup.prefix


_CPUS = sorted(os.sched_getaffinity(0))
_CONDITIONS: dict[str, Callable[[], AbstractContextManager[Sequence[str]]]] = {
    "nothing else": partial(_plain, ExitStack),
    **{
        f"burners of {duty} % on {where}": partial(
            _plain, partial(part_time_burners, cpus, duty / 100)
        )
        for duty in (50, 85)
        for where, cpus in (("one CPU", _CPUS[:1]), ("all CPUs", _CPUS))
    },
    "a burner on one CPU": partial(_plain, partial(burners, _CPUS[:1])),
    **{
        f"{number} on each CPU": partial(_plain, partial(burners, _CPUS * number))
        for number in (1, 2, 3)
    },
    "a compiler on each CPU": _compilation,
    "a memory benchmark on one CPU": partial(_plain, partial(hog_on, _CPUS[0], 0)),
    "a niced one on one CPU": partial(_plain, partial(hog_on, _CPUS[0], 10)),
    "a quota of half of the CPUs": _quota,
    "stopped for 3 s": partial(_plain, ExitStack),
}


def main() -> None:
    """Run all trials and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--only", action="append", choices=list(_CONDITIONS))
    parser.add_argument("--stream", type=Path)
    asked = parser.parse_args()
    print("| next to | right | refused | off | narrow misses | over idle | STREAM over idle |")
    print("|---|---|---|---|---|---|---|", flush=True)
    failed = False
    for name in asked.only or _CONDITIONS:
        outcome = Outcome(name)
        try:
            before = _triad(asked.seconds)
            for _ in range(asked.trials):
                with _CONDITIONS[name]() as prefix:
                    stopped = name.startswith("stopped")
                    figure = _triad(asked.seconds, prefix, stopped=stopped)
                    stream = _stream(asked.stream)
                after = _triad(asked.seconds)
                idle = [each.gbps for each in (before, after) if each.gbps is not None]
                if idle:
                    outcome.add(figure, idle, stream)
                before = after
        except CannotMakeError as error:
            print(f"| {name} | not run: {error} |", flush=True)
            continue
        print(outcome.row(), flush=True)
        failed = failed or outcome.narrow_misses > 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

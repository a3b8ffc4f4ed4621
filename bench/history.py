"""Times `history` in a store of many runs: `bench/history.py [RUNS]`.

Fills a store in a temporary folder with runs, each as large as a short measurement of this machine,
where the two newest differ in every sample. Times the program from its start to its end, in turn
with `--help`, which loads every command: medians of seconds with the extremes, and of those of a
CPU, which count where others use the machine. Where PYTHONDONTWRITEBYTECODE is set, every start
compiles the program again.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import msgspec

from streamgage.records import AnyRecord, Sample
from streamgage.records.reader import read_records
from streamgage.records.run import collect
from streamgage.results.measure.judge import judge_measure
from streamgage.results.summarise import summary_of
from streamgage.store import Store

ROUNDS = 7
COMMANDS = {
    "--help": ("--help",),
    "history": ("history",),
    "history of a kernel": ("history", "--kernel", "copy", "--machine", "node17"),
    "show": ("show", "last", "--format", "csv"),
    "compare": ("compare", "last-1", "last", "--format", "csv"),
}


def fill(store: Path, runs: int, folder: Path) -> None:
    """One real measurement, and copies of it that differ."""
    records = folder / "run.jsonl"
    subprocess.run(
        [
            *(sys.executable, "-m", "streamgage", "measure", "--quick", "--no-tune", "--no-store"),
            *("--size", "4MiB", "--records", str(records)),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    content = records.read_bytes()
    found = judge_measure(collect(read_records(records, print)))
    summary = summary_of(found, partial=False)
    with Store(store, create=True) as opened:
        for number in range(runs - 2):
            day = f"2025-{1 + number % 12:02}-{1 + number % 28:02}"
            other = msgspec.structs.replace(
                summary, started=f"{day}T00:00:{number % 60:02}Z", host=f"node{number % 100}"
            )
            opened.add(other, {"run.jsonl": content + b"\n" * (number + 1)})
        for seed in range(2):
            newest = msgspec.structs.replace(summary, started=f"2026-01-01T00:00:0{seed}Z")
            opened.add(newest, {"run.jsonl": _varied(read_records(records, print), seed)})
    print(f"{runs} runs of {len(content)} bytes; the store has {store.stat().st_size} bytes")


def _varied(records: list[AnyRecord], seed: int) -> bytes:
    """The lines of the records with other times, 1 % apart."""
    source = random.Random(seed)
    return b"".join(
        msgspec.json.encode(
            msgspec.structs.replace(each, seconds=each.seconds * source.lognormvariate(0, 0.01))
            if isinstance(each, Sample)
            else each
        )
        + b"\n"
        for each in records
    )


def seconds(arguments: tuple[str, ...], store: Path) -> tuple[float, float]:
    """Wall seconds and CPU seconds of one start of the program."""
    start, used = time.perf_counter(), _used()
    subprocess.run(
        [sys.executable, "-m", "streamgage", *arguments],
        env={**os.environ, "STREAMGAGE_STORE": str(store)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start, _used() - used


def _used() -> float:
    """CPU seconds of the programs that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    """Fill a store and time the commands in turn."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        store = folder / "store.sqlite"
        fill(store, runs, folder)
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
        for _ in range(ROUNDS):
            for name, arguments in COMMANDS.items():
                taken[name].append(seconds(arguments, store))
        print(f"{platform.machine()}, Python {platform.python_version()}")
        for name, each in taken.items():
            print(f"{name:20}", *(_shown(times) for times in zip(*each, strict=True)), "of a CPU")


def _shown(times: tuple[float, ...]) -> str:
    return f"{median(times):.3f} s ({min(times):.3f} - {max(times):.3f})"


if __name__ == "__main__":
    main()

"""How long `history` takes in a store of many runs: `bench/history.py [RUNS]`.

Fills a store in a temporary folder with runs that differ in their samples, each as large as a short
measurement of this machine, and times the program from its start to its end, in turn with `--help`,
which is what any command takes at least. Medians of seconds with the extremes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import msgspec

from streamgage.analysis.kept import summary_of
from streamgage.analysis.run import collect
from streamgage.analysis.summary import answer
from streamgage.recording import read_records
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
    found = answer(collect(read_records(records, print)))
    summary = summary_of(found.result, found, partial=False)
    with Store(store, create=True) as opened:
        for number in range(runs):
            day = f"2026-{1 + number % 12:02}-{1 + number % 28:02}"
            other = msgspec.structs.replace(
                summary, started=f"{day}T00:00:{number % 60:02}Z", host=f"node{number % 100}"
            )
            opened.add(other, {"run.jsonl": content + b"\n" * (number + 1)})
    print(f"{runs} runs of {len(content)} bytes; the store has {store.stat().st_size} bytes")


def seconds(arguments: tuple[str, ...], store: Path) -> float:
    """Of one start of the program."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "streamgage", *arguments],
        env={**os.environ, "STREAMGAGE_STORE": str(store)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def main() -> None:
    """Fill a store and time the commands in turn."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        store = folder / "store.sqlite"
        fill(store, runs, folder)
        taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
        for _ in range(ROUNDS):
            for name, arguments in COMMANDS.items():
                taken[name].append(seconds(arguments, store))
        for name, each in taken.items():
            print(f"{name:20} {median(each):.3f} s ({min(each):.3f} - {max(each):.3f})")


if __name__ == "__main__":
    main()

"""Measure again and again, quiet and disturbed, and see whether verdicts agree: ``make verdicts``.

The program runs ``streamgage measure`` so many times on the machine as it is, and so many times
next to loads of several kinds, quiet and disturbed in turn. No result may contradict another:
stores judged differently, another limit, a finding on a fact that comes and goes, or intervals of
one figure that have nothing in common. ``--drift`` is the share by which the machine itself may
change between two runs. The documents stay in a folder, and ``--from FOLDER`` judges them again.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from contradictions import contradictions, summary
from loads import burners, hog_on, memory_hog, part_time_burners
from one_run import measure

_CPUS = sorted(os.sched_getaffinity(0))
_HOG_BYTES = 512 << 20
_SHOWN = 20
_LOADS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "a burner of half of the time on one CPU": partial(part_time_burners, _CPUS[:1], 0.5),
    "a burner on one CPU": partial(burners, _CPUS[:1]),
    "a burner of 85 % on every CPU": partial(part_time_burners, _CPUS, 0.85),
    "a copy of memory": partial(memory_hog, _HOG_BYTES),
    "a copy of memory, niced, on one CPU": partial(hog_on, _CPUS[0], 10),
}


@contextmanager
def _quiet() -> Iterator[None]:
    yield


def main() -> None:
    """Run all, and print what contradicts another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30, help="of each: quiet and disturbed")
    parser.add_argument("--drift", type=float, default=0.0)
    parser.add_argument("--folder", type=Path, help="for the documents; default: a new one")
    parser.add_argument("--from", dest="known", type=Path, help="judge the documents of a folder")
    asked = parser.parse_args()
    folder = asked.known or asked.folder or Path(tempfile.mkdtemp(prefix="verdicts-"))
    if asked.known is None:
        _measure(asked.runs, folder)
    documents = _documents(folder)
    quiet = {name: each for name, each in documents.items() if name.startswith("quiet")}
    failed = False
    for title, runs in (("quiet runs", quiet), ("all runs", documents)):
        found = contradictions(runs, asked.drift)
        print(f"{len(runs)} {title}: {summary(found)}")
        for each in found[:_SHOWN]:
            print(f"  {each}")
        failed = failed or bool(found)
    print(f"The documents are in {folder}.")
    sys.exit(1 if failed else 0)


def _measure(number: int, folder: Path) -> None:
    names = list(_LOADS)
    seconds: list[float] = []
    for run in range(1, number + 1):
        load = names[(run - 1) % len(names)]
        for kind, make in (("quiet", _quiet), ("disturbed", _LOADS[load])):
            begin = time.monotonic()
            with ExitStack() as stack:
                stack.enter_context(make())
                ended = measure(folder / f"{kind}-{run:02d}")
            seconds.append(time.monotonic() - begin)
            if ended.document is None:
                sys.exit(f"{kind} run {run} gave no result: {ended.stderr.strip()[-500:]}")
            what = load if kind == "disturbed" else "nothing else"
            print(f"{kind} {run} of {number}, next to {what}: {seconds[-1]:.0f} s", flush=True)
    print(f"A run took {statistics.median(seconds):.0f} s.")


def _documents(folder: Path) -> dict[str, dict[str, Any]]:
    return {
        path.parent.name: json.loads(path.read_text("utf-8"))
        for path in sorted(folder.glob("*/result.json"))
    }


if __name__ == "__main__":
    main()

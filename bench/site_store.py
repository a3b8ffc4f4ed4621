"""Times a store for a site, compared with one in a file: `bench/site_store.py [NODES]`.

A server of PostgreSQL is started here, which waits for the disk as it does by default. A fleet of
so many nodes is stored as one result, with the lines of all nodes. Then small results are stored,
each in a connection and a transaction of its own: from one process, and in PostgreSQL also from
several at once. Where several write to one file without a pause, one may wait for longer than
30 s, which ends it. At last `history` lists the newest: seconds of a CPU for a start of the
program, median of some.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from example_records import as_lines, good_records  # noqa: E402
from postgresql_server import postgresql_server  # noqa: E402
from store_results import made_summary  # noqa: E402
from stub_fleet import judged, stub_fleet  # noqa: E402

from streamgage.records.address import StorePlace, place_in  # noqa: E402
from streamgage.results.kinds import result_of  # noqa: E402
from streamgage.results.summarise import summary_of  # noqa: E402
from streamgage.store import Store  # noqa: E402
from streamgage.store.destination import document_file  # noqa: E402

RESULTS = 1_000
WRITERS = 8
ROUNDS = 7


def store_fleet(place: StorePlace, nodes: int) -> None:
    """Write and read one result of this many nodes."""
    planted = stub_fleet(nodes, 1)
    fleet = judged(planted)
    files = document_file(fleet) | {"lines.jsonl": b"".join(planted.lines)}
    summary = summary_of(result_of(fleet), partial=False)
    start = time.perf_counter()
    with Store(place, create=True) as store:
        number = store.add(summary, files)
    written = time.perf_counter()
    with Store(place, create=False) as store:
        assert store.files(number) == files
    read = time.perf_counter()
    size = sum(map(len, files.values())) / 1e6
    print(f"  a fleet, {size:.1f} MB: stored in {written - start:.2f} s, read in", end=" ")
    print(f"{read - written:.2f} s", flush=True)


def store_results(place: StorePlace, processes: int) -> None:
    """Store many small results from several processes at once."""
    lines = as_lines(good_records())

    def write(first: int) -> None:
        for number in range(first, RESULTS, processes):
            summary = made_summary(host=f"node{number}", label=f"{processes}")
            content = lines + b"\n" * (RESULTS * processes + number)
            with Store(place, create=True) as store:
                store.add(summary, {"run.jsonl": content})

    context = get_context("fork")
    writers = [context.Process(target=write, args=(first,)) for first in range(processes)]
    start = time.perf_counter()
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    taken = time.perf_counter() - start
    assert all(each.exitcode == 0 for each in writers)
    print(f"  {RESULTS:,} results, {processes} at once: {taken:.1f} s", flush=True)


def list_newest(place: str) -> None:
    """Time the whole command."""
    taken = []
    for _ in range(ROUNDS):
        before = os.times()
        subprocess.run(
            [sys.executable, "-m", "streamgage", "history", "--store", place],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        after = os.times()
        used = after.children_user + after.children_system
        taken.append(used - before.children_user - before.children_system)
    print(f"  history: {median(taken):.2f} s ({min(taken):.2f} - {max(taken):.2f}) of a CPU")


def main() -> None:
    """Time both kinds of store in turn."""
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder, postgresql_server(durable=True) as server:
        for name, place, at_once in (
            ("a file", str(Path(folder) / "store.sqlite"), (1,)),
            ("PostgreSQL", server.address(), (1, WRITERS)),
        ):
            print(name)
            store_fleet(place_in(place), nodes)
            for processes in at_once:
                store_results(place_in(place), processes)
            list_newest(place)


if __name__ == "__main__":
    main()

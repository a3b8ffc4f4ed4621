"""Fuzzes the reading of results, guided by coverage (atheris): a change of theirs, and another.

    python tests/support/fuzz_results.py records|documents [libFuzzer's options] [CORPUS ...]

What a file holds is shown, or refused with one sentence; anything else that is raised
is a fault. The examples of the tests are the seeds.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import atheris
import msgspec

with atheris.instrument_imports(
    include=["streamgage.records", "streamgage.analysis", "streamgage.results"]
):
    from instrumented import load_all

    load_all("streamgage.analysis", "streamgage.results")
    from streamgage.errors import StreamgageError
    from streamgage.results.result import Result
    from streamgage.store.load import load_content

from changed_files import changed_lines
from example_counters import NO_SOURCE, calibration
from example_ladder import machine_of
from example_latency import latency_records
from example_own_kernels import with_own
from example_ranks import records_of_ranks
from example_records import as_lines, good_records, tuned_records
from example_results import every_kind, ignore, two_modes_records
from mutants import ways_to_show

from streamgage.records import AnyRecord, Sample

_STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MOST_SAMPLES = 7
"""Of a variant: what is read after that is more of the same."""
_RUNS = {
    "good": good_records(),
    "tuned": tuned_records(),
    "two-modes": two_modes_records(),
    "ranks": records_of_ranks(),
    "own": with_own(),
    "latency": latency_records(machine_of(), rounds=1),
    "counters": [*good_records()[:-2], NO_SOURCE, calibration(), *good_records()[-2:]],
}


def _fewer(records: list[AnyRecord]) -> Iterator[AnyRecord]:
    seen: dict[int, int] = {}
    for each in records:
        if isinstance(each, Sample):
            seen[each.variant] = seen.get(each.variant, 0) + 1
            if seen[each.variant] > _MOST_SAMPLES:
                continue
        yield each


def _seeds(family: str) -> dict[str, bytes]:
    if family == "records":
        return {name: as_lines(list(_fewer(run))) for name, run in _RUNS.items()}
    return {each.kind.name: msgspec.json.encode(each.printed) for each in every_kind()[1:]}


class Target:
    """Reads and shows what the fuzzer gives; ``folder`` has a store for that."""

    def __init__(self, seeds: dict[str, bytes], folder: Path) -> None:
        """Keep the seeds as what others are compared with."""
        self.folder = folder
        self.others: dict[str, Result[Any]] = {}
        for name, content in seeds.items():
            loaded = load_content(content, name, name, ignore)
            self.others.setdefault(loaded.kind.name, loaded)

    def __call__(self, data: bytes) -> None:
        """Load ``data`` as a file of a result, lay out its page, and show it in one way."""
        try:
            loaded = load_content(data, "a.jsonl", "a.jsonl", ignore)
            assert loaded.page.title
            other = self.others.get(loaded.kind.name, loaded)
            drawn = zlib.crc32(data)
            ways = list(ways_to_show(loaded, other, self.folder, fully=drawn % 16 == 0))
            shown = ways[drawn // 16 % len(ways)]()
        except StreamgageError as error:
            assert "\n" not in str(error)
            return
        assert not isinstance(shown, str) or not _STEERS.search(shown)


def changed(data: bytes, most: int, seed: int) -> bytes:
    """``data`` with a value of its JSON changed, or with bytes changed where it has none."""
    source = random.Random(seed)

    def mutate(content: bytes) -> bytes:
        return atheris.Mutate(content, most)

    if not data.split() or source.random() < 0.1:
        return mutate(data)
    made = changed_lines(data, source, mutate)
    return made if len(made) <= most else data[:most]


def main() -> None:
    """Run until the options say to stop."""
    family = sys.argv.pop(1)
    seeds = _seeds(family)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        corpus = folder / "seeds"
        corpus.mkdir()
        for name, content in seeds.items():
            (corpus / name).write_bytes(content)
        atheris.Setup([*sys.argv, str(corpus)], Target(seeds, folder), custom_mutator=changed)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

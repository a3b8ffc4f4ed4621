"""Makes runs from tables of rates or times, to judge their traffic."""

from __future__ import annotations

import csv
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from example_records import DISTURBANCE, MACHINE, MEMORY, PLAN, place, placement, samples_of
from programs import REPOSITORY

from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.verdict import TrafficJudgement
from streamgage.records import (
    AccessShape,
    AnyRecord,
    BenchmarkOutput,
    Kernel,
    ReportedRate,
    Variant,
)
from streamgage.records.run import Run, collect

PREFETCHED = AccessShape(streams=4, block_bytes=4096, write_prefetch_bytes=1024)
CATALOGUE = {
    name: Kernel(
        name=name,
        formula=formula,
        loads=loads,
        stores=stores,
        write_allocates=allocates,
        flops=0,
    )
    for name, formula, loads, stores, allocates in (
        ("init", "a = s", 0, 1, True),
        ("sum", "s += a", 1, 0, False),
        ("dot", "s += a*b", 2, 0, False),
        ("copy", "a = b", 1, 1, True),
        ("scale", "a = s*b", 1, 1, True),
        ("update", "a = s*a", 1, 1, False),
        ("add", "a = b + c", 2, 1, True),
        ("triad", "a = b + s*c", 2, 1, True),
        ("daxpy", "a = a + s*b", 2, 1, False),
        ("striad", "a = b + c*d", 3, 1, True),
        ("sdaxpy", "a = a + b*c", 3, 1, False),
        ("bracket", "a = a + b*c + d", 4, 1, False),
    )
}


def table_run(
    tables: Sequence[Mapping[str, float]],
    *,
    stores: Mapping[str, str] | None = None,
    convention: str = "nominal",
    threads: int | None = None,
    array_bytes: int | None = None,
) -> Run:
    """A run of another benchmark: GB/s by kernel, one mapping a table."""
    names = list(tables[0])
    records: list[AnyRecord] = [
        BenchmarkOutput(
            tool="STREAM", tables=len(tables), threads=threads, array_bytes=array_bytes
        ),
        *(CATALOGUE[name] for name in names),
    ]
    for number, name in enumerate(names):
        store = (stores or {}).get(name, "plain")
        records.append(
            Variant(id=number, kernel=name, store=store, type="double", isa="unknown", code="gcc")
        )
        for place_of, table in enumerate(tables):
            rate = {
                "record": "rate",
                "variant": number,
                "table": place_of,
                "gbps": table[name],
                "convention": convention,
            }
            records.append(msgspec.convert(rate, ReportedRate))
    return collect(records)


@dataclass
class Guest:
    """A measured run that is made up: nanoseconds an element of each variant.

    ``times`` is by kernel and one of ``plain``, ``regular``, ``forced``, ``streaming``, ``claim``,
    ``libc``; ``drift`` is common to all variants of a block, ``noise`` is of each sample alone.
    """

    times: dict[tuple[str, str], float]
    noise: float = 0.005
    drift: float = 0.0
    blocks: int = 30
    seed: int = 1
    extra: list[AnyRecord] = field(default_factory=list)

    def variants(self) -> list[Variant]:
        """The variants in the order of ``times``."""
        return [_variant(number, *key) for number, key in enumerate(self.times)]

    def records(self) -> list[AnyRecord]:
        """All records of the run."""
        source = random.Random(self.seed)
        speeds = [1 + self.drift * source.random() for _ in range(self.blocks)]
        records: list[AnyRecord] = [MACHINE, PLAN, placement(place(0), place(1)), MEMORY]
        records += [CATALOGUE[name] for name in dict.fromkeys(name for name, _ in self.times)]
        variants = self.variants()
        records += variants
        for variant, nanoseconds in zip(variants, self.times.values(), strict=True):
            seconds = nanoseconds * 1e-9 * MEMORY.elements
            samples = [seconds * speed * (1 + source.gauss(0, self.noise)) for speed in speeds]
            records += samples_of(variant.id, samples)
        return [*records, DISTURBANCE, *self.extra]

    def run(self) -> Run:
        """The run with these records."""
        return collect(self.records())

    def id(self, kernel: str, how: str) -> int:
        """The number of a variant."""
        return list(self.times).index((kernel, how))


def _variant(number: int, kernel: str, how: str) -> Variant:
    forced = how == "forced"
    vector = how in ("forced", "regular", "streaming", "claim")
    made = {
        "id": number,
        "kernel": kernel,
        "store": "regular" if forced else how,
        "type": "double",
        "isa": "AVX2",
        "code": "Highway" if vector else "gcc",
        "purpose": "forced-read" if forced else "rate",
        "shape": PREFETCHED if forced else AccessShape() if vector else None,
    }
    return msgspec.convert(made, Variant)


@dataclass(frozen=True)
class PublishedTable:
    """One table that others published, with the truth where it is known, by kernel."""

    machine: str
    source: str
    convention: str
    threads: int
    gbps: dict[str, float]
    stores: dict[str, str]
    truth: dict[str, float]


def verdicts(guest: Guest, judgement: TrafficJudgement, how: str) -> dict[str, str | None]:
    """The verdict on each kernel with stores of that kind."""
    return {
        kernel: judgement.crossings[number].alpha.verdict
        for number, (kernel, each) in enumerate(guest.times)
        if each == how
    }


def is_wrong(alpha: Alpha, truth: float) -> bool:
    """Return whether a verdict contradicts the true alpha."""
    match alpha.verdict:
        case "full":
            return truth < 0.75
        case "none":
            return truth > 0.25
        case "partial":
            return not 0.1 <= truth <= 0.9
        case "at-most":
            return alpha.high is None or truth > alpha.high + 0.02
    return False


_NAMES = {"mul": "scale", "load": "sum", "store (0l1s)": "init", "copy (1l1s)": "copy"}
_NAMES |= {"stream (2l1s)": "triad", "triad (3l1s)": "striad"}
_STORES = {"nt": "streaming", "regular": "plain"}


def published() -> list[PublishedTable]:
    """The tables of ``tests/data/published-bandwidths.csv``."""
    path = REPOSITORY / "tests" / "data" / "published-bandwidths.csv"
    tables: dict[tuple[str, ...], PublishedTable] = {}
    with path.open(encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            # likwid-bench has a file a kernel; together they are one table
            source = row["source"].rsplit("/", 1)[0] if "likwid-poster" in row["source"] else ""
            convention = "nominal" if row["counted_convention"] == "stream" else "hardware"
            key = (row["machine"], source or row["source"], convention, row["threads"])
            table = tables.setdefault(
                key, PublishedTable(key[0], key[1], convention, int(key[3]), {}, {}, {})
            )
            kernel = row["kernel"].lower()
            kernel = _NAMES.get(kernel, kernel)
            table.gbps[kernel] = float(row["reported_MBps"]) / 1000
            table.stores[kernel] = _STORES.get(row["store_mode"], row["store_mode"])
            if row["truth_wa_factor"]:
                table.truth[kernel] = float(row["truth_wa_factor"])
    return list(tables.values())

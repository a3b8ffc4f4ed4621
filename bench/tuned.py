"""The highest honest number against the best that likwid-bench has for the same kernel."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

import peers
from pair import Pair

FAMILIES: dict[str, tuple[str, ...]] = {
    "init": ("store",),
    "sum": ("load", "sum"),
    "dot": ("ddot",),
    "copy": ("copy",),
    "update": ("update",),
    "triad": ("stream",),
    "daxpy": ("daxpy",),
    "striad": ("triad",),
}
"""likwid-bench's kernels that move what ours does."""

TRIALS = 5
"""Interleaved runs of each of likwid-bench's variants; the quickest is chosen."""
RACE_SECONDS = 3.0
"""Seconds of the tuner for each kernel and store mode."""


def against_best(kernel: str, array_bytes: int, cpus: list[int], runs: int) -> Pair:
    """The pair of that kernel; both sides choose what they run when it is prepared."""
    sides: dict[str, Callable[[], float]] = {}

    def prepare() -> tuple[str, str]:
        name = _best_of_likwid(kernel, array_bytes, len(cpus), runs)
        sides["theirs"] = lambda: peers.likwid(name, array_bytes, len(cpus), runs)[0]
        store, shape = _best_of_ours(kernel, array_bytes, cpus)
        sides["ours"] = lambda: _rate(kernel, (store, shape), array_bytes, cpus, runs)
        return f"best of likwid-bench: {name}", store if shape is None else f"{store}, tuned"

    return Pair(
        peer="best of likwid-bench",
        kernel=kernel,
        store="best",
        threads=len(cpus),
        ours=lambda: sides["ours"](),  # noqa: PLW0108 - known only when it is prepared
        theirs=lambda: sides["theirs"](),  # noqa: PLW0108
        prepare=prepare,
    )


def read_for_stores(kernel: str, store: str) -> int:
    """Elements an iteration that are read only because a store overwrites their line."""
    reads_target = kernel in ("update", "daxpy", "sum", "dot")
    return 0 if reads_target or store.startswith("streaming") else 1


def _best_of_likwid(kernel: str, array_bytes: int, threads: int, runs: int) -> str:
    rates: dict[str, list[float]] = {}
    names = peers.likwid_variants(FAMILIES[kernel])
    for _ in range(TRIALS):
        for name in tuple(names):
            try:
                rate = peers.likwid(name, array_bytes, threads, max(runs // 2, 1))[0]
            except peers.PeerError as failure:  # some of its variants crash on some processors
                print(f"left out: {failure}", flush=True)
                names.remove(name)
                continue
            rates.setdefault(name, []).append(rate)
    return max(rates, key=lambda name: median(rates[name]))


def _best_of_ours(
    kernel: str, array_bytes: int, cpus: list[int]
) -> tuple[str, dict[str, Any] | None]:
    """Store mode and shape of the quickest variant in one interleaved run after tuning."""
    stores = ["plain", "regular"] + ([] if kernel in ("sum", "dot") else ["streaming"])
    plan = _plan(kernel, stores, array_bytes, cpus, samples=30)
    plan["tuning"] = {"budget_seconds": RACE_SECONDS * (len(stores) - 1)}
    records = peers.records_of(plan)
    times: dict[int, list[float]] = {}
    for record in records:
        if record["record"] == "sample" and record["role"] == "timed":
            times.setdefault(record["variant"], []).append(record["seconds"] / record["passes"])
    variants = {record["id"]: record for record in records if record["record"] == "variant"}
    best = variants[min(times, key=lambda number: median(times[number]))]
    return best["store"], best["shape"] if best["tuned"] else None


def _rate(
    kernel: str,
    how: tuple[str, dict[str, Any] | None],
    array_bytes: int,
    cpus: list[int],
    runs: int,
) -> float:
    """MB/s with that store mode and shape, from the mean time, as the peer gives it."""
    store, shape = how
    plan = _plan(kernel, [store], array_bytes, cpus, samples=runs)
    if shape is not None:
        plan["shape"] = shape
    records = peers.records_of(plan)
    tuned = shape is not None
    wanted = {
        record["id"]
        for record in records
        if record["record"] == "variant" and record["tuned"] == tuned
    }
    times = [
        record["seconds"] / record["passes"]
        for record in records
        if record["record"] == "sample"
        and record["role"] == "timed"
        and record["variant"] in wanted
    ]
    return float(peers.FACTS[kernel] * array_bytes * len(times) / sum(times) / 1e6)


def _plan(
    kernel: str, stores: list[str], array_bytes: int, cpus: list[int], *, samples: int
) -> dict[str, Any]:
    sampling = {"min_samples": samples, "look_every": samples, "max_samples": samples}
    return {
        "schema": 1,
        "kernels": [kernel],
        "stores": stores,
        "placement": {"kind": "cpus", "cpus": cpus},
        "array_bytes": array_bytes,
        "sampling": peers.ONE_SAMPLE | sampling,
    }

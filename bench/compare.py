"""Compares the engine with likwid-bench and with plain OpenMP loops, paired, in one run.

Every round measures every pair once, in random order and with the two sides in random order, so
that whatever else the machine does falls on both. A row is the median of the rounds' ratios with
its 95 % interval: above 1, the engine is faster. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import peers

from streamgage.analysis.statistics import summarise


@dataclass
class Pair:
    """One comparison: what each side measures, and what came of it (MB/s)."""

    peer: str
    kernel: str
    store: str
    threads: int
    ours: Callable[[], float]
    theirs: Callable[[], float]
    ours_mbps: list[float] = field(default_factory=list)
    theirs_mbps: list[float] = field(default_factory=list)

    def measure(self, ours_first: bool) -> None:
        """Measures both sides once."""
        if ours_first:
            self.ours_mbps.append(self.ours())
        self.theirs_mbps.append(self.theirs())
        if not ours_first:
            self.ours_mbps.append(self.ours())

    def row(self) -> str:
        """The pair's line of the table."""
        both = zip(self.ours_mbps, self.theirs_mbps, strict=True)
        ratios = [ours / theirs for ours, theirs in both]
        best = max(self.ours_mbps) / max(self.theirs_mbps)
        ratio = summarise(ratios)
        within = ratio.interval
        spread = "-" if within is None else f"{within.low:.3f} - {within.high:.3f}"
        return (
            f"| {self.peer} | {self.kernel} | {self.store} | {self.threads} "
            f"| {summarise(self.theirs_mbps).median / 1e3:.1f} "
            f"| {summarise(self.ours_mbps).median / 1e3:.1f} | {ratio.median:.3f} | {spread} "
            f"| {best:.3f} |"
        )


def pairs(array_bytes: int, runs: int) -> list[Pair]:
    """All pairs, with one and with all threads."""
    isa = peers.likwid_isa()
    program = peers.compile_plain(array_bytes)

    def ours(kernel: str, store: str, cpus: list[int]) -> Callable[[], float]:
        return lambda: peers.engine(kernel, store, array_bytes, cpus, runs)

    def against_likwid(kernel: str, store: str, name: str, cpus: list[int]) -> Pair:
        def theirs() -> float:
            return peers.likwid(name, array_bytes, len(cpus), runs)[0]

        peer = f"likwid-bench {name}"
        return Pair(peer, kernel, store, len(cpus), ours(kernel, store, cpus), theirs)

    def against_plain(kernel: str, cpus: list[int]) -> Pair:
        def theirs() -> float:
            return peers.plain(program, kernel, array_bytes, cpus, runs)

        run = ours(kernel, "plain", cpus)
        return Pair("plain OpenMP", kernel, "plain", len(cpus), run, theirs)

    found = []
    for threads in sorted({1, len(os.sched_getaffinity(0))}):
        _, cpus = peers.likwid(f"load_{isa}", array_bytes, threads, 1)
        found += [
            against_likwid(kernel, store, name.format(isa=isa), cpus)
            for (kernel, store), name in peers.LIKWID_KERNELS.items()
        ]
        found += [against_plain(kernel, cpus) for kernel in peers.PLAIN_KERNELS]
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--runs", type=int, default=20, help="timed runs of a kernel in a round")
    parser.add_argument("--array-mib", type=int, help="MiB of each array; default: by the 4x rule")
    parser.add_argument("--only", default="", help="pairs whose line holds this text")
    options = parser.parse_args()
    array_bytes = options.array_mib << 20 if options.array_mib else peers.rule_bytes()
    everything = pairs(array_bytes, options.runs)
    chosen = [p for p in everything if options.only in f"{p.peer} {p.kernel} {p.store} {p.threads}"]
    order = random.Random(1)
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        for pair in order.sample(chosen, len(chosen)):
            pair.measure(ours_first=order.random() < 0.5)
    print("| peer | kernel | stores | threads | peer GB/s | our GB/s | ratio | 95 % | best/best |")
    print("|---|---|---|---|---|---|---|---|---|")
    for pair in chosen:
        print(pair.row())


if __name__ == "__main__":
    main()

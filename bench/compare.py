"""Compares the engine with likwid-bench and with plain OpenMP loops, paired, in one run.

Standard kernels are compared with their counterparts, and what the tuner makes of a kernel with the
quickest of all of likwid-bench's variants of it.

Every round measures every pair once, in random order and with the two sides in random order, so
everything else that the machine does falls on both. A row is the median of the rounds' ratios with
its 95 % interval: above 1, the engine is faster. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable
from statistics import geometric_mean, median

import caches
import levels
import peers
import tuned
from pair import Pair, interval_of


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
        found += caches.pairs(threads, cpus)
        found += levels.pairs(threads, cpus)
        found += [tuned.against_best(kernel, array_bytes, cpus, runs) for kernel in tuned.FAMILIES]
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--runs", type=int, default=20, help="timed runs of a kernel in a round")
    parser.add_argument("--array-mib", type=int, help="MiB of each array; default: by the 4x rule")
    parser.add_argument("--only", default="", help="pairs whose line holds this text")
    options = parser.parse_args()
    array_bytes = options.array_mib << 20 if options.array_mib else peers.rule_bytes()
    everything = pairs(array_bytes, options.runs)
    chosen = [p for p in everything if options.only in f"{p.peer} {p.kernel} {p.store} {p.threads}"]
    for pair in chosen:
        if pair.prepare is not None:
            print(
                f"choosing for {pair.kernel}, {pair.threads} threads", file=sys.stderr, flush=True
            )
            pair.peer, pair.store = pair.prepare()
    order = random.Random(1)
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        for pair in order.sample(chosen, len(chosen)):
            pair.measure(ours_first=order.random() < 0.5)
    print("| peer | kernel | stores | threads | peer GB/s | our GB/s | ratio | 95 % | best/best |")
    print("|---|---|---|---|---|---|---|---|---|")
    for pair in chosen:
        print(pair.row())
    _summary([pair for pair in chosen if pair.prepare is not None], array_bytes)


def _summary(races: list[Pair], array_bytes: int) -> None:
    """Print the geometric mean over the tuned kernels, and the rates as lines in flight."""
    if not races:
        return
    means = [geometric_mean(each) for each in zip(*(p.ratios() for p in races), strict=True)]
    print(
        f"\ngeometric mean of the tuned kernels' ratios: {median(means):.3f} ({interval_of(means)})"
    )
    latency = peers.latency_ns(1 << 30)
    print(f"idle latency by a chase over 1 GiB: {latency:.0f} ns; lines in flight a core:")
    for pair in races:
        moved = peers.FACTS[pair.kernel] + tuned.read_for_stores(pair.kernel, pair.store)
        rate = median(pair.ours_mbps) * moved / peers.FACTS[pair.kernel]
        lines = rate * 1e6 * latency * 1e-9 / 64 / pair.threads
        print(f"  {pair.kernel:<7} {pair.threads} threads, {pair.store}: {lines:.0f}")


if __name__ == "__main__":
    try:
        main()
    except peers.PeerError as failure:
        sys.exit(f"bench: {failure}")

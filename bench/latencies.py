"""Compares the engine's idle latency with that of a program of its own, paired, in one run.

Every round measures both at every working set, in random order. A row is the median of the rounds'
ratios with its 95 % interval: 1 is agreement. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import random
import sys
from statistics import median

import peers
from pair import interval_of

KIB = 1024
WORKING_SETS = (16 * KIB, 256 * KIB, 4 * KIB * KIB, 256 * KIB * KIB)
WINDOW = 8 * KIB * KIB
"""As the engine's chain has it, so that what is measured is memory, not the walk of page tables."""


def ours_ns(size: int, seed: int) -> float:
    """Nanoseconds of a load, by one round of the engine."""
    plan = {
        "schema": 1,
        "measure": "latency",
        "chain_bytes": [size],
        "placement": {"kind": "cpus", "cpus": [0], "threads": 1},
        "rounds": 1,
        "seed": seed,
    }
    return next(
        1e9 * float(record["seconds"])
        for record in peers.records_of(plan)
        if record["record"] == "latency"
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    order = random.Random(1)
    ours: dict[int, list[float]] = {size: [] for size in WORKING_SETS}
    theirs: dict[int, list[float]] = {size: [] for size in WORKING_SETS}
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        for size in order.sample(WORKING_SETS, len(WORKING_SETS)):
            for side in order.sample((ours, theirs), 2):
                side[size].append(
                    ours_ns(size, number)
                    if side is ours
                    else peers.latency_ns(size, min(size, WINDOW))
                )
    print("| working set | bench/latency.c ns | engine ns | ratio | 95 % |")
    print("|---|---|---|---|---|")
    for size in WORKING_SETS:
        ratios = [a / b for a, b in zip(ours[size], theirs[size], strict=True)]
        print(
            f"| {size // KIB} KiB | {median(theirs[size]):.2f} | {median(ours[size]):.2f} "
            f"| {median(ratios):.3f} | {interval_of(ratios)} |"
        )


if __name__ == "__main__":
    try:
        main()
    except peers.PeerError as failure:
        sys.exit(f"bench: {failure}")

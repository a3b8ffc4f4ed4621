"""Compares the portable engine with the native one, in pairs.

A round is two processes of each, in random order, on arrays of the same size: each measures every
variant (kernel, kind of store, instruction set) block by block. Its rate is of the fastest block.
The ratio of a round is that of the geometric means of portable and native; the native engine's
second process over its first shows by how much processes differ alone. A row has the median of the
ratios and its 95 % interval. Prints what made the code, and a Markdown table; the exit status is 1
where a variant is certainly more than 1 % away.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median

import msgspec
import peers

from streamgage.analysis.statistics.intervals import median_interval
from streamgage.plan import Plan
from streamgage.process.engine import find_engine
from streamgage.records import AnyRecord, Sampling
from streamgage.records.run import collect

PORTABLE = Path(__file__).parent.parent / "build" / "streamgage-engine"
WITHIN = 0.01

Variant = tuple[str, str]
"""Kernel and code: kind of store with its instruction set."""


@dataclass(frozen=True)
class ProcessRates:
    """The rates that one process measured."""

    rates: dict[Variant, float]
    """GB/s of the fastest block."""
    code: dict[str, str]
    """What made the code of each kind of store: compiler and flags."""


def measured_by(engine: Path, plan: Plan) -> ProcessRates:
    """Measure every variant in a process of this engine."""
    os.environ["STREAMGAGE_ENGINE"] = str(engine)
    lines = peers.records_of(msgspec.to_builtins(plan))
    run = collect(msgspec.convert(line, AnyRecord) for line in lines)
    rates = {}
    code = {}
    for each in run.shown():
        kind = f"{each.store} {each.isa or ''}".strip()
        seconds = min(run.element_times_of_blocks(each.id).values())
        rates[each.kernel, kind] = (run.iteration_bytes(each) or 0.0) / seconds / 1e9
        code[kind] = each.code
    return ProcessRates(rates, code)


def print_code(native: ProcessRates, portable: ProcessRates) -> None:
    """A line for each kind of store: what made it, in both engines."""
    for kind, made_by in native.code.items():
        own = portable.code.get(kind)
        print(f"{kind}: {made_by}, {'both engines' if own == made_by else f'portable: {own}'}")
    print()


def row(variant: Variant, rates: Sequence[float], ratios: Sequence[float], own: float) -> str:
    """The variant's line of the table."""
    within = median_interval(sorted(ratios))
    bounds = "" if within is None else f"{within.low:.4f} - {within.high:.4f}"
    return (
        f"| {' | '.join(variant)} | {median(rates):.2f} | {median(ratios):.4f} | {bounds}"
        f" | {own:.4f} |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portable", type=Path, default=PORTABLE, help="from `make engine`")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--kernels", default="copy,triad,sum", help="of the catalogue")
    parser.add_argument("--stores", default="plain,regular,streaming,libc")
    parser.add_argument("--mib", type=int, help="size of each array; default: by STREAM's rule")
    options = parser.parse_args()
    if not options.portable.exists():
        sys.exit(f"bench: there is no {options.portable}; run `make engine` first.")
    native = find_engine()
    plan = Plan(
        kernels=options.kernels.split(","),
        stores=options.stores.split(","),
        array_bytes=peers.rule_bytes() if options.mib is None else options.mib << 20,
        sampling=Sampling(
            min_samples=options.samples,
            look_every=options.samples,
            max_samples=options.samples,
            budget_seconds=600,
        ),
    )
    rates: dict[Variant, list[float]] = defaultdict(list)
    ratios: dict[Variant, list[float]] = defaultdict(list)
    own: dict[Variant, list[float]] = defaultdict(list)
    chance = random.Random(1)
    for number in range(1, options.rounds + 1):
        found: dict[Path, list[ProcessRates]] = {native: [], options.portable: []}
        for engine in chance.sample([native, native, options.portable, options.portable], 4):
            found[engine].append(measured_by(engine, plan))
        if number == 1:
            print_code(found[native][0], found[options.portable][0])
        for variant in found[native][0].rates:
            first, second = (each.rates[variant] for each in found[native])
            ours = geometric_mean(each.rates[variant] for each in found[options.portable])
            rates[variant].append(ours)
            ratios[variant].append(ours / geometric_mean([first, second]))
            own[variant].append(second / first)
        print(f"round {number} of {options.rounds}", file=sys.stderr)
    print("| kernel | code | portable, GB/s | ratio | 95 % | native again |")
    print("|---|---|---|---|---|---|")
    for variant, of_variant in ratios.items():
        print(row(variant, rates[variant], of_variant, median(own[variant])))
    away = [
        within
        for within in (median_interval(sorted(each)) for each in ratios.values())
        if within is not None and (within.high < 1 - WITHIN or within.low > 1 + WITHIN)
    ]
    sys.exit(1 if away else 0)


if __name__ == "__main__":
    main()

"""Shows what tiers give: early first figures, and ratios that do not depend on the order.

``scripts/bench tiers`` runs ``streamgage measure`` with each effort and each size of the last-level
cache (``--llc``), and prints a row for each: seconds until triad has six samples and until the
command ends, samples and allocations of the first screen's figures, the half-widths of their
intervals, and how many variants were measured. ``--ratios`` measures the same plan in tiers and
with all variants interleaved, in turn, and prints a row for each variant of a later tier: the time
of triad with plain stores over the variant's in both, block by block, and the ratio of these two
with its 95 % interval. The exit status is 1 where that interval excludes a difference below 2 %.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import peers

from streamgage.analysis.statistics.intervals import median_interval
from streamgage.plan import Plan
from streamgage.process.engine import find_engine
from streamgage.records import AnyRecord
from streamgage.records.run import collect
from streamgage.results.measure.experiment import STANDARD
from streamgage.results.measure.tiers import tiers_of
from streamgage.units import parse_bytes

SIZES = "32MiB,260MiB,1.1GiB"
EFFORTS = {"quick": ["--quick"], "default": [], "thorough": ["--thorough"]}
FIRST_SAMPLES = 6
SHOWN = {(kernel, store) for kernel in ("sum", "copy", "triad") for store in ("plain", "streaming")}
BASE = "triad plain"
NEAR = 0.02
STAMP = """#!{python}
import subprocess, sys, time
with open({stamps!r}, "a") as stamps:
    engine = subprocess.Popen([{engine!r}, *sys.argv[1:]], stdout=subprocess.PIPE)
    for line in engine.stdout:
        stamps.write(f"{{time.time()}} {{line.decode()}}")
        stamps.flush()
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
sys.exit(engine.wait())
"""
"""An engine that writes down when each of its records came."""


@dataclass(frozen=True)
class Run:
    """One run of ``streamgage measure``; ``first`` is ``None`` where triad had too few samples."""

    first: float | None
    seconds: float
    samples: tuple[int, ...]
    allocations: int
    halves: tuple[float, ...]
    variants: int


def first_triad(stamps: Path, begin: float) -> float | None:
    """Seconds until the main triad with plain stores had six timed samples."""
    seen: Counter[int] = Counter()
    triads: set[int] = set()
    for line in stamps.read_text().splitlines():
        stamp, _, record = line.partition(" ")
        each = msgspec.json.decode(record, type=dict[str, Any])
        kind = (each["record"], each.get("kernel"), each.get("store"), each.get("purpose"))
        if kind == ("variant", "triad", "plain", "rate"):
            triads.add(each["id"])
        if each.get("record") == "sample" and each["role"] == "timed":
            seen[each["variant"]] += 1
            if each["variant"] in triads and seen[each["variant"]] == FIRST_SAMPLES:
                return float(stamp) - begin
    return None


def measure(size: str, effort: Sequence[str]) -> Run:
    """Run the command as a user does, on a machine whose shapes are not known."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        stamps = folder / "stamps"
        stamps.touch()
        engine = folder / "engine"
        engine.write_text(
            STAMP.format(python=sys.executable, stamps=str(stamps), engine=str(find_engine()))
        )
        engine.chmod(0o755)
        command = [str(Path(sys.executable).parent / "streamgage"), "measure", *effort]
        command += ["--llc", size, "--no-store", "--format", "json"]
        homes = {"XDG_CACHE_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
        begin = time.time()
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | homes | {"STREAMGAGE_ENGINE": str(engine)},
        )
        seconds = time.time() - begin
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(command)} ended with {done.returncode}: {done.stderr}")
        document = msgspec.json.decode(done.stdout, type=dict[str, Any])
        run = collect(
            msgspec.json.decode(line.partition(" ")[2], type=AnyRecord)
            for line in stamps.read_text().splitlines()
        )
        shown = [
            each
            for each in document["kernels"]
            if (each["kernel"], each["store"]) in SHOWN and not each["tuned"]
        ]
        return Run(
            first_triad(stamps, begin),
            seconds,
            tuple(each["n"] for each in shown),
            len({each.epoch for each in run.timed_samples()}),
            tuple(
                (each["high_gbps"] - each["low_gbps"]) / 2 / each["median_gbps"]
                for each in shown
                if each["low_gbps"] is not None and each["n"] >= FIRST_SAMPLES
            ),
            len(document["kernels"]),
        )


def between(values: Sequence[float], form: str) -> str:
    """The least and the greatest, or a dash where there is none."""
    if not values:
        return "-"
    low, high = f"{min(values):{form}}", f"{max(values):{form}}"
    return low if low == high else f"{low} to {high}"


def print_efforts(sizes: Sequence[str], efforts: Sequence[str], rounds: int) -> None:
    """A row for each size and effort."""
    print(
        "| caches | effort | triad after, s | seconds | n | allocations | half-width, % | shown |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for size in sizes:
        for effort in efforts:
            runs = [measure(size, EFFORTS[effort]) for _ in range(rounds)]
            firsts = [each.first for each in runs if each.first is not None]
            print(
                f"| {size} | {effort} | {between(firsts, '.1f') if firsts else 'never'}"
                f" | {between([each.seconds for each in runs], '.1f')}"
                f" | {between([n for each in runs for n in each.samples], 'd')}"
                f" | {between([each.allocations for each in runs], 'd')}"
                f" | {between([100 * half for each in runs for half in each.halves], '.1f')}"
                f" | {between([each.variants for each in runs], 'd')} |",
                flush=True,
            )


def shares_of_time(plan: Plan) -> dict[str, float]:
    """The time of triad with plain stores over that of each variant, by the median over the blocks.

    A block has one sample of each of its variants, close in time: the program compares variants in
    this way, too. What has too few common blocks for an interval is left out.
    """
    lines = peers.records_of(msgspec.to_builtins(plan))
    run = collect(msgspec.convert(line, AnyRecord) for line in lines)
    times = {
        f"{each.kernel} {each.store}": run.element_times_of_blocks(each.id) for each in run.shown()
    }
    found = {}
    for name, blocks in times.items():
        common = blocks.keys() & times[BASE].keys()
        if len(common) >= FIRST_SAMPLES:
            found[name] = median(times[BASE][block] / blocks[block] for block in common)
    return found


def print_ratios(size: str, rounds: int) -> bool:
    """A row for each variant of a later tier; whether all agree."""
    plan = Plan(
        kernels=list(STANDARD.kernels), array_bytes=parse_bytes(size), sampling=STANDARD.sampling
    )
    tiers = tiers_of(STANDARD.kernels, None)
    ordered = msgspec.structs.replace(plan, tiers=tiers)
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    chance = random.Random(1)
    for number in range(1, rounds + 1):
        of = {each is ordered: shares_of_time(each) for each in chance.sample([plan, ordered], 2)}
        print(f"round {number} of {rounds}", file=sys.stderr, flush=True)
        for variant in of[True].keys() & of[False].keys():
            found[variant].append((of[True][variant], of[False][variant]))
    print("| time of triad plain over that of | in tiers | interleaved | ratio | 95 % |")
    print("|---|---|---|---|---|")
    agree = True
    shown = {f"{kernel} {store}" for kernel in tiers[0].kernels for store in tiers[0].stores or ()}
    for variant in sorted(found.keys() - shown):
        pairs = found[variant]
        ratios = sorted(one / other for one, other in pairs)
        within = median_interval(ratios)
        bounds = "-" if within is None else f"{within.low:.3f} - {within.high:.3f}"
        if within is not None and (within.high < 1 - NEAR or within.low > 1 + NEAR):
            agree = False
        print(
            f"| {variant} | {median(one for one, _ in pairs):.3f}"
            f" | {median(other for _, other in pairs):.3f} | {median(ratios):.3f} | {bounds} |"
        )
    return agree


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ratios", action="store_true", help="compare with an interleaved run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--caches", default=SIZES, help="sizes of the last-level caches")
    parser.add_argument("--efforts", default=",".join(EFFORTS))
    parser.add_argument("--size", default="128MiB", help="of each array, with --ratios")
    options = parser.parse_args()
    if options.ratios:
        sys.exit(0 if print_ratios(options.size, options.rounds) else 1)
    print_efforts(options.caches.split(","), options.efforts.split(","), options.rounds)


if __name__ == "__main__":
    main()

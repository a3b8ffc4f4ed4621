"""Whether intervals hold what they promise: many runs of one machine, held against each other.

For ``--quick`` and for the default plan: the share of the intervals that hold the median of all
runs (95 % is promised), whether an interval reaches outside of its own samples, and what the runs
said of the limit. Interrupted, it sums up what was measured so far. The exit status is 1 where an
interval reaches outside, or two runs named different limits.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from one_run import REPOSITORY, measure

from streamgage.analysis.sample_rates import samples_of_variants
from streamgage.records.reader import decode_lines
from streamgage.records.run import collect

_TRIAD = "triad plain"
_ROUNDING = 1e-9
"""Rates and bounds are quotients of the same seconds, reached on different ways."""


@dataclass(frozen=True)
class Bounds:
    """A figure of one run, with its interval and its extreme samples; GB/s."""

    name: str
    median: float
    low: float
    high: float
    slowest: float
    fastest: float

    @property
    def is_outside(self) -> bool:
        """Whether the interval reaches beyond the samples that it is made of."""
        margin = _ROUNDING * self.fastest
        return self.low < self.slowest - margin or self.high > self.fastest + margin


@dataclass(frozen=True)
class OneRunBounds:
    """The bounds and the limit that one run gave."""

    bounds: Sequence[Bounds]
    limit: str
    """``memory``, ``cores`` or ``quota``; ``open`` where it was not clear."""


@dataclass(frozen=True)
class Coverage:
    """What some runs of one plan come to."""

    plan: str
    runs: int
    failed: int
    intervals: int
    holding: int
    outside: Sequence[str]
    """The figures whose interval did, each with its run."""
    limits: Mapping[str, int]
    triad: Sequence[float] = ()
    """Median of plain triad in each run, GB/s: what differs between them is in no interval."""

    @property
    def is_contradictory(self) -> bool:
        """Whether two runs named different limits."""
        return len(set(self.limits) - {"open"}) > 1


def one_of(document: Mapping[str, Any], samples: Mapping[str, Sequence[float]]) -> OneRunBounds:
    """What a run said; ``samples`` are its rates by the name of the variant."""
    bounds = []
    for each in document["kernels"]:
        name = name_of(each)
        if each["low_gbps"] is not None and samples.get(name):
            bounds.append(
                Bounds(
                    name=name,
                    median=each["median_gbps"],
                    low=each["low_gbps"],
                    high=each["high_gbps"],
                    slowest=min(samples[name]),
                    fastest=max(samples[name]),
                )
            )
    saturation = document["saturation"] or {}
    return OneRunBounds(bounds, saturation.get("limit") or "open")


def name_of(kernel: Mapping[str, Any]) -> str:
    """``triad streaming tuned``: what tells the figures of one run apart."""
    return f"{kernel['kernel']} {kernel['store']}{' tuned' if kernel['tuned'] else ''}"


def samples_in(records: Path) -> dict[str, list[float]]:
    """The rate of every timed sample by the name of its variant, GB/s."""
    with records.open("rb") as lines:
        run = collect(decode_lines(lines, lambda _: None))
    return {
        f"{each.variant.kernel} {each.variant.store}{' tuned' if each.variant.tuned else ''}": list(
            each.gbps
        )
        for each in samples_of_variants(run)
        if each.variant.purpose == "rate"
    }


def cover(plan: str, ones: Sequence[OneRunBounds], failed: int = 0) -> Coverage:
    """How often the intervals of these runs hold the median of all, and the rest."""
    medians: dict[str, list[float]] = {}
    for one in ones:
        for each in one.bounds:
            medians.setdefault(each.name, []).append(each.median)
    middle = {name: statistics.median(each) for name, each in medians.items()}
    every = [(number, each) for number, one in enumerate(ones, 1) for each in one.bounds]
    limits: dict[str, int] = {}
    for one in ones:
        limits[one.limit] = limits.get(one.limit, 0) + 1
    return Coverage(
        plan=plan,
        runs=len(ones),
        failed=failed,
        intervals=len(every),
        holding=sum(each.low <= middle[each.name] <= each.high for _, each in every),
        outside=[f"{each.name} of run {number}" for number, each in every if each.is_outside],
        limits=limits,
        triad=medians.get(_TRIAD, ()),
    )


def markdown(covers: Iterable[Coverage]) -> str:
    """The table: a line for each plan."""
    lines = [
        "| runs | intervals | hold the median of all runs | outside their samples | the limit"
        " | triad from run to run, GB/s |",
        "|---|---|---|---|---|---|",
    ]
    for each in covers:
        runs = f"{each.runs} of {each.plan}"
        if each.failed:
            runs += f", {each.failed} more gave no result"
        share = f"{100 * each.holding / each.intervals:.1f} %" if each.intervals else "none"
        outside = ", ".join(each.outside) or "none"
        limits = ", ".join(f"{name} in {times}" for name, times in sorted(each.limits.items()))
        lines.append(
            f"| {runs} | {each.intervals} | {share} | {outside} | {limits or 'none'}"
            f" | {_from_run_to_run(each.triad)} |"
        )
    return "\n".join(lines)


def _from_run_to_run(medians: Sequence[float]) -> str:
    """``15.2 to 28.2, standard deviation 18 %``; a run alone has none."""
    if len(medians) < 2:
        return "none"
    deviation = statistics.stdev(medians) / statistics.median(medians)
    return f"{min(medians):.1f} to {max(medians):.1f}, standard deviation {100 * deviation:.0f} %"


def exit_status(covers: Iterable[Coverage]) -> int:
    """1 where an interval reaches outside, limits contradict each other, or a run gave nothing."""
    return int(any(each.outside or each.is_contradictory or each.failed for each in covers))


def main(given: Sequence[str] | None = None) -> int:
    """Run the measurements, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", type=int, default=40, metavar="N", help="runs of --quick (40)")
    parser.add_argument("--default", type=int, default=12, metavar="N", help="default runs (12)")
    parser.add_argument("--folder", type=Path, default=REPOSITORY / "build" / "coverage")
    options = parser.parse_args(given)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if options.folder.exists():
        shutil.rmtree(options.folder)
    plans = (("--quick", options.quick, ("--quick",)), ("the default", options.default, ()))
    ones: dict[str, list[OneRunBounds]] = {plan: [] for plan, _, _ in plans}
    failed: dict[str, int] = dict.fromkeys(ones, 0)
    interrupted = False
    try:
        for plan, runs, arguments in plans:
            for number in range(1, runs + 1):
                print(f"{plan}, run {number} of {runs} ...", file=sys.stderr, flush=True)
                folder = options.folder / f"{plan.strip('-').replace(' ', '-')}-{number}"
                ended = measure(folder, arguments)
                if ended.document is None:
                    failed[plan] += 1
                else:
                    ones[plan].append(one_of(ended.document, samples_in(ended.records)))
    except KeyboardInterrupt:
        interrupted = True
    covers = [cover(plan, each, failed[plan]) for plan, each in ones.items()]
    print(markdown(covers))
    if interrupted:
        print("\nIt was interrupted: these are the runs that were made.")
    return 130 if interrupted else exit_status(covers)


if __name__ == "__main__":
    sys.exit(main())

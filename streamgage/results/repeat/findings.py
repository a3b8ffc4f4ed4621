"""The findings of repeated runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.intervals import FEWEST
from streamgage.analysis.statistics.spread import Spread
from streamgage.analysis.thread_places import OFTEN
from streamgage.results.document import other_load
from streamgage.results.repeat.document import Repeat, RepeatedKernel, RepeatedRun
from streamgage.results.run_findings import OF_RUNS, few_rounds
from streamgage.units import count, format_gbps, format_rate, format_share, listed

UNSTEADY = 0.05
"""Runs are unsteady if the worst lies this share below the best; quiet, bound runs differ by
less."""
MORE = 2.0
"""They must also vary this many times as much as with the other placement."""


def unsteady_placements(answer: Repeat) -> Iterator[Finding]:
    """Find placements whose runs vary more than those with another placement."""
    base = {each.kernel: each for each in answer.kernels if each.placement == answer.baseline}
    for placement in answer.others():
        steadier = [
            each
            for each in answer.kernels
            if each.placement == placement
            and each.kernel in base
            and _steadier(each.spread, base[each.kernel].spread)
        ]
        if steadier:
            yield _unsteady(steadier, base, placement, answer.baseline)


def shared_cpus(answer: Repeat) -> Iterator[Finding]:
    """Find placements with runs in which threads took turns on a CPU."""
    for placement in answer.placements:
        runs = [e for e in answer.runs if e.placement == placement and e.failure is None]
        hit = [each for each in runs if each.sharing > OFTEN * each.samples]
        if hit:
            yield _shared(placement, hit, len(runs))


def _shared(placement: str, hit: Sequence[RepeatedRun], runs: int) -> Finding:
    """Make the finding on runs of which ``hit`` had threads that shared a CPU."""
    free = placement == "none"
    of_runs = count(runs, "unbound run" if free else "run")
    where = f"in {len(hit)} of {of_runs}" + ("" if free else f" with placement {placement}")
    worst = max(hit, key=lambda each: each.sharing / each.samples)
    return Finding(
        code="fewer-cpus",
        severity="warning",
        reason=f"threads shared a CPU {where}",
        text=f"Threads shared a CPU {where} and took turns"
        f" there, at worst in {worst.sharing} of {count(worst.samples, 'sample')} (round"
        f" {worst.round}): these runs are too slow. Bind each thread to a CPU of its own.",
    )


def groups_of_runs(answer: Repeat) -> Iterator[Finding]:
    """Find placements whose runs fall into groups."""
    for placement in (answer.baseline, *answer.others()):
        found = _groups(answer.kernels, placement)
        if found is not None:
            yield found


def _steadier(one: Spread | None, other: Spread | None) -> bool:
    if one is None or other is None or min(one.n, other.n) < FEWEST:
        return False  # the widths of a few runs differ by chance
    return other.below_best > UNSTEADY and other.below_best > MORE * one.below_best


def _unsteady(
    steadier: Sequence[RepeatedKernel],
    base: Mapping[str, RepeatedKernel],
    placement: str,
    baseline: str,
) -> Finding:
    def wide(each: RepeatedKernel) -> float:
        spread = base[each.kernel].spread
        return spread.below_best if spread else 0.0

    shown = max(steadier, key=wide)
    free, held = base[shown.kernel].spread, shown.spread
    assert free is not None and held is not None
    others = f" (and {count(len(steadier) - 1, 'kernel')} more)" if len(steadier) > 1 else ""
    free_runs = "unbound" if baseline == "none" else f"with placement {baseline}"
    advice = (
        "A single unbound run depends on chance: bind threads (streamgage measure does; elsewhere"
        " OMP_PROC_BIND=true OMP_PLACES=cores)."
        if baseline == "none"
        else f"Prefer placement {placement}."
    )
    return Finding(
        code="not-bound",
        grade="sound",
        severity="warning",
        text=(
            f"Runs {free_runs} vary: {shown.kernel}{others} gives {format_rate(free.minimum_gbps)}"
            f" to {format_gbps(free.maximum_gbps)} in {count(free.n, 'run')}, the worst"
            f" {format_share(free.below_best)} below the best; with placement {placement} it is"
            f" {format_rate(held.minimum_gbps)} to {format_gbps(held.maximum_gbps)},"
            f" {format_share(held.below_best)}. {advice}"
        ),
    )


def _groups(kernels: Sequence[RepeatedKernel], placement: str) -> Finding | None:
    found = [
        f"{each.kernel} ({_shares(each.spread)} GB/s)"
        for each in kernels
        if each.placement == placement and each.spread is not None and each.spread.modes
    ]
    if not found:
        return None
    return Finding(
        code="two-modes",
        severity="warning",
        text=(
            f"Runs with placement {placement} fall into two groups: {listed(found)}. Their mean"
            " describes neither group. Compare the CPUs of the runs (--format json), and their"
            " records, between the groups."
        ),
    )


def _shares(spread: Spread) -> str:
    groups = spread.modes
    return ", ".join(f"{format_share(each.share)} near {format_rate(each.gbps)}" for each in groups)


CHECKS: tuple[tuple[str, Callable[[Repeat], Finding | Iterator[Finding] | None]], ...] = (
    *OF_RUNS,
    ("other-load", other_load),
    ("not-converged", lambda answer: few_rounds(answer.rounds)),
    ("fewer-cpus", shared_cpus),
    ("not-bound", unsteady_placements),
    ("two-modes", groups_of_runs),
)
"""The checks in the order of display, most important first."""

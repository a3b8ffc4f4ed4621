"""The findings of repeated runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.intervals import FEWEST
from streamgage.analysis.statistics.spread import Spread
from streamgage.analysis.thread_places import OFTEN
from streamgage.results.document import other_load
from streamgage.results.measure.facts.pages import remedy_for_huge_pages
from streamgage.results.repeat.document import ComparedSetting, Repeat, RepeatedKernel, RepeatedRun
from streamgage.results.run_findings import OF_RUNS, few_rounds
from streamgage.units import capitalised, count, format_gbps, format_rate, format_share, listed

UNSTEADY = 0.05
"""Runs are unsteady if the worst lies this share below the best; quiet, bound runs differ by
less."""
MORE = 2.0
"""They must also vary this many times as much as with the other setting."""


def unsteady_settings(answer: Repeat) -> Iterator[Finding]:
    """Find settings whose runs vary more than those with another setting."""
    base = {each.kernel: each for each in answer.kernels if each.setting == answer.baseline}
    for setting in answer.others():
        steadier = [
            each
            for each in answer.kernels
            if each.setting == setting.name
            and each.kernel in base
            and _steadier(each.spread, base[each.kernel].spread)
        ]
        if steadier:
            yield _unsteady(answer, steadier, base, setting)


def shared_cpus(answer: Repeat) -> Iterator[Finding]:
    """Find settings with runs in which threads took turns on a CPU."""
    for setting in answer.settings:
        runs = [e for e in answer.runs if e.setting == setting.name and e.failure is None]
        hit = [each for each in runs if each.sharing > OFTEN * each.samples]
        if hit:
            yield _shared(answer, setting, hit, len(runs))


def _shared(
    answer: Repeat, setting: ComparedSetting, hit: Sequence[RepeatedRun], runs: int
) -> Finding:
    """Make the finding on runs of which ``hit`` had threads that shared a CPU."""
    where = f"in {len(hit)} of {runs} {answer.runs_with(setting)}"
    worst = max(hit, key=lambda each: each.sharing / each.samples)
    return Finding(
        code="fewer-cpus",
        severity="warning",
        reason=f"threads shared a CPU {where}",
        text=f"Threads shared a CPU {where} and took turns"
        f" there, at worst in {worst.sharing} of {count(worst.samples, 'sample')} (round"
        f" {worst.round}): these runs are too slow. Bind each thread to a CPU of its own.",
    )


def pages_not_given(answer: Repeat) -> Iterator[Finding]:
    """Find settings whose runs did not get the huge pages that are compared."""
    setting = answer.machine.huge_pages if answer.machine is not None else None
    for each in answer.settings:
        share = answer.lacks_pages(each)
        if share is not None:
            runs = answer.runs_with(each)
            yield Finding(
                code="no-huge-pages",
                severity="warning",
                reason=f"{runs} did not get them",
                text=f"{capitalised(runs)} had only {format_share(share)} of an array in huge"
                " pages, so they do not show what such pages give."
                f" {remedy_for_huge_pages(setting)}",
            )


def groups_of_runs(answer: Repeat) -> Iterator[Finding]:
    """Find settings whose runs fall into groups."""
    for setting in (answer.base(), *answer.others()):
        found = _groups(answer, setting)
        if found is not None:
            yield found


def _steadier(one: Spread | None, other: Spread | None) -> bool:
    if one is None or other is None or min(one.n, other.n) < FEWEST:
        return False  # the widths of a few runs differ by chance
    return other.below_best > UNSTEADY and other.below_best > MORE * one.below_best


def _unsteady(
    answer: Repeat,
    steadier: Sequence[RepeatedKernel],
    base: Mapping[str, RepeatedKernel],
    setting: ComparedSetting,
) -> Finding:
    def wide(each: RepeatedKernel) -> float:
        spread = base[each.kernel].spread
        return spread.below_best if spread else 0.0

    shown = max(steadier, key=wide)
    free, held = base[shown.kernel].spread, shown.spread
    assert free is not None and held is not None
    others = f" (and {count(len(steadier) - 1, 'kernel')} more)" if len(steadier) > 1 else ""
    worse, better = answer.base(), answer.where(setting)
    advice = (
        "A single unbound run depends on chance: bind threads (streamgage measure does; elsewhere"
        " OMP_PROC_BIND=true OMP_PLACES=cores)."
        if worse.unbound and not setting.unbound
        else f"Prefer runs {better}."
    )
    return Finding(
        code="not-bound",
        grade="sound",
        severity="warning",
        text=(
            f"{capitalised(answer.runs_with(worse))} vary: {shown.kernel}{others} gives"
            f" {format_rate(free.minimum_gbps)} to {format_gbps(free.maximum_gbps)} in"
            f" {count(free.n, 'run')}, the worst {format_share(free.below_best)} below the best;"
            f" {better} it is {format_rate(held.minimum_gbps)} to {format_gbps(held.maximum_gbps)},"
            f" {format_share(held.below_best)}. {advice}"
        ),
    )


def _groups(answer: Repeat, setting: ComparedSetting) -> Finding | None:
    found = [
        f"{each.kernel} ({_shares(each.spread)} GB/s)"
        for each in answer.kernels
        if each.setting == setting.name and each.spread is not None and each.spread.modes
    ]
    if not found:
        return None
    return Finding(
        code="two-modes",
        severity="warning",
        text=(
            f"{capitalised(answer.runs_with(setting))} fall into two groups: {listed(found)}. Their"
            " mean describes neither group. Compare the CPUs of the runs (--format json), and their"
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
    ("no-huge-pages", pages_not_given),
    ("not-bound", unsteady_settings),
    ("two-modes", groups_of_runs),
)
"""The checks in the order of display, most important first."""

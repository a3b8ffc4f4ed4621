"""The findings of scaling curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from streamgage.analysis.cores import NONE
from streamgage.analysis.finding import Finding
from streamgage.analysis.outside import severity_of
from streamgage.analysis.thread_places import OFTEN
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.members import findings_of_members
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import FEW_ROUNDS, OF_RUNS, few_rounds
from streamgage.results.scale.document import Curve, Dip, Scale, name_of, workers_of
from streamgage.results.scale.placements import binds_workers
from streamgage.results.scale.words import reason_of
from streamgage.units import count, format_gbps, format_rate, format_share


def crowded_cores(answer: Scale) -> Finding | None:
    """Find workers that the launcher or the runtime left on fewer cores than there are."""
    found = [
        (point.crowded / point.samples, -point.cores / point.threads, each.name, point)
        for each in answer.placements
        for point in each.points
        if each.way != NONE
        and not binds_workers(each.way)
        and point.crowded > OFTEN * point.samples
    ]
    if not found:
        return None
    _, _, name, worst = max(found, key=lambda each: each[:3])
    return Finding(
        code="crowded-cores",
        severity="warning",
        text=f"With {name} {workers_of(worst.n, answer.workers)} shared cores in {worst.crowded}"
        f" of {count(worst.samples, 'sample')}, while other cores had none of them. They took"
        " turns there: these points show the placement, not the memory. Bind one to each core"
        " (compact, or a placement expression).",
    )


def disturbed(answer: Scale) -> Finding | None:
    """Find points at which others had the CPUs for a part of the time."""
    found = [
        (point.taken, each.name, point.n)
        for each in answer.placements
        for point in each.points
        if point.taken is not None and point.taken > MUCH_LOAD
    ]
    if not found:
        return None
    share, name, n = max(found)
    points = sum(len(each.points) for each in answer.placements)
    return Finding(
        code="other-load",
        severity=severity_of(share, 0.0) or "warning",
        reason=f"other programs or the hypervisor took up to {format_share(share)} of the CPUs",
        text=f"Other programs or the hypervisor took CPUs from {len(found)} of"
        f" {count(points, 'point')}, at most {format_share(share)} ({name},"
        f" {workers_of(n, answer.workers)}): these points are too low, and may explain the"
        " shape of the curve. Stop other programs (see top), and measure again.",
    )


def few_runs(answer: Scale) -> Finding | None:
    """Find points with too few runs to know how much they differ by chance."""
    if answer.reported is None:
        return few_rounds(answer.rounds)
    runs = answer.fewest_runs
    if runs >= FEW_ROUNDS:
        return None
    number = f"only {count(runs, 'run')}"
    return Finding(
        code="not-converged",
        severity="warning",
        reason=f"{number} of some points, so the noise is unknown",
        text=f"Some numbers of {answer.workers} have {number}: nothing shows how much the figures"
        f" differ from run to run. Interpret the outputs of {FEW_ROUNDS} runs or more of each.",
    )


def dips(answer: Scale) -> Finding | None:
    """Find the deepest drop of bandwidth with more workers."""
    found = [(each, dip) for each in answer.curves for dip in each.dips]
    if not found:
        return None
    curve, dip = min(found, key=lambda each: each[1].gbps / each[1].below_gbps)
    at = sorted({dip.n for each, dip in found if each.placement == curve.placement})
    where = "" if len(at) == 1 else f" at n = {_ranges(at)}"
    return Finding(
        code="scaling-dip",
        grade="sound",
        severity="note" if dip.explained is not None else "warning",
        text=f"More {answer.workers} gave less{where} ({curve.placement}): "
        f"{_dip_in_words(answer, curve, dip)}",
    )


def _dip_in_words(answer: Scale, curve: Curve, dip: Dip) -> str:
    share = 1 - dip.gbps / dip.below_gbps
    return (
        f"{name_of(curve.kernel, curve.store)} has {format_gbps(dip.gbps)} with"
        f" {workers_of(dip.n, answer.workers)},"
        f" {format_share(share)} below the {format_rate(dip.below_gbps)} with {dip.below_n}."
        f" {reason_of(answer, curve, dip)}"
    )


def still_rising(answer: Scale) -> Finding | None:
    """Find that no placement reaches the memory's limit with the workers that were measured."""
    first = answer.recommended and answer.recommended[0]
    if not first:
        return None
    these = [
        each
        for each in answer.curves
        if (each.kernel, each.store) == (first.kernel, first.store) and len(each.points) > 1
    ]
    if not these or any(each.saturated is not False for each in these):
        return None
    best = max(these, key=lambda each: each.best_gbps)
    last = best.points[-1]
    of_one = "" if last.speedup is None else f", {last.speedup.value:.2f} times that of one"
    return Finding(
        code="not-saturated",
        grade="sound",
        severity="note",
        text=f"{name_of(best.kernel, best.store)} still rises at"
        f" {workers_of(last.n, answer.workers)} ({best.placement}):"
        f" {format_gbps(last.gbps.value)}{of_one}. The cores are the limit"
        " here, not the memory.",
    )


def of_members(answer: Scale) -> Iterator[Finding]:
    """Yield what is wrong with single tables of another benchmark."""
    return findings_of_members(
        answer.members,
        lambda member: workers_of(member.n or 0, answer.workers),
        counts=lambda _: True,
    )


CHECKS: tuple[tuple[str, Callable[[Scale], Finding | Iterable[Finding] | None]], ...] = (
    *OF_RUNS,
    ("uneven-kernels", of_members),  # and any other of a table
    ("other-load", disturbed),
    ("not-converged", few_runs),
    ("crowded-cores", crowded_cores),
    ("scaling-dip", dips),
    ("not-saturated", still_rising),
    *OF_OUTPUT,
)
"""The checks in the order of display, most important first."""


def _ranges(numbers: Sequence[int]) -> str:
    """The numbers as ranges: ``3, 5-7``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)

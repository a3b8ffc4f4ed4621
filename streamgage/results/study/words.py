"""The conclusions from a study, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.analysis.saturation import ENOUGH
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.scale.document import workers_of
from streamgage.results.scale.words import left_out as of_placements
from streamgage.results.study.document import (
    Comparison,
    NoFiles,
    Phase,
    Study,
)
from streamgage.units import format_gbps, format_rate, format_share, listed, some_of

_MOST_NAMED = 4
SERIAL = 1.2
"""A phase is serial if its speedup with the most workers is at most this."""
SERIAL_SHARE = 0.05
"""Phases that take less than this share of the main phase are too short to matter."""


def left_out(study: Study) -> Iterator[str]:
    """Say why requested figures are missing."""
    yield from of_placements(each for each in study.left_out if not isinstance(each, NoFiles))
    if study.counts and 1 not in study.counts:
        yield (
            "There are no files of one worker, so no speedups."
            if study.seed is None
            else "1 is not among the numbers of workers, so there are no speedups."
        )
    for each in study.left_out:
        if isinstance(each, NoFiles):
            runs = [f"{run.n} (round {run.round})" for run in each.runs]
            yield f"There is no file of {each.name} with {some_of(runs, _MOST_NAMED, 'number')}."


def conclusions(answer: Study) -> list[Conclusion]:
    """Say whether the program follows STREAM, and how many workers are worth using."""
    sentences = [
        sentence
        for phase in answer.phases
        if phase.name == answer.headline
        for sentence in _followed(phase, answer)
    ]
    servers = map(sound, _of_servers(answer))
    return [*sentences, *servers, *_recommended(answer), *map(fact, _honest(answer))]


def _followed(phase: Phase, answer: Study) -> Iterator[Conclusion]:
    name = phase.name if phase.case is None else f"{phase.name}, {phase.case},"
    if phase.comparison is not None:
        yield _decided(phase.comparison)(f"{name} {_compared(phase.comparison)}")
        yield from map(undecided, _causes(phase, phase.comparison, answer))
    if phase.each_comparison is not None and phase.counts_change:
        yield _decided(phase.each_comparison)(
            f"One iteration of {name} {_compared(phase.each_comparison)} The number of iterations"
            " changes with the number of workers, which has nothing to do with memory."
        )


def _decided(comparison: Comparison) -> Callable[[str], Conclusion]:
    """Return whether its figures decide it: a single round does not show its noise."""
    return undecided if comparison.noise is None else sound


def _compared(comparison: Comparison) -> str:
    noise = (
        "; one round does not show how much of that is noise"
        if comparison.noise is None
        else f"; the repeats' noise is {comparison.noise:.3f}"
    )
    figures = (
        f"its efficiency differs from STREAM's by {comparison.mean:.3f} on average (at most"
        f" {comparison.largest:.3f}, with {comparison.largest_n}; bias"
        f" {comparison.bias:+.3f}{noise})"
    )
    match comparison.verdict:
        case "indistinguishable":
            return f"no difference from STREAM beyond the noise: {figures}."
        case "tracks":
            return f"tracks STREAM: {figures}."
        case "differs":
            return (
                "does not follow STREAM, better with some numbers of workers and worse with others:"
                f" {figures}."
            )
        case "worse":
            return f"scales worse than STREAM: {figures}."
        case "better":
            return f"scales better than STREAM: {figures}."


def _causes(phase: Phase, comparison: Comparison, answer: Study) -> Iterator[str]:
    """Name possible reasons for a difference, starting with those that the study has seen."""
    if comparison.verdict in ("indistinguishable", "tracks"):
        return
    if (answer.taken or 0.0) > MUCH_LOAD:
        yield (
            "Other programs or the hypervisor took"
            f" {format_share(answer.taken or 0.0)} of the CPUs' time, which may be the reason:"
            " measure again on a quiet machine before you look further."
        )
    if comparison.verdict == "better":
        yield (
            "Possible reasons: caches hold more of it with more workers, or it computes more than"
            " it waits for memory; that was not measured."
        )
    if comparison.verdict != "worse":
        return
    serial = list(_serial(phase, answer))
    if serial:
        yield (f"{listed(serial)}. If such a serial part lies within {phase.name}, it is a reason.")
    rest = "What remains may be" if serial or phase.counts_change else "It may be"
    yield f"{rest} communication or an uneven partition, which were not measured."


def _serial(phase: Phase, answer: Study) -> Iterator[str]:
    """Name other phases of the same program that the most workers do not make faster."""
    for each in answer.phases:
        point = each.points[-1] if each.points else None
        if each.case != phase.case or each.name == phase.name or point is None or point.n == 1:
            continue
        same = next((one for one in phase.points if one.n == point.n), None)
        if point.speedup is None or same is None:
            continue
        matters = point.seconds.value >= SERIAL_SHARE * same.seconds.value
        if matters and point.speedup.value <= SERIAL:
            yield (
                f"{each.name} runs {point.speedup.value:.2f} times as fast with"
                f" {workers_of(point.n, answer.workers)} as with one"
            )


def _of_servers(answer: Study) -> Iterator[str]:
    """Compare the server with a solve by all ranks, for the most ranks that both had."""
    for phase in answer.phases:
        point = next((each for each in reversed(phase.points) if each.over_first), None)
        if phase.name != answer.headline or point is None or point.over_first is None:
            continue
        ranks = workers_of(point.n, answer.workers)
        sentence = (
            f"{phase.name}, {phase.case}, takes {point.over_first.value:.2f} times as long as"
            f" {answer.cases[0].name} with {ranks}"
        )
        handed = next(
            (e for e in answer.distribution if (e.case, e.n) == (phase.case, point.n)), None
        )
        if not (phase.case or "").startswith("server"):
            yield f"{sentence}."
        elif handed is None:
            yield f"{sentence}; this PETSc does not log the time for handing the system over."
        else:
            yield (
                f"{sentence}, and handing the system over is {format_share(handed.share.value)} of"
                " what the server does."
            )


def _recommended(answer: Study) -> Iterator[Conclusion]:
    if answer.enough_n is not None and len(answer.stream) > 1:
        point = next(each for each in answer.stream if each.n == answer.enough_n)
        most = max(each.gbps.value for each in answer.stream)
        have = "has" if answer.enough_n == 1 else "have"
        sure = point.gbps.low is None or point.gbps.low >= ENOUGH * most
        but = "" if sure else " Within noise it may be less than that."
        yield (sound if sure else undecided)(
            f"{workers_of(answer.enough_n, answer.workers)} {have} {format_rate(point.gbps.value)}"
            f" of at most {format_gbps(most)}: the fewest with 90 % of the best.{but}"
        )


def _honest(answer: Study) -> Iterator[str]:
    """Say what so few points can show."""
    most = max((each.n for each in answer.stream), default=0)
    if len(answer.stream) > 1 and most <= 2:
        yield (
            "Two workers show whether the program follows memory at all, but not where it"
            " saturates: that takes more cores."
        )

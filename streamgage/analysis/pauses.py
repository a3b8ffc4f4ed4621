"""The time in which a run stood still: stopped by a signal, by a debugger, or with its machine."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.statistics.intervals import median
from streamgage.records import Disturbance, Sample
from streamgage.records.run import Run

_LEAST_SECONDS = 0.5
"""A sample must take this much longer, in seconds, to be a sign of a pause by itself."""
_TIMES_LONGER = 10
"""It must also take this many times as long as the median of its variant."""


@dataclass(frozen=True)
class Pauses:
    """The time that a run stood still, and the number of timed samples that were hit."""

    seconds: float
    """The length of the pauses, without waits for a CPU and time that a hypervisor took."""
    left_out: int
    """The samples that the engine knows to be hit; no figure includes them."""
    kept: int
    """The samples that took far longer than the others for no reason that the kernel counts. This
    happens if the whole machine was suspended, which the engine cannot know. They stay in the
    figures."""
    share: float | None
    """The share of the run's time; ``None`` if that is unknown."""


def find_pauses(run: Run) -> Pauses:
    """Find the pauses of ``run``; the numbers are zero if it never stood still."""
    known = sum(each.paused_seconds for each in run.paused)
    if run.end is not None:
        known = max(known, run.end.paused_seconds)  # the same pauses, and perhaps more
    gaps = _gaps(run)
    seconds = known + sum(gaps)
    whole = run.end.seconds if run.end is not None else 0.0
    return Pauses(
        seconds=seconds,
        left_out=len(run.paused),
        kept=len(gaps),
        share=min(1.0, seconds / whole) if whole > 0 else None,
    )


def _gaps(run: Run) -> list[float]:
    """The extra seconds of samples that took longer than the median for no known reason."""
    gaps = []
    for number, samples in run.samples.items():
        variant = run.variants.get(number)
        if variant is None or run.own(variant) is not None:
            continue  # a user's own kernel may wait for something
        usual = median(sorted(each.seconds_a_pass * each.passes for each in samples))
        for sample in samples:
            seconds = sample.seconds_a_pass * sample.passes
            excess = seconds - usual
            if excess >= _LEAST_SECONDS and seconds >= _TIMES_LONGER * usual:
                explained = _explained_seconds(run, sample)
                if explained is not None and explained < excess / 2:
                    gaps.append(excess)
    return gaps


def _explained_seconds(run: Run, sample: Sample) -> float | None:
    """The CPU-seconds that others had during that time; ``None`` if they are unknown."""
    for each in run.disturbances:
        if each.first_block <= sample.block <= each.last_block:
            return _taken(each)
    return None


def _taken(record: Disturbance) -> float | None:
    if record.steal_seconds is None or record.other_seconds is None:
        return None
    return record.steal_seconds + max(0.0, record.other_seconds) + (record.throttled_seconds or 0.0)

"""Counts the faults in the runs of a series."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from streamgage.analysis.outside import share_of_cpus
from streamgage.records.quantities import Amount, Count, Duration, Members
from streamgage.records.warnings import LITTLE_THROTTLING

if TYPE_CHECKING:  # imported for types only: a list of results must not load the records
    from streamgage.records.run import Run


class Faults(msgspec.Struct, frozen=True, kw_only=True):
    """For each kind of fault, the number of runs that had it, and how bad it was."""

    runs: Members
    """The number of runs in the series."""
    invalid: Count = 0
    """The number of runs with a wrong result."""
    throttled: Count = 0
    """The number of runs whose threads were stopped by a CPU quota."""
    throttled_share: Amount = 0.0
    """The share of the CPUs' time that such stops took, in the run with most of them."""
    paused: Count = 0
    """The number of runs that stood still for a while, as after SIGSTOP."""
    paused_seconds: Duration = 0.0
    """The total length of the pauses in all of these runs, in seconds."""
    moved: Count = 0
    """The number of runs in which a bound thread left its CPU."""
    below_rule: Count = 0
    """The number of runs with arrays below STREAM's 4x rule."""
    array_ratio: Amount | None = None
    """The smallest of these arrays as a multiple of the last-level caches in use; ``None`` if their
    size is unknown."""


def faults_of(runs: Sequence[Run], *, of_memory: bool) -> Faults | None:
    """Count the faults of ``runs``; ``None`` if there was none.

    ``of_memory``: whether small arrays are a fault, because the figures should be those of memory.
    """
    from streamgage.analysis.pauses import find_pauses  # it loads all of a run

    stops = [share for run in runs if (share := _throttled(run)) > LITTLE_THROTTLING]
    pauses = [seconds for run in runs if (seconds := find_pauses(run).seconds) > 0]
    small = [run for run in runs if of_memory and _below_rule(run)]
    ratios = [ratio for run in small if (ratio := _array_ratio(run)) is not None]
    found = Faults(
        runs=len(runs),
        invalid=sum(_invalid(run) for run in runs),
        throttled=len(stops),
        throttled_share=max(stops, default=0.0),
        paused=len(pauses),
        paused_seconds=sum(pauses, 0.0),
        moved=sum(_moved(run) for run in runs),
        below_rule=len(small),
        array_ratio=min(ratios, default=None),
    )
    return None if found == Faults(runs=len(runs)) else found


def _throttled(run: Run) -> float:
    return share_of_cpus(run, sum(each.throttled_seconds or 0.0 for each in run.disturbances)) or 0


def _invalid(run: Run) -> bool:
    return any(each.valid is False for each in run.validations.values())


def _moved(run: Run) -> bool:
    """Return whether a bound thread left its CPU. Unbound threads may move."""
    if run.placement is None or run.placement.kind == "none":
        return False
    return any(sample.moved for sample in run.timed_samples())


def _below_rule(run: Run) -> bool:
    return run.memory is not None and run.memory.array_bytes < run.memory.rule_bytes


def _array_ratio(run: Run) -> float | None:
    if run.memory is None or not run.memory.last_level_cache_bytes:
        return None
    return run.memory.array_bytes / run.memory.last_level_cache_bytes

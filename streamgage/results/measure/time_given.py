"""What a run had no time for: variants with too few samples for a reliable figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from streamgage.analysis.statistics.intervals import FEWEST
from streamgage.records import Variant
from streamgage.records.quantities import MOST_SECONDS
from streamgage.records.run import Run

_NAMED = 6


def needed_samples(run: Run) -> int:
    """The samples that a figure needs, if the most important ones were measured first.

    Otherwise the least number that the run was to take.
    """
    if run.plan is None:
        return 1
    least = max(1, run.plan.sampling.min_samples)
    return min(FEWEST, least) if run.plan.tiers else least


def measured_part(run: Run) -> tuple[Run, list[Variant]]:
    """The run without the variants that it had no time for, and those variants.

    If there was no time for any, all with a sample stay in.
    """
    if run.plan is None or not run.plan.tiers:
        return run, []
    few = [
        each
        for each in run.variants.values()
        if each.purpose != "series"
        and len(run.times(each.id)) + len(run.disturbed.get(each.id, ())) < needed_samples(run)
        and run.failure_of(each) is None
    ]
    if len(few) == sum(each.purpose != "series" for each in run.variants.values()):
        few = [e for e in few if not run.times(e.id) and e.id not in run.disturbed]
    left_out = {each.id for each in few}
    kept = {number: each for number, each in run.variants.items() if number not in left_out}
    return replace(run, variants=kept), [each for each in few if each.purpose == "rate"]


def least_samples(run: Run) -> int:
    """After so many it is first looked whether a figure is settled."""
    return run.plan.sampling.min_samples if run.plan is not None else 1


def seconds_to_settle(run: Run, samples: int, wanted: float) -> float | None:
    """The time of a run with this many samples of each variant, estimated from those so far.

    ``None`` if they are enough, or where it was not the time that ended the run. The arrays are
    touched for the first time once, however long a run is.
    """
    if run.plan is None or not run.plan.tiers or run.end is None or samples >= wanted:
        return None
    if run.end.stopped_by != "budget":
        return None
    once = run.first_touch_seconds
    more = max(run.end.seconds - once, 0.0) * wanted / max(samples, 1)
    return min(once + more, MOST_SECONDS)


def names_of(run: Run, variants: Sequence[Variant]) -> list[str]:
    """Name variants; a kernel without any measured variant is named as a whole, and first."""
    measured = {each.kernel for each in run.shown()}
    kernels = [each.kernel for each in variants if each.kernel not in measured]
    others = [run.name(each) for each in variants if each.kernel in measured]
    return list(dict.fromkeys((*kernels, *others)))


def not_measured_line(names: Sequence[str]) -> str:
    """``Not measured in the time given: striad, bracket and 3 more: --thorough``."""
    more = len(names) - _NAMED
    shown = f"{', '.join(names[:_NAMED])} and {more} more" if more > 0 else ", ".join(names)
    return f"Not measured in the time given: {shown}: --thorough"

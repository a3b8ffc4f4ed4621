"""What the next run of a machine will give, by earlier ones that were measured in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.conclusion import Conclusion, sound, undecided
from streamgage.analysis.statistics.next_value import next_value
from streamgage.results.summary import Entry
from streamgage.units import count, format_range


@dataclass(frozen=True)
class NextRun:
    """The rates between which the next run's figure will lie, in 95 of 100 cases."""

    kernel: str
    """With its kind of stores."""
    low_gbps: float
    high_gbps: float
    runs: int
    """That it is known from."""

    def __str__(self) -> str:
        return (
            f"The next run here: {format_range(self.low_gbps, self.high_gbps)} ({self.kernel}, by"
            f" {count(self.runs, 'run')} measured in the same way)"
        )


def next_run(entries: Sequence[Entry], of: int) -> NextRun | None:
    """What the next run will give after result number ``of``, by those measured in the same way.

    ``None`` if there are fewer than three, or if that result cannot be relied on.
    """
    own = next((each for each in entries if each.id == of), None)
    if own is None or not own.is_sound:
        return None
    same = [each for each in entries if each.is_sound and each.set_up == own.set_up]
    kernel = own.main_kernel
    if kernel is None:
        return None
    rates = [each.medians[kernel] for each in same if kernel in each.medians]
    found = next_value(rates)
    if found is None:
        return None
    return NextRun(kernel, found.interval.low, found.interval.high, len(rates))


def chance_of(entries: Sequence[Entry], base: int, other: int, name: str) -> Conclusion | None:
    """Whether result ``other``, called ``name``, differs from ``base`` more than two runs do.

    ``None`` if fewer than three runs were measured in the way of ``base``, without ``other``.
    """
    found = next((each for each in entries if each.id == other), None)
    expected = next_run([each for each in entries if each.id != other], base)
    rate = None if expected is None or found is None else found.medians.get(expected.kernel)
    if expected is None or found is None or rate is None or not found.is_sound:
        return None
    reach = (
        f"{format_range(expected.low_gbps, expected.high_gbps)} ({expected.kernel}, by"
        f" {count(expected.runs, 'run')})"
    )
    if expected.low_gbps <= rate <= expected.high_gbps:
        return undecided(
            f"{name} lies where one more run like A would lie by chance: {reach}. What differs need"
            " not be the cause."
        )
    return sound(f"{name} lies outside of what one more run like A would give: {reach}.")

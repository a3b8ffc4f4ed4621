"""What all series report: how sure the figures are, and which runs failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import FEWEST
from streamgage.units import count, some_of

_MOST_NAMED = 4


class SeriesRun(Protocol):
    """One run of a series. ``failure`` says why its figures are not used."""

    @property
    def failure(self) -> str | None: ...
    @property
    def round(self) -> int: ...


R = TypeVar("R", bound=SeriesRun)


def bounds_of_rounds(rounds: int, figures: Iterable[Estimate], *, single: str = "") -> str:
    """Explain the bounds of ``figures``.

    ``single``: what is repeated within a single round, such as samples. Within a series, figures
    may have different bounds if runs failed or samples are few.
    """
    of_samples = rounds == 1 and single
    if rounds < FEWEST and not of_samples:
        return f"the range of {count(rounds, 'round')}"
    kinds = {each.bounded_by for each in figures if each.low is not None}
    what = f"the {single}" if of_samples else count(rounds, "round")
    fewer = f"the range of fewer than {FEWEST} {single if of_samples else 'rounds'}"
    if kinds == {"range"}:
        return fewer
    interval = f"95 % interval of the median of {what}"
    return f"{interval}, or {fewer}" if "range" in kinds else interval


def failures(
    rounds: int, runs: Iterable[R], name: Callable[[R], str], what: str = "run"
) -> list[str]:
    """Write a sentence for each reason, with the names and rounds of the runs that it stopped."""
    stopped: dict[str, list[str]] = {}
    for each in runs:
        if each.failure is not None:
            where = f" (round {each.round})" if rounds > 1 else ""
            stopped.setdefault(each.failure, []).append(f"{name(each)}{where}")
    return [f"{some_of(names, _MOST_NAMED, what)}: {why}" for why, names in stopped.items()]


def settings_of(
    series: str, runs: Sequence[SeriesRun], *more: tuple[str, str]
) -> list[tuple[str, str]]:
    """Describe how a series was measured: what ran, ``more``, and how many runs failed."""
    found = [("Runs", series), *more]
    failed = [each.failure for each in runs if each.failure is not None]
    if failed:
        found.append(("Failed runs", f"{len(failed)}: {'; '.join(dict.fromkeys(failed))}"))
    return found

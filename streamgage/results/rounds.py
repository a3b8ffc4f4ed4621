"""A run of a series, and what every series says: how sure it is, and which runs failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from streamgage.analysis.statistics.bootstrap import FEWEST
from streamgage.units import count, some_of

_MOST_NAMED = 4


class Ran(Protocol):
    """One run of a series; ``failure``: why its figures are not used."""

    @property
    def failure(self) -> str | None: ...
    @property
    def round(self) -> int: ...


R = TypeVar("R", bound=Ran)


def bounds_of_rounds(rounds: int, *, single: str = "") -> str:
    """What the bounds of a figure are; ``single``: what a figure of one round is the median of."""
    if rounds == 1 and single:
        return f"95 % interval of the median of the {single}"
    if rounds < FEWEST:
        return f"the extremes of {count(rounds, 'round')}"
    return f"95 % interval of the median of {rounds} rounds"


def failures(
    rounds: int, runs: Iterable[R], name: Callable[[R], str], what: str = "run"
) -> list[str]:
    """A sentence for each reason, with the names of the runs that it stopped, and their rounds."""
    stopped: dict[str, list[str]] = {}
    for each in runs:
        if each.failure is not None:
            where = f" (round {each.round})" if rounds > 1 else ""
            stopped.setdefault(each.failure, []).append(f"{name(each)}{where}")
    return [f"{some_of(names, _MOST_NAMED, what)}: {why}" for why, names in stopped.items()]


def settings_of(series: str, runs: Sequence[Ran], *more: tuple[str, str]) -> list[tuple[str, str]]:
    """How a series was measured: what ran, ``more``, and how many runs failed."""
    found = [("Runs", series), *more]
    failed = [each.failure for each in runs if each.failure is not None]
    if failed:
        found.append(("Failed runs", f"{len(failed)}: {'; '.join(dict.fromkeys(failed))}"))
    return found

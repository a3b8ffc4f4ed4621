"""The machine's own speed changed during the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.intervals import BoundedBy
from streamgage.records.quantities import Amount, Duration, Rate, RateFrom0
from streamgage.results.measure.facts.base import Fact
from streamgage.show.page import figure_text
from streamgage.units import format_change, format_duration, format_range, format_share

Cause = Literal["host", "machine", "device", "open"]
"""What can change the speed of all kernels: on a guest in which nothing else ran, its host; on
another machine, its clock or the memory traffic of others; on a device, its clock or others.
``open``: on a guest, other programs or the host."""
_CAUSES: dict[Cause, str] = {
    "host": "the host's own speed, not this guest's doing",
    "machine": "the machine's own speed (its clock, or other programs' memory traffic)",
    "device": "the device's own speed (its clock, or other programs that use it)",
    "open": "other programs on this guest, or the host's own speed",
}
_NUMBERS = {2: "two", 3: "three"}


class RateInState(msgspec.Struct, frozen=True, kw_only=True):
    """The headline's rate in one state of the machine."""

    share: Amount
    """The state's share of the measured time."""
    gbps: Rate
    low_gbps: RateFrom0 | None = None
    high_gbps: RateFrom0 | None = None
    bounded_by: BoundedBy = "interval"


class TwoSpeeds(Fact, frozen=True, kw_only=True, tag="two-speeds"):
    """The machine has two speeds or three, and all kernels changed together."""

    variant: str
    """That of the headline."""
    states: Annotated[list[RateInState], msgspec.Meta(min_length=2, max_length=3)]
    """Fastest first."""
    changes_at: list[Duration] = msgspec.field(default_factory=list)
    """When the speed changed, in seconds from the start; empty if unknown."""
    cause: Cause

    def finding(self) -> Finding:
        """The finding, in words."""
        number = _NUMBERS[len(self.states)]
        return self.said(
            reason=f"the machine had {number} speeds",
            text=f"The machine had {number} speeds: {self.variant}"
            f" {rates_of_states(self.states, bounds=False)}."
            f" {changed_together(self.changes_at, self.cause)} Quote each rate with its share of"
            " the time.",
        )


class SpeedDrift(Fact, frozen=True, kw_only=True, tag="speed-drift"):
    """The speed of the machine changes by degrees, of all kernels together."""

    variant: str
    """That of the headline."""
    low_gbps: Rate
    high_gbps: Rate
    cause: Cause

    def finding(self) -> Finding:
        """The finding, in words."""
        seen = format_range(self.low_gbps, self.high_gbps)
        below, above = sorted((self.low_gbps, self.high_gbps))
        return self.said(
            reason=f"the machine drifts: {self.variant} {seen}",
            text=f"The machine drifts: {self.variant} goes from {seen}"
            f" ({format_change(above / below - 1)}), and the other kernels with it. This is"
            f" {_CAUSES[self.cause]}. Quote the range, or measure again at a quieter time.",
        )


def rates_of_states(states: Sequence[RateInState], *, bounds: bool = True) -> str:
    """``48.0 ±0.4 GB/s for 31 % of the run, 32.1 ±0.3 for 69 %``."""
    parts = []
    for number, each in enumerate(states):
        ranged = each.bounded_by == "range"
        low, high = (each.low_gbps, each.high_gbps) if bounds else (None, None)
        rate = figure_text(each.gbps, low, high, ranged=ranged)
        unit, run = ("", "") if number else (" GB/s", " of the run")
        parts.append(f"{rate}{unit} for {format_share(each.share)}{run}")
    return ", ".join(parts)


def changed_together(changes_at: Sequence[float], cause: Cause) -> str:
    """``All kernels changed together at 9 s and 13 s: the host's own speed, ...``."""
    times = [format_duration(at) for at in changes_at]
    when = ""
    if len(times) > _MOST_TIMES:
        when = f" {len(times)} times"
    elif times:
        when = f" at {', '.join(times[:-1])}{' and ' if times[1:] else ''}{times[-1]}"
    return f"All kernels changed together{when}: {_CAUSES[cause]}."


_MOST_TIMES = 4

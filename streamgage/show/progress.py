"""Shows the progress of a run from its records, at most twice a second, or of a series."""

from __future__ import annotations

import time
from statistics import median

from streamgage.analysis.statistics.epochs import interval_over_epochs
from streamgage.analysis.statistics.intervals import FEWEST
from streamgage.records import (
    AnyRecord,
    End,
    IdleLatency,
    LatencyPlanRecord,
    LoadedLatency,
    Machine,
    MemoryRecord,
    PlacementRecord,
    PlanRecord,
    Sample,
    Tuning,
    Validation,
    Variant,
)
from streamgage.records.run import Run, add
from streamgage.show.bar import Bar
from streamgage.units import format_gbps, format_half_width, format_rate

_SECONDS_BETWEEN = 0.5


class Watcher:
    """Shows the progress of a run; it is called with every record."""

    def __init__(self, bar: Bar) -> None:
        """Draw on ``bar``."""
        self._bar = bar
        self.note = bar.note
        self._measuring = 0.0
        self._budget = 0.0
        self._start: float | None = None
        self._drawn = 0.0
        self._run = Run()

    def __call__(self, record: AnyRecord) -> None:
        """Take one record into account, and draw the progress if it is time for that."""
        add(self._run, record)
        match record:
            case Machine():
                self._draw("looking at the machine")
            case PlanRecord():
                self._measuring = record.sampling.budget_seconds
                self._budget = self._measuring
                if record.tiers:  # the budget is that of the whole run
                    self._start = time.monotonic()
                else:
                    self._budget += record.tuning_seconds or 0.0
            case PlacementRecord():
                self._draw("touching the arrays")
            case MemoryRecord() if self._start is None:
                self._start = time.monotonic()
                self._draw("choosing shapes" if self._budget > self._measuring else "warming up")
            case Tuning():
                self._draw(f"shape of {record.kernel}")
            case Variant() if self._budget > self._measuring:
                self._budget = self._measuring
                self._start = time.monotonic()
            case Sample():
                self._sample(record)
            case Validation():
                self._draw("validating", done=True)
            case End():
                self._draw("done", done=True)
            case _:
                pass

    def _sample(self, sample: Sample) -> None:
        now = time.monotonic()
        if now - self._drawn >= _SECONDS_BETWEEN:
            self._drawn = now
            self._draw(self._estimate(sample.block) if sample.role == "timed" else "warming up")

    def _estimate(self, block: int) -> str:
        """The median so far, in words: ``triad 47.9 ±0.4 GB/s so far``.

        The kernel is triad if that is measured, otherwise the first one.
        """
        shown = self._run.shown()
        first = next((each for each in shown if each.kernel == "triad"), next(iter(shown), None))
        moved = None if first is None else self._run.iteration_bytes(first)
        times = sorted(self._run.element_times(first.id)) if first is not None else []
        if first is None or not moved or not times or times[0] <= 0:
            return f"block {block + 1}"
        rate = moved / median(times) / 1e9
        known = interval_over_epochs(self._run.epochs_of(first.id))
        if known is not None and len(times) >= FEWEST:
            width = max(moved / known.low / 1e9 - rate, rate - moved / known.high / 1e9)
            half = format_half_width(width, rate)
            unit = "" if half.endswith("MB/s") else " GB/s"
            return f"{first.kernel} {format_rate(rate)} ±{half}{unit} so far"
        return f"{first.kernel} {format_gbps(rate)} so far"

    def _draw(self, phase: str, *, done: bool = False) -> None:
        elapsed = time.monotonic() - self._start if self._start is not None else 0.0
        remaining = 0.0 if done else max(self._budget - elapsed, 0.0)
        started = self._start is not None and self._budget > 0
        self._bar.show(
            phase,
            completed=self._budget - remaining,
            total=self._budget if started else None,
            left=f"at most {remaining:.0f} s left" if started and remaining else "",
        )


class StepsWatcher:
    """Shows the progress of a run that measures latency; the plan has the number of its steps."""

    def __init__(self, bar: Bar) -> None:
        """Draw on ``bar``."""
        self._bar = bar
        self.note = bar.note
        self._total = 0
        self._done = 0
        self._start = 0.0
        self._drawn = 0.0

    def __call__(self, record: AnyRecord) -> None:
        """Take one record into account, and draw the progress if it is time for that."""
        match record:
            case LatencyPlanRecord():
                load = record.load
                paces = 0 if load is None else len(load.mixes) * len(load.shares)
                self._total = record.rounds * (len(record.chain_bytes) + paces)
                self._start = time.monotonic()
                self._bar.show("preparing")
            case IdleLatency() | LoadedLatency():
                self._done += 1
                self._draw("idle" if isinstance(record, IdleLatency) else "under load")
            case _:
                pass

    def _draw(self, phase: str) -> None:
        now = time.monotonic()
        if now - self._drawn < _SECONDS_BETWEEN or not self._total:
            return
        self._drawn = now
        left = (now - self._start) / self._done * (self._total - self._done)
        self._bar.show(
            phase, completed=self._done, total=self._total, left=f"about {left:.0f} s left"
        )


class RunsWatcher:
    """Shows the progress of a series of runs; it is called for every run that starts."""

    def __init__(self, bar: Bar) -> None:
        """Draw on ``bar``."""
        self._bar = bar
        self._start = time.monotonic()
        self.note = bar.note

    def building(self, number: int, total: int, name: str) -> None:
        """Show that compilation ``number`` (from 1) of ``total`` starts; no run has started yet."""
        self._bar.show(f"compiling {number} of {total}: {name}", completed=number - 1, total=total)
        self._start = time.monotonic()

    def starting(self, number: int, total: int, name: str) -> None:
        """Show that run ``number`` (from 1) of ``total`` starts."""
        finished = number - 1
        left = ""
        if finished:
            seconds_per_run = (time.monotonic() - self._start) / finished
            left = f"about {seconds_per_run * (total - finished):.0f} s left"
        self._bar.show(
            f"run {number} of {total}: {name}",
            completed=finished,
            total=total,
            left=left,
        )

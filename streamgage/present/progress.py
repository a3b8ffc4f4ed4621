"""A progress bar with the remaining time, on stderr while the engine measures.

It is drawn at most twice a second and by the records themselves, not by a thread of its own: what
the front does while the engine measures is other load on the machine.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from streamgage.records import (
    AnyRecord,
    End,
    Machine,
    MemoryRecord,
    PlacementRecord,
    PlanRecord,
    Sample,
    Tuning,
    Validation,
    Variant,
)

if TYPE_CHECKING:
    from rich.progress import Progress

_SECONDS_BETWEEN = 0.5


class Watcher:
    """Takes every record of a run and shows how far it is; silent without a bar."""

    def __init__(self, progress: Progress | None) -> None:
        """Draw on ``progress``; null: draw nothing."""
        self._progress = progress
        self._task = progress.add_task("starting", total=None, left="") if progress else None
        self._measuring = 0.0
        self._budget = 0.0
        self._start: float | None = None
        self._drawn = 0.0

    def __call__(self, record: AnyRecord) -> None:
        """Take note of one record."""
        if self._progress is None:
            return
        match record:
            case Machine():
                self._draw("looking at the machine")
            case PlanRecord():
                self._measuring = record.sampling.budget_seconds
                self._budget = self._measuring + (record.tuning_seconds or 0.0)
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

    def note(self, sentence: str) -> None:
        """Print one sentence on stderr, above the bar."""
        if self._progress is None:
            print(f"streamgage: {sentence}", file=sys.stderr)
        else:
            self._progress.console.print(
                f"streamgage: {sentence}", markup=False, highlight=False, soft_wrap=True
            )

    def _sample(self, sample: Sample) -> None:
        now = time.monotonic()
        if now - self._drawn >= _SECONDS_BETWEEN:
            self._drawn = now
            self._draw(f"block {sample.block + 1}" if sample.role == "timed" else "warming up")

    def _draw(self, phase: str, *, done: bool = False) -> None:
        if self._progress is None or self._task is None:
            return
        total = self._budget or None
        elapsed = time.monotonic() - self._start if self._start is not None else 0.0
        remaining = 0.0 if done else max(self._budget - elapsed, 0.0)
        started = self._start is not None and self._budget > 0
        self._progress.update(
            self._task,
            description=phase,
            total=total if started else None,
            completed=self._budget - remaining,
            left=f"at most {remaining:.0f} s left" if started and remaining else "",
        )
        self._progress.refresh()


@contextmanager
def watching() -> Iterator[Watcher]:
    """A watcher with a bar where stderr is a terminal, else a silent one."""
    if not sys.stderr.isatty():
        yield Watcher(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description:<22}"),
        BarColumn(bar_width=40),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(
        *columns, console=Console(stderr=True), auto_refresh=False, transient=True
    ) as progress:
        yield Watcher(progress)

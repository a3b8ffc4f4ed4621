"""A progress bar over many runs, on stderr; between the runs nothing is drawn."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class RunsWatcher:
    """Is told of every run that starts; silent without a bar."""

    def __init__(self, progress: Progress | None) -> None:
        """Draw on ``progress``; null: draw nothing."""
        self._progress = progress
        self._task = progress.add_task("starting", total=None, left="") if progress else None
        self._start = time.monotonic()

    def starting(self, number: int, total: int, name: str) -> None:
        """Run ``number`` (from 1) of ``total`` starts."""
        if self._progress is None or self._task is None:
            return
        done = number - 1
        each = (time.monotonic() - self._start) / done if done else None
        self._progress.update(
            self._task,
            description=f"run {number} of {total}: {name}",
            total=total,
            completed=done,
            left="" if each is None else f"about {each * (total - done):.0f} s left",
        )
        self._progress.refresh()

    def note(self, sentence: str) -> None:
        """Print one sentence on stderr, above the bar."""
        if self._progress is None:
            print(f"streamgage: {sentence}", file=sys.stderr)
        else:
            self._progress.console.print(
                f"streamgage: {sentence}", markup=False, highlight=False, soft_wrap=True
            )


@contextmanager
def watching_runs() -> Iterator[RunsWatcher]:
    """A watcher with a bar where stderr is a terminal, else a silent one."""
    if not sys.stderr.isatty():
        yield RunsWatcher(None)
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
        yield RunsWatcher(progress)

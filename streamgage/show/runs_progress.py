"""How far a study of many runs is; between the starts of runs nothing is drawn."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from streamgage.show.bar import Bar, bar


class RunsWatcher:
    """Is told of every run that starts."""

    def __init__(self, shown: Bar) -> None:
        """Draw on ``shown``."""
        self._bar = shown
        self._start = time.monotonic()
        self.note = shown.note

    def building(self, number: int, total: int, name: str) -> None:
        """Compilation ``number`` (from 1) of ``total`` starts; no run has started yet."""
        self._bar.show(f"compiling {number} of {total}: {name}", completed=number - 1, total=total)
        self._start = time.monotonic()

    def starting(self, number: int, total: int, name: str) -> None:
        """Run ``number`` (from 1) of ``total`` starts."""
        done = number - 1
        each = (time.monotonic() - self._start) / done if done else None
        self._bar.show(
            f"run {number} of {total}: {name}",
            completed=done,
            total=total,
            left="" if each is None else f"about {each * (total - done):.0f} s left",
        )


@contextmanager
def watching_runs() -> Iterator[RunsWatcher]:
    """A watcher with a bar where stderr is a terminal, else one that prints only sentences."""
    with bar() as shown:
        yield RunsWatcher(shown)

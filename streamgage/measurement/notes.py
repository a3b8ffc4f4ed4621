"""Shows a bar and sentences during a measurement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from streamgage.show.bar import Bar, bar, in_notebook, notebook_bar


class Notes:
    """Collects sentences about the measurement, and prints them if progress is shown."""

    def __init__(self, progress: bool) -> None:
        """With ``progress``, print them on stderr, and draw a bar (terminal or notebook)."""
        self.sentences: list[str] = []
        self._progress = progress
        self._shown = Bar(None)

    def __call__(self, sentence: str) -> None:
        """Add a sentence, and print it if progress is shown."""
        self.sentences.append(sentence)
        if self._progress:
            self._shown.note(sentence)

    @contextmanager
    def bar(self) -> Iterator[Bar]:
        """Show the bar; sentences are then printed above it."""
        if not self._progress:
            yield Bar(None)
            return
        with notebook_bar() if in_notebook() else bar() as shown:
            self._shown = shown
            try:
                yield shown
            finally:
                self._shown = Bar(None)

"""Shows a bar and sentences during a measurement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from streamgage.show.bar import Bar, bar, in_notebook, notebook_bar

_NUMBER = re.compile(r"[0-9]+")
_MOST_ALIKE = 8
"""Of so many notes that differ only in their numbers, a reader knows what happened."""


class Notes:
    """Collects sentences about the measurement, and prints them if progress is shown."""

    def __init__(self, progress: bool) -> None:
        """With ``progress``, print them on stderr, and draw a bar (terminal or notebook)."""
        self.sentences: list[str] = []
        self._alike: Counter[str] = Counter()
        self._progress = progress
        self._shown = Bar(None)

    def __call__(self, sentence: str) -> None:
        """Add a sentence, and print it if progress is shown; each sentence is said once.

        Of sentences that differ only in their numbers, the first few are said.
        """
        if sentence in self.sentences:
            return
        alike = _NUMBER.sub("0", sentence)
        self._alike[alike] += 1
        if self._alike[alike] <= _MOST_ALIKE:
            self.say(sentence)
        elif self._alike[alike] == _MOST_ALIKE + 1:
            self.say("More notes like the last one are left out.")

    def say(self, sentence: str) -> None:
        """Add a sentence that is a part of the answer, however many are like it."""
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

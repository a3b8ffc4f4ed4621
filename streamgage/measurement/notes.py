"""Shows a bar and sentences during a measurement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from streamgage.errors import UsageError
from streamgage.show.bar import Bar, bar, in_notebook, notebook_bar
from streamgage.units import format_duration

_NUMBER = re.compile(r"[0-9]+")
_WAITING = ("waiting: ", "still waiting")
"""How sentences on another measurement begin: whoever waits must know for what."""
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
        self._held: list[str] | None = None

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
        if self._held is not None and not sentence.startswith(_WAITING):
            self._held.append(sentence)
            return
        self.release()
        self.sentences.append(sentence)
        if self._progress:
            self._shown.note(sentence)

    def hold(self) -> None:
        """Hold sentences back until the measurement makes progress.

        If it is refused before that, they would only hide why, so they are dropped.
        """
        if self._held is None:
            self._held = []

    def release(self) -> None:
        """Say what was held back."""
        held, self._held = self._held or [], None
        for each in held:
            self.say(each)

    @contextmanager
    def bar(self) -> Iterator[Bar]:
        """Show the bar; sentences are then printed above it."""
        with self._bar() as shown:
            shown.on_progress = self.release
            self._shown = shown
            try:
                yield shown
            except UsageError:
                self._held = None
                raise
            finally:
                self.release()
                self._shown = Bar(None)

    def show_wait(self, what: str, seconds: float, most_seconds: float) -> None:
        """Draw the bar of a wait: for what, how long it has lasted, and how long it may."""
        self._shown.show(
            what,
            completed=seconds,
            total=most_seconds,
            left=f"{format_duration(seconds)} of at most {format_duration(most_seconds)}",
        )

    def _bar(self) -> AbstractContextManager[Bar]:
        if not self._progress:
            return nullcontext(Bar(None))
        return notebook_bar() if in_notebook() else bar()

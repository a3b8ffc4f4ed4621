"""The bar that shows the progress of a measurement, on a terminal (stderr) or in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from streamgage.show.wrap import say, with_program_name

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar:
    """One line that says what is done now, how far it is, and how long it may still take."""

    def __init__(self, progress: Progress | None) -> None:
        """Draw on ``progress``; with ``None`` nothing is drawn, and only sentences are printed."""
        self._progress = progress
        self._task = progress.add_task("starting", total=None, left="") if progress else None
        self.on_progress: Callable[[], None] = lambda: None
        """What is called before the bar shows progress."""

    @property
    def drawn(self) -> bool:
        """``True`` if the bar is drawn."""
        return self._progress is not None

    def show(
        self, phase: str, *, completed: float = 0.0, total: float | None = None, left: str = ""
    ) -> None:
        """Draw the line with ``completed`` out of ``total``.

        A ``total`` of ``None`` is not known yet. ``left``: how much longer it may take, in words.
        """
        if completed:
            self.on_progress()
        if self._progress is None or self._task is None:
            return
        self._progress.update(
            self._task, description=phase, total=total, completed=completed, left=left
        )
        self._progress.refresh()

    def note(self, sentence: str) -> None:
        """Print one sentence on stderr, above the bar."""
        if self._progress is None:
            say(sentence)
        else:
            self._progress.console.print(
                with_program_name(sentence), markup=False, highlight=False, soft_wrap=True
            )


@contextmanager
def bar() -> Iterator[Bar]:
    """Yield a bar if stderr is a terminal, else one that draws nothing; remove it at the end.

    The caller of ``show`` draws it, not a separate thread: work in this process while the engine
    measures is extra load on the machine.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield Bar(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description:<22}", markup=False),
        BarColumn(bar_width=40),
        TextColumn("{task.fields[left]}", markup=False),
    )
    with Progress(
        *columns, console=Console(stderr=True), auto_refresh=False, transient=True
    ) as progress:
        yield Bar(progress)


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


class NotebookBar(Bar):
    """A bar that the notebook draws."""

    def __init__(self, handle: Any) -> None:  # noqa: ANN401 - IPython need not be installed
        """Draw on ``handle``, an IPython display that can be updated."""
        super().__init__(None)
        self._handle = handle

    @property
    def drawn(self) -> bool:
        """``True``: a notebook always draws the bar."""
        return True

    def show(
        self, phase: str, *, completed: float = 0.0, total: float | None = None, left: str = ""
    ) -> None:
        """Draw the bar; see ``Bar.show``."""
        if completed:
            self.on_progress()
        share = "" if not total else f' value="{completed:g}" max="{total:g}"'
        words = " · ".join(escape(each) for each in (phase, left) if each)
        self._draw(f"<progress{share}></progress> <span>{words}</span>")

    def _draw(self, html: str) -> None:
        self._handle.update({"text/html": html, "text/plain": ""}, raw=True)


@contextmanager
def notebook_bar() -> Iterator[Bar]:
    """Yield a bar in the notebook whose kernel is this process."""
    show: Any = import_module("IPython.display")  # IPython has no types
    handle = show.display({"text/html": "", "text/plain": ""}, raw=True, display_id=True)
    shown = NotebookBar(handle)
    try:
        yield shown
    finally:
        handle.update({"text/html": "", "text/plain": ""}, raw=True)

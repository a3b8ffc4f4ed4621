"""The bar in a notebook: one line of HTML below the cell, which goes when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from typing import Any

from streamgage.show.bar import Bar


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


class NotebookBar(Bar):
    """A bar that is drawn by the notebook."""

    def __init__(self, handle: Any) -> None:  # noqa: ANN401 - of IPython, which need not be here
        """Draw on ``handle``, a display that can be updated."""
        super().__init__(None)
        self._handle = handle

    def show(
        self, phase: str, *, completed: float = 0.0, total: float | None = None, left: str = ""
    ) -> None:
        """Draw the line."""
        share = "" if not total else f' value="{completed:g}" max="{total:g}"'
        words = " · ".join(escape(each) for each in (phase, left) if each)
        self._draw(f"<progress{share}></progress> <span>{words}</span>")

    def _draw(self, html: str) -> None:
        self._handle.update({"text/html": html, "text/plain": ""}, raw=True)


@contextmanager
def notebook_bar() -> Iterator[Bar]:
    """A bar in the notebook that this process is the kernel of."""
    show: Any = import_module("IPython.display")  # which has no types
    handle = show.display({"text/html": "", "text/plain": ""}, raw=True, display_id=True)
    shown = NotebookBar(handle)
    try:
        yield shown
    finally:
        handle.update({"text/html": "", "text/plain": ""}, raw=True)

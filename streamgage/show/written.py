"""Which files a command has written, to be listed when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_FILES: ContextVar[list[Path] | None] = ContextVar("files", default=None)


@contextmanager
def written_files() -> Iterator[list[Path]]:
    """A list that gets every file written inside the ``with`` block, by the name the user gave."""
    files: list[Path] = []
    before = _FILES.set(files)
    try:
        yield files
    finally:
        _FILES.reset(before)


def has_written(path: Path) -> None:
    """Record that a file was written; does nothing outside ``written_files``, as from Python.

    A device or a pipe is no file: its reader already knows.
    """
    files = _FILES.get()
    if files is not None and path.is_file() and path not in files:
        files.append(path)


def wrote(files: list[Path]) -> str:
    """The sentence: ``Wrote scale.svg and scale.csv.``."""
    *first, last = (str(each) for each in files)
    return f"Wrote {', '.join(first)} and {last}." if first else f"Wrote {last}."

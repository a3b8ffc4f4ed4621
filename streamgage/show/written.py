"""Records which files a command has written; they are listed when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_FILES: ContextVar[list[Path] | None] = ContextVar("files", default=None)


@contextmanager
def written_files() -> Iterator[list[Path]]:
    """Yield a list of the files written in the ``with`` block, by the names that the user gave."""
    files: list[Path] = []
    before = _FILES.set(files)
    try:
        yield files
    finally:
        _FILES.reset(before)


def record_written(path: Path) -> None:
    """Record that a file was written.

    Outside ``written_files``, as from Python, this does nothing. Devices and pipes are not
    recorded, because their readers already know.
    """
    files = _FILES.get()
    if files is not None and path.is_file() and path not in files:
        files.append(path)


def sentence_on_files(files: list[Path]) -> str:
    """Make the sentence ``Wrote scale.svg and scale.csv.``."""
    *first, last = (str(each) for each in files)
    return f"Wrote {', '.join(first)} and {last}." if first else f"Wrote {last}."

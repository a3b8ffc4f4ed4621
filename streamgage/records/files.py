"""A new file beside another, to take its place by a rename when it is worth it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def open_beside(target: Path) -> tuple[int, Path]:
    """Descriptor (read and write) and path of a new file in the folder of ``target``.

    It has the rights that the target has, or would get. Raises ``OSError``.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    mask = os.umask(0)
    os.umask(mask)
    os.fchmod(descriptor, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~mask)
    return descriptor, Path(name)


def is_database(path: Path) -> bool:
    """Whether the file is an SQLite database, such as a store, which nothing else may replace."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False

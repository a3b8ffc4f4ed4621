"""Files and folders of this user, and what may take their place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def open_next_to(target: Path) -> tuple[int, Path]:
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


def user_folder(variable: str, usual: str, environment: Mapping[str, str]) -> Path | None:
    """The folder for what ``variable`` of the XDG Base Directory Specification is for.

    It may not be there yet. A relative one is ignored, as XDG asks. Null where this user has no
    home and names none.
    """
    named = environment.get(variable, "")
    try:
        base = Path(named) if Path(named).is_absolute() else Path(usual).expanduser()
    except RuntimeError:
        return None
    return base / "streamgage"


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where what can be made again is kept: ``$XDG_CACHE_HOME/streamgage``."""
    return user_folder("XDG_CACHE_HOME", "~/.cache", environment)

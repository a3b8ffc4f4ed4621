"""Opens files and folders of this user safely, where others could replace them by links."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

_MOST_LINKS = 40
"""The most links that are followed, as in the kernel (path_resolution(7))."""
_PROC = Path("/proc")
"""Links in ``/proc`` may lead to things without a name, such as the pipe of ``>(program)`` in a
shell."""


def resolved(path: Path, user: int | None = None) -> Path:
    """Follow the links of a path that the user named, and return the file that it leads to.

    ``user``: whose links are trusted; ``None`` is the user of this process. In a folder that
    everybody may write to, such as ``/tmp``, a link is followed only if it belongs to this user or
    to the owner of the folder. Linux does the same if ``fs.protected_symlinks`` is on
    (proc_sys_fs(5)). Raises ``OSError`` for any other link.
    """
    user = os.geteuid() if user is None else user
    links = 0
    here = Path("/")
    parts = [*reversed(path.absolute().parts)]
    while parts:
        part = parts.pop()
        folder, here = here, here.parent if part == ".." else here / part
        if here.is_relative_to(_PROC) or not here.is_symlink():
            continue
        links += 1
        if links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        owner, where = here.lstat().st_uid, folder.stat()
        if where.st_mode & stat.S_IWOTH and owner not in (user, where.st_uid):
            raise OSError(errno.ELOOP, f"{here} is a link that another user made")
        parts += reversed(here.readlink().parts)
        here = folder
    return here


def no_follow(path: Path) -> int:
    """The flag for opening a ``resolved`` path, which refuses a link that has taken its place."""
    return 0 if path.is_relative_to(_PROC) else os.O_NOFOLLOW


def open_next_to(target: Path) -> tuple[int, Path]:
    """Make a new file in the folder of ``target``; return its descriptor (read and write) and path.

    It has the permissions that the target has, or would get. Raises ``OSError``.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    mask = os.umask(0)
    os.umask(mask)
    os.fchmod(descriptor, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~mask)
    return descriptor, Path(name)


STORE_SIDES = ("-wal", "-shm", "-journal")
"""Ends of the names of files that SQLite keeps next to a database, with a part of its content."""


def is_database(path: Path) -> bool:
    """Return whether the file is an SQLite database, such as a store.

    It must not be overwritten.
    """
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def is_of_database(path: Path) -> bool:
    """Return whether the file is an SQLite database, or one that SQLite keeps next to it."""
    return is_database(path) or any(
        path.name.endswith(end) and is_database(Path(str(path).removesuffix(end)))
        for end in STORE_SIDES
    )


def is_stream(path: Path) -> bool:
    """Return whether a ``resolved`` path is a stream of a process, such as ``/dev/stdout``."""
    return path.is_relative_to(_PROC)


def user_folder(variable: str, usual: str, environment: Mapping[str, str]) -> Path | None:
    """Streamgage's folder under the variable ``variable`` (XDG Base Directory Specification).

    ``usual``: the path in ``$HOME`` for users who have not set the variable. The folder may not
    exist yet. Relative paths are ignored, as XDG requires. ``None`` if no absolute path is known.
    """
    home = Path(environment.get("HOME", ""))
    for base in (Path(environment.get(variable, "")), home / usual):
        if base.is_absolute():
            return base / "streamgage"
    return None


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder for files that can be made again, ``$XDG_CACHE_HOME/streamgage``."""
    return user_folder("XDG_CACHE_HOME", ".cache", environment)

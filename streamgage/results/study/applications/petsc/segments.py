"""Segments of shared memory (System V) with the keys of PETSc's MPI linear solver server.

The server always numbers them from 10 on, for every user (3.22 to 3.26). Two servers at once would
overwrite each other's segments, and a server that is ended by force leaves its segments behind.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from streamgage.records.reader import Note
from streamgage.results.study.applications.times import TimesError
from streamgage.units import some_of

KEYS = range(10, 10_010)
"""The keys of the server, far more than one server needs."""
_TABLE = Path("/proc/sysvipc/shm")
_LOCK = Path("/tmp/streamgage-petsc-server.lock")
_SECONDS_BETWEEN_LOOKS = 0.5
_OPENINGS = 100
_MOST_NAMED = 4


@dataclass(frozen=True)
class Segment:
    """A segment of shared memory on this machine."""

    key: int
    id: int


def read_segments(keys: range = KEYS, table: Path = _TABLE) -> list[Segment]:
    """List the segments with these keys. Raises ``TimesError`` if the system does not list them."""
    try:
        head, *lines = table.read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise TimesError(
            f"{table} cannot be read, so it is not known whether another server runs here."
        ) from error
    names = head.split()
    found = []
    for line in lines:
        row = dict(zip(names, map(int, line.split()), strict=False))
        if row["key"] in keys:
            found.append(Segment(row["key"], row["shmid"]))
    return found


@contextmanager
def alone_with_segments(note: Note, keys: range = KEYS) -> Iterator[None]:
    """Reserve this machine for one server of streamgage, and check that no segments are in its way.

    Waits for another server to end, and reports the wait to ``note``. Segments are never removed,
    because their owner is unknown once the process that made them has ended. ``note`` gets a
    sentence about segments that are left behind. Raises ``TimesError`` if there are segments before
    the start.
    """
    with _lock(note):
        there = read_segments(keys)
        if there:
            raise TimesError(
                f"There {'is' if len(there) == 1 else 'are'} {_named(there)} with keys of PETSc's"
                " server: another server runs here, or one was ended by force; `ipcs -m` lists"
                " them, and `ipcrm -m ID` removes one that is yours."
            )
        try:
            yield
        finally:
            _report_left(note, keys)


def _report_left(note: Note, keys: range) -> None:
    with suppress(TimesError):
        left = read_segments(keys)
        if left:
            note(
                f"The server left {_named(left)} behind, which is in the way of the next one:"
                f" `ipcrm {' '.join(f'-m {each.id}' for each in left)}` removes it once no process"
                " has it."
            )


def _named(segments: list[Segment]) -> str:
    what = "segment" if len(segments) == 1 else "segments"
    names = [str(each.id) for each in segments]
    return f"{what} of shared memory {some_of(names, _MOST_NAMED, 'segment')}"


@contextmanager
def _lock(note: Note, path: Path = _LOCK) -> Iterator[None]:
    """Hold a lock against other servers of streamgage on this machine, of any user."""
    waiting = False
    while True:
        descriptor = _open(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(descriptor, path):
                break
        except BlockingIOError:
            if not waiting:
                note(f"Another server of PETSc's runs here; waiting for {path}.")
            waiting = True
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    """Return whether the path still leads to the open file; somebody may have removed it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except OSError:
        return False


def _open(path: Path) -> int:
    """Open the file, or create it; read access is enough for a lock."""
    flags = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    for _ in range(_OPENINGS):
        try:
            return os.open(path, os.O_RDONLY | flags)
        except FileNotFoundError:
            with suppress(FileExistsError):
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | flags, 0o666)
                os.fchmod(descriptor, 0o666)  # independent of the umask
                return descriptor
        except OSError as error:
            raise TimesError(
                f"The lock {path} against a second server cannot be opened: {error.strerror}."
            ) from error
    raise TimesError(f"The lock {path} against a second server is removed again and again.")

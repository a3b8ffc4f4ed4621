"""The file to which the engine writes its records, and from which the front reads them.

The records file itself is the engine's standard output. So no record is lost if the front fails,
the engine never waits for a reader, and no process has to wake up for a line. If the records do not
go to a regular file, the engine writes to a file in memory, and the front copies them.
"""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.command_files import claim_output
from streamgage.records.files import is_of_database, no_follow, open_next_to, resolved
from streamgage.records.reader import Note

_CHUNK = 1 << 20
CLOSED = -1
"""The value of ``descriptor`` after the spool is closed."""


class Spool:
    """The file that holds the records of one run, and nothing else.

    The engine writes to ``descriptor``. ``path`` is the file in which the records remain;
    ``None`` if they do not remain.
    """

    def __init__(self, descriptor: int, path: Path | None, *, new: bool = False) -> None:
        """Take over ``descriptor``. ``new``: the file was made for this run."""
        self.descriptor = descriptor
        self.path = path
        self._new = new
        self._read = 0
        self._put = 0

    def fetch(self) -> bytes:
        """Return what the engine has written since the last call."""
        chunks = []
        while True:
            chunk = os.pread(self.descriptor, _CHUNK, self._read)
            if self._read == 0 and len(chunk) <= self._put:
                return b""
            if chunk:
                self._take(chunk, first=self._read == 0)
                self._read += len(chunk)
                chunks.append(chunk)
            if len(chunk) < _CHUNK:  # the end so far; do not chase a fast engine
                return b"".join(chunks)

    def put(self, records: bytes) -> None:
        """Write lines of the front before the engine writes its own.

        They are fetched together with the engine's first line: alone they are not a run, and must
        not replace one.
        """
        self._put += len(records)
        while records:
            records = records[os.write(self.descriptor, records) :]

    def copied(self) -> bytes | None:
        """Return all records if ``path`` cannot be read again; else ``None``."""
        return None

    def close(self, *, worth_keeping: bool) -> Path | None:
        """Close the file, and return its path if it is kept.

        A new file is removed if it is not ``worth_keeping``.
        """
        with suppress(OSError):
            self.fetch()  # if the front failed, there may be more
        os.close(self.descriptor)
        self.descriptor = CLOSED
        if self._read and (worth_keeping or not self._new):
            return self.path
        self._discard()
        return None

    def _take(self, chunk: bytes, *, first: bool) -> None:
        """Handle new bytes; ``first`` if they are the first of the run."""

    def _discard(self) -> None:
        if self._new and self.path is not None:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


class _Replacer(Spool):
    """A spool that replaces an earlier file when the first record arrives.

    A refused plan therefore destroys no earlier run.
    """

    def __init__(self, descriptor: int, temporary: Path, path: Path, note: Note) -> None:
        super().__init__(descriptor, path)
        self._temporary = temporary
        self._note = note

    def _take(self, chunk: bytes, *, first: bool) -> None:
        if not first or self.path is None:
            return
        try:
            self._temporary.replace(self.path)
        except OSError as error:
            self._note(
                f"{self.path} could not be replaced ({error.strerror}): the records of this run are"
                f" in {self._temporary}."
            )
            self.path = self._temporary

    def _discard(self) -> None:
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)


class _Copier(Spool):
    """A spool that copies to a device, a pipe, or a file in a folder that cannot be written.

    A regular file is emptied when the first record arrives. The first failure is reported, and the
    run goes on without the copy.
    """

    def __init__(self, target: int, path: Path, note: Note) -> None:
        super().__init__(_in_memory(), path)
        self._target = target
        self._note = note

    def _take(self, chunk: bytes, *, first: bool) -> None:
        if self.path is None:
            return
        try:
            if first and stat.S_ISREG(os.fstat(self._target).st_mode):
                os.ftruncate(self._target, 0)
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(self._target, rest) :]
        except OSError as error:
            self._note(
                f"The records could not be written to {self.path} from here on: {error.strerror}."
            )
            self.path = None

    def copied(self) -> bytes | None:
        """Return what was copied, from the file in memory."""
        with suppress(OSError):
            self.fetch()
        size = os.fstat(self.descriptor).st_size
        return os.pread(self.descriptor, size, 0) if size else None

    def close(self, *, worth_keeping: bool) -> Path | None:
        """Close both files.

        A device or a pipe cannot be read again, so its path is not returned.
        """
        try:
            kept = super().close(worth_keeping=worth_keeping)
            return kept if stat.S_ISREG(os.fstat(self._target).st_mode) else None
        finally:
            with suppress(OSError):
                os.close(self._target)


def _in_memory() -> int:
    return os.memfd_create("streamgage-records")


def spool_in_memory() -> Spool:
    """Make a spool for records that are shown but not kept."""
    return Spool(_in_memory(), None)


def new_spool(path: Path) -> Spool:
    """Make a spool in a new file. Raises ``OSError``, also if something with that name exists."""
    mode = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL  # O_EXCL follows no link
    return spool_of_new_file(os.open(path, mode, 0o666), path)


def spool_of_new_file(descriptor: int, path: Path) -> Spool:
    """Make a spool in a file that was just made."""
    with suppress(OSError):  # a file system without locks
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the engine inherits the lock
    return Spool(descriptor, path, new=True)


def spool_in(named: Path, note: Note) -> Spool:
    """Make a spool in the file ``named``, and open it at once.

    Raises ``OSError``. An existing file keeps its content until the first record arrives.
    """
    with suppress(FileExistsError):
        return new_spool(named)
    path = resolved(named)
    with suppress(FileExistsError):
        return new_spool(path)  # a link to a file that does not exist yet
    mode = os.O_WRONLY | os.O_APPEND | no_follow(path)
    target = os.open(path, mode)  # shows that the file can be written
    try:
        if not stat.S_ISREG(os.fstat(target).st_mode):
            return _Copier(target, path, note)
        try:
            descriptor, temporary = open_next_to(path)
        except OSError:  # the file may be writable although its folder is not
            return _Copier(target, path, note)
    except BaseException:
        os.close(target)
        raise
    os.close(target)
    return _Replacer(descriptor, temporary, path, note)


def is_held(path: Path) -> bool:
    """Return whether the process that writes records to ``path``, or its engine, still runs."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def spool_in_named(path: Path, note: Note) -> Spool:
    """Call ``spool_in`` for a file that the user named.

    Raises ``UsageError`` if it cannot be written.
    """
    try:
        claim_output(path, "--records")
        if is_of_database(path):
            raise OSError(17, "it is a database")
        return spool_in(path, note)
    except OSError as error:
        raise UsageError(
            f"The records file {path} cannot be written: {error.strerror}; name another with"
            " --records."
        ) from error

"""Where the records of runs are kept: ``$XDG_STATE_HOME/streamgage/runs``.

The folder follows the XDG Base Directory Specification; without the variable it is
``~/.local/state/streamgage/runs``. A file is named by the start in UTC, the host and the process:
``20260131T120000Z-node7-4711.jsonl``.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from streamgage.errors import UsageError
from streamgage.recording import Note


def runs_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of kept runs; a relative ``XDG_STATE_HOME`` is ignored, as XDG asks."""
    state = environment.get("XDG_STATE_HOME", "")
    base = Path(state) if Path(state).is_absolute() else Path("~/.local/state").expanduser()
    return base / "streamgage" / "runs"


def file_name(now: datetime, host: str, process: int) -> str:
    """Name of a records file; sorting the names sorts the runs by time."""
    plain_host = re.sub(r"[^A-Za-z0-9._]+", "_", host) or "host"
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{plain_host}-{process}.jsonl"


def newest_run(folder: Path) -> Path:
    """The newest kept run. Raises ``UsageError`` where there is none."""
    try:
        names = sorted(path for path in folder.glob("*.jsonl") if path.stat().st_size > 0)
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be read: {error.strerror}; name a records file."
        ) from error
    if not names:
        raise UsageError(f"No run is kept in {folder}: measure first, or name a records file.")
    return names[-1]


class Keeper:
    """Keeps each raw line of a run, flushed, in a file of its own.

    The file is opened at once, so that one that cannot be written is found before measuring, and
    emptied only when the first line comes, so that a refused plan costs no earlier run.
    """

    def __init__(self, file: BinaryIO, path: Path, note: Note, *, new: bool) -> None:
        """Take over ``file``, open for appending at ``path``; ``new``: it was made for this run."""
        self.path = path
        self._file = file
        self._note = note
        self._new = new
        self._lines = 0
        self._failed = False

    def keep(self, line: bytes) -> None:
        """Write one line and flush it. Tells of the first failure, then measures on without."""
        if self._failed:
            return
        try:
            if self._lines == 0 and self.path.is_file():
                self._file.truncate(0)
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            self._failed = True
            self._note(
                f"The records could not be kept from here on in {self.path}: {error.strerror}."
            )
        self._lines += 1

    def close(self, *, worth_keeping: bool) -> Path | None:
        """Close the file; the path of what was kept. A new file not worth keeping is removed."""
        try:
            self._file.close()
        except OSError:
            self._failed = True
        if self._new and not (self._lines and worth_keeping):
            self.path.unlink(missing_ok=True)
            return None
        return self.path if self._lines and not self._failed else None


def open_keeper(asked: Path | None, note: Note) -> Keeper:
    """The keeper of a new run, in ``asked`` or in the folder of kept runs.

    Where that folder cannot be written, ``note`` says so and the temporary folder serves. Raises
    ``UsageError`` where ``asked``, or even the temporary folder, cannot be written.
    """
    if asked is not None:
        return _open(asked, note)
    name = file_name(datetime.now(UTC), socket.gethostname(), os.getpid())
    folder = runs_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _open(folder / name, note)
    except (OSError, UsageError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        reason = cause.strerror if isinstance(cause, OSError) else str(error)
        keeper = _open(Path(tempfile.gettempdir()) / f"streamgage-{name}", note)
        note(f"{folder} cannot be written ({reason}): the records of this run go to {keeper.path}.")
        return keeper


def _open(path: Path, note: Note) -> Keeper:
    new = not path.exists()
    try:
        return Keeper(path.open("xb" if new else "ab"), path, note, new=new)
    except OSError as error:
        raise UsageError(
            f"The records file {path} cannot be written: {error.strerror}; name another with"
            " --records."
        ) from error

"""The place of a run's records until they are in the store: ``$XDG_STATE_HOME/streamgage/runs``.

The folder follows the XDG Base Directory Specification; without the variable it is
``~/.local/state/streamgage/runs``. A file is named by the start in UTC, the host and the process:
``20260131T120000Z-node7-4711.jsonl``, a folder with the files of a series by its command, too:
``20260131T120000Z-node7-4711-scale``. What is still there after the end of its process was cut off
before it came into the store, or is of a streamgage that had none.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.files import user_folder
from streamgage.records.reader import Note
from streamgage.records.spool import (
    Spool,
    is_held,
    new_spool,
    spool_in_memory,
    spool_in_named,
    spool_of_new_file,
)

Made = TypeVar("Made")
_MOST_IN_A_SECOND = 100


def runs_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of kept runs; a relative ``XDG_STATE_HOME`` is ignored, as XDG asks.

    Raises ``UsageError`` if this user has no home.
    """
    folder = user_folder("XDG_STATE_HOME", ".local/state", environment)
    if folder is None:
        raise UsageError(
            "This user has no home folder for records: set HOME or XDG_STATE_HOME, or name a"
            " records file."
        )
    return folder / "runs"


def runs_for(store: StorePlace) -> Path:
    """The folder of runs whose results go to that store, which is not the user's own.

    It is not next to the store, whose disk may be full. Raises ``UsageError`` like ``runs_folder``.
    """
    name = str(store.absolute() if isinstance(store, Path) else store)
    digest = sha256(name.encode(errors="surrogateescape")).hexdigest()
    return runs_folder().with_name("runs-for") / digest[:16]


def is_of_a_run(path: Path, store: StorePlace | None) -> bool:
    """Return whether that is the name of a run's records, whether they are there or not.

    ``store``: the one that the user named; None: the user's own.
    """
    with suppress(UsageError):
        named = len(path.name) <= _MOST_OF_A_NAME and _NAME.fullmatch(path.name) is not None
        folder = runs_folder() if store is None else runs_for(store)
        return named and path.absolute().parent == folder
    return False


def file_name(now: datetime, host: str, process: int) -> str:
    """Name of a records file; sorting the names sorts the runs by time."""
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{_plain(host)}-{process}.jsonl"


def _plain(host: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "_", host) or "host"


@dataclass(frozen=True)
class LeftRun:
    """What a run left: a file of records, or the folder of a series (``kind``: its command)."""

    path: Path
    kind: str | None


def left_behind(folder: Path) -> list[LeftRun]:
    """What no living process is at work on, the oldest first; empty if there is no folder.

    Of another host, which this one cannot ask, what has not changed for a day.
    """
    try:
        names = sorted(folder.iterdir())
    except OSError:
        return []
    found = []
    for path in names:
        named = _NAME.fullmatch(path.name)
        if named is None or (path.is_dir() == (named["kind"] is None)):
            continue
        with suppress(OSError):  # another program was quicker
            if not _is_alive(path, named["host"], int(named["process"])):
                found.append(LeftRun(path, named["kind"]))
    return found


def discard(path: Path) -> None:
    """Remove records that are now stored; a folder vanishes at once for other programs."""
    with suppress(OSError):
        if not path.is_dir():
            path.unlink()
        else:
            gone = path.rename(path.with_name(f"{_GONE}{path.name}"))
            shutil.rmtree(gone, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what a program that was killed had begun to remove."""
    for path in folder.glob(f"{_GONE}*"):
        shutil.rmtree(path, ignore_errors=True)


_NAME = re.compile(
    r"\d{8}T\d{6}Z-(?P<host>.+)-(?P<process>\d+)(?:-(?P<kind>[a-z]+)|\.jsonl)", re.ASCII
)
_MOST_OF_A_NAME = 255
"""The longest name of a file, in characters."""
_DAY_SECONDS = 86_400
_GONE = ".gone-"


def _is_alive(path: Path, host: str, process: int) -> bool:
    files = [path, *path.iterdir()] if path.is_dir() else [path]
    if host != _plain(os.uname().nodename):
        newest = max(each.stat().st_mtime for each in files)
        return newest > time.time() - _DAY_SECONDS
    if Path(f"/proc/{process}").exists() and process != os.getpid():
        return True
    return any(is_held(each) for each in files if each.is_file())


def open_spool(
    asked: Path | None, note: Note, runs: Callable[[], Path | None] = runs_folder
) -> Spool:
    """The spool of a new run, in ``asked`` or in the folder ``runs``.

    Where that folder cannot be written, ``note`` says so and the temporary folder serves; where
    that cannot be either, the records are not kept. Raises ``UsageError`` if ``asked`` cannot be
    written.
    """
    if asked is not None:
        return spool_in_named(asked, note)
    try:
        folder = runs()
    except UsageError as error:
        return _spool_for_now(str(error).partition(":")[0], note)
    if folder is None:
        return spool_in_memory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _under_new_name(lambda name: new_spool(folder / name))
    except OSError as error:
        return _spool_for_now(f"{folder} cannot be written ({error.strerror})", note)


def new_folder(kind: str, note: Note, runs: Callable[[], Path | None] = runs_folder) -> Path | None:
    """A new folder for the runs of a series, in the folder ``runs`` or in the temporary folder.

    ``note`` is called if it had to be made elsewhere; None if it could not be made at all.
    """

    def make(name: str) -> Path:
        kept = runs()
        if kept is None:
            return Path(tempfile.mkdtemp(prefix=f"streamgage-{kind}-"))
        folder = kept / f"{name.removesuffix('.jsonl')}-{kind}"
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
        return folder

    try:
        return _under_new_name(make)
    except (UsageError, OSError) as error:
        try:
            folder = Path(tempfile.mkdtemp(prefix=f"streamgage-{kind}-"))
        except OSError:
            note("No folder for records can be made: the records are not written.")
            return None
        note(f"The usual folder for records cannot be used ({error}): they go to {folder}.")
    return folder


def _under_new_name(make: Callable[[str], Made]) -> Made:
    """What ``make`` makes by a name that is new; it raises ``FileExistsError`` for one that is not.

    A process that starts several runs in one second gives the later ones the next seconds.
    """
    start = datetime.now(UTC)
    for later in range(_MOST_IN_A_SECOND):
        name = file_name(start + timedelta(seconds=later), os.uname().nodename, os.getpid())
        with suppress(FileExistsError):
            return make(name)
    raise FileExistsError(errno.EEXIST, "it has files of the next runs already")


def _spool_for_now(why: str, note: Note) -> Spool:
    """A spool in the temporary folder, or where that fails in none; ``note`` is called.

    Others may write to that folder, too, so the name is one that they cannot know.
    """
    try:
        descriptor, name = tempfile.mkstemp(prefix="streamgage-", suffix=".jsonl")
    except OSError as error:
        note(f"{why}, nor can a temporary folder ({error.strerror}): the records are not written.")
        return spool_in_memory()
    note(f"{why}: the records of this run go to {name}.")
    return spool_of_new_file(descriptor, Path(name))

"""The folder that holds a run's records until they are in the store.

It is ``$XDG_STATE_HOME/streamgage/runs`` and follows the XDG Base Directory Specification; without
the variable it is ``~/.local/state/streamgage/runs``. The name of a file has the start in UTC, the
host and the process: ``20260131T120000Z-node7-4711.jsonl``. A folder with the files of a series
also has its command: ``20260131T120000Z-node7-4711-scale``. Files that remain after their process
has ended were cut off before they came into the store.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
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
    """The folder of records for the user's own store; a relative ``XDG_STATE_HOME`` is ignored.

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
    """The folder of records for ``store``, which is not the user's own.

    It is not next to the store, whose disk may be full. Raises ``UsageError`` as ``runs_folder``
    does.
    """
    name = str(store.absolute() if isinstance(store, Path) else store)
    digest = sha256(name.encode(errors="surrogateescape")).hexdigest()
    return runs_folder().with_name("runs-for") / digest[:16]


def is_of_a_run(path: Path, store: StorePlace | None) -> bool:
    """Return whether a run for ``store`` puts its records at ``path``, whether they exist or not.

    ``store``: the one that the user named; ``None`` is the user's own.
    """
    with suppress(UsageError):
        named = len(path.name) <= _MOST_OF_A_NAME and _NAME.fullmatch(path.name) is not None
        folder = runs_folder() if store is None else runs_for(store)
        return named and path.absolute().parent == folder
    return False


def file_name(now: datetime, host: str, process: int) -> str:
    """The name of a records file; sorting such names sorts the runs by time."""
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{_plain(host)}-{process}.jsonl"


def _plain(host: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "_", host) or "host"


@dataclass(frozen=True)
class LeftRun:
    """The records that a run left behind: a file, or the folder of a series.

    ``kind`` is the command of the series.
    """

    path: Path
    kind: str | None


def left_behind(folder: Path) -> list[LeftRun]:
    """Find the records on which no living process works, oldest first; empty if there is no folder.

    The processes of another host cannot be checked: its records count after a day without change.
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
        with suppress(OSError):  # another program removed it first
            if not _is_alive(path, named["host"], int(named["process"])):
                found.append(LeftRun(path, named["kind"]))
    return found


def discard(path: Path) -> None:
    """Remove records that are now stored; for other programs a folder vanishes at once."""
    with suppress(OSError):
        if not path.is_dir():
            path.unlink()
        else:
            gone = path.rename(path.with_name(f"{_GONE}{path.name}"))
            shutil.rmtree(gone, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what a killed program had begun to remove."""
    for path in folder.glob(f"{_GONE}*"):
        shutil.rmtree(path, ignore_errors=True)


_NAME = re.compile(
    r"\d{8}T\d{6}Z-(?P<host>.+)-(?P<process>\d+)(?:-(?P<kind>[a-z]+)|\.jsonl)", re.ASCII
)
_MOST_OF_A_NAME = 255
"""The longest file name, in characters."""
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
    named: Path | None, note: Note, runs: Callable[[], Path | None] = runs_folder
) -> Spool:
    """Open the spool of a new run, in the file ``named`` or in the folder ``runs``.

    If that folder cannot be written, ``note`` says so and the temporary folder is used. If that
    cannot be written either, the records are not kept. Raises ``UsageError`` if ``named`` cannot be
    written.
    """
    if named is not None:
        return spool_in_named(named, note)
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


@contextmanager
def new_folder(
    kind: str, note: Note, runs: Callable[[], Path | None] = runs_folder
) -> Iterator[Path | None]:
    """Make a folder for the runs of a series, in the folder ``runs`` or in the temporary folder.

    ``note`` is called if it had to be made elsewhere; ``None`` is yielded if that failed, too. A
    series that fails leaves a folder only if it has files.
    """
    folder = _make_folder(kind, note, runs)
    try:
        yield folder
    except BaseException:
        if folder is not None:
            with suppress(OSError):  # it has files
                folder.rmdir()
        raise


def _make_folder(kind: str, note: Note, runs: Callable[[], Path | None]) -> Path | None:

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
    """Call ``make`` with new names until it does not raise ``FileExistsError``.

    If a process starts several runs in one second, the later ones get the names of the next
    seconds.
    """
    start = datetime.now(UTC)
    for later in range(_MOST_IN_A_SECOND):
        name = file_name(start + timedelta(seconds=later), os.uname().nodename, os.getpid())
        with suppress(FileExistsError):
            return make(name)
    raise FileExistsError(errno.EEXIST, "the names of the next files are taken")


def _spool_for_now(why: str, note: Note) -> Spool:
    """Make a spool in the temporary folder, or in memory if that fails; ``note`` is called.

    Others may also write to the temporary folder, so the name is one that they cannot guess.
    """
    try:
        descriptor, name = tempfile.mkstemp(prefix="streamgage-", suffix=".jsonl")
    except OSError as error:
        note(f"{why}, nor can a temporary folder ({error.strerror}): the records are not written.")
        return spool_in_memory()
    note(f"{why}: the records of this run go to {name}.")
    return spool_of_new_file(descriptor, Path(name))

"""Where the records of a run lie until they are in the store: ``$XDG_STATE_HOME/streamgage/runs``.

The folder follows the XDG Base Directory Specification; without the variable it is
``~/.local/state/streamgage/runs``. A file is named by the start in UTC, the host and the process:
``20260131T120000Z-node7-4711.jsonl``, a folder with the files of a series by its command, too:
``20260131T120000Z-node7-4711-scale``. What is still there after the end of its process was cut off
before it came into the store, or is of a streamgage that had none.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.files import user_folder
from streamgage.records.reader import Note
from streamgage.records.spool import Spool, is_held, spool_in, spool_in_memory, spool_in_named


def runs_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of kept runs; a relative ``XDG_STATE_HOME`` is ignored, as XDG asks.

    Raises ``UsageError`` where this user has no home.
    """
    folder = user_folder("XDG_STATE_HOME", "~/.local/state", environment)
    if folder is None:
        raise UsageError(
            "This user has no home folder in which runs are kept: set HOME or XDG_STATE_HOME, or"
            " name a records file."
        )
    return folder / "runs"


def file_name(now: datetime, host: str, process: int) -> str:
    """Name of a records file; sorting the names sorts the runs by time."""
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{_plain(host)}-{process}.jsonl"


def _plain(host: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "_", host) or "host"


@dataclass(frozen=True)
class Left:
    """What a run left: a file of records, or the folder of a series (``kind``: its command)."""

    path: Path
    kind: str | None


def left_behind(folder: Path) -> list[Left]:
    """What no living process is at work on, the oldest first; empty where there is no folder.

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
                found.append(Left(path, named["kind"]))
    return found


def discard(path: Path) -> None:
    """Remove what is kept elsewhere; of a folder at once, as far as others can see."""
    with suppress(OSError):
        if not path.is_dir():
            path.unlink()
            return
        gone = path.rename(path.with_name(f"{_GONE}{path.name}"))
        shutil.rmtree(gone, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what a program that was killed had begun to remove."""
    for path in folder.glob(f"{_GONE}*"):
        shutil.rmtree(path, ignore_errors=True)


_NAME = re.compile(
    r"\d{8}T\d{6}Z-(?P<host>.+)-(?P<process>\d+)(?:-(?P<kind>[a-z]+)|\.jsonl)", re.ASCII
)
_DAY_SECONDS = 86_400
_GONE = ".gone-"


def _is_alive(path: Path, host: str, process: int) -> bool:
    files = [path, *path.iterdir()] if path.is_dir() else [path]
    if host != _plain(socket.gethostname()):
        newest = max(each.stat().st_mtime for each in files)
        return newest > time.time() - _DAY_SECONDS
    if Path(f"/proc/{process}").exists() and process != os.getpid():
        return True
    return any(is_held(each) for each in files if each.is_file())


def open_spool(asked: Path | None, note: Note) -> Spool:
    """The spool of a new run, in ``asked`` or in the folder of kept runs.

    Where that folder cannot be written, ``note`` says so and the temporary folder serves; where
    that cannot be either, the records are not kept. Raises ``UsageError`` where ``asked`` cannot be
    written.
    """
    if asked is not None:
        return spool_in_named(asked, note)
    name = file_name(datetime.now(UTC), socket.gethostname(), os.getpid())
    try:
        folder = runs_folder()
    except UsageError as error:
        return _spool_for_now(name, str(error).partition(":")[0], note)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return spool_in(folder / name, note)
    except OSError as error:
        return _spool_for_now(name, f"{folder} cannot be written ({error.strerror})", note)


def new_folder(kind: str, note: Note) -> Path | None:
    """A new folder for the runs of one study, next to the kept runs or in the temporary folder.

    ``note`` is called where it is not next to them; null where it can be nowhere.
    """
    name = file_name(datetime.now(UTC), socket.gethostname(), os.getpid())
    name = f"{name.removesuffix('.jsonl')}-{kind}"
    try:
        folder = runs_folder() / name
        folder.mkdir(parents=True, exist_ok=True)
    except (UsageError, OSError) as error:
        try:
            folder = Path(tempfile.mkdtemp(prefix=f"streamgage-{kind}-"))
        except OSError:
            note("No folder for records can be made: the records are not kept.")
            return None
        note(f"Runs cannot be kept where they mostly are ({error}): they go to {folder}.")
    return folder


def _spool_for_now(name: str, why: str, note: Note) -> Spool:
    """A spool in the temporary folder, or where that fails in none; ``note`` is called."""
    try:
        spool = spool_in(Path(tempfile.gettempdir()) / f"streamgage-{name}", note)
    except OSError as error:
        note(f"{why}, nor can a temporary folder ({error.strerror}): the records are not kept.")
        return spool_in_memory()
    note(f"{why}: the records of this run go to {spool.path}.")
    return spool

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

import msgspec

from streamgage.errors import UsageError
from streamgage.keeper import Keeper, keep_in, keep_in_named, keep_nowhere
from streamgage.recording import Note


def runs_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of kept runs; a relative ``XDG_STATE_HOME`` is ignored, as XDG asks.

    Raises ``UsageError`` where this user has no home.
    """
    state = environment.get("XDG_STATE_HOME", "")
    try:
        base = Path(state) if Path(state).is_absolute() else Path("~/.local/state").expanduser()
    except RuntimeError as error:
        raise UsageError(
            "This user has no home folder in which runs are kept: set HOME or XDG_STATE_HOME, or"
            " name a records file."
        ) from error
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


def open_keeper(asked: Path | None, note: Note) -> Keeper:
    """The keeper of a new run, in ``asked`` or in the folder of kept runs.

    Where that folder cannot be written, ``note`` says so and the temporary folder serves; where
    that cannot be either, the records are not kept. Raises ``UsageError`` where ``asked`` cannot be
    written.
    """
    if asked is not None:
        return keep_in_named(asked, note)
    name = file_name(datetime.now(UTC), socket.gethostname(), os.getpid())
    try:
        folder = runs_folder()
    except UsageError as error:
        return _keep_for_now(name, str(error).partition(":")[0], note)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return keep_in(folder / name, note)
    except OSError as error:
        return _keep_for_now(name, f"{folder} cannot be written ({error.strerror})", note)


def new_folder(kind: str, note: Note) -> Path | None:
    """A new folder for the runs of one study, beside the kept runs or in the temporary folder.

    ``note`` is told where it is not beside them; null where it can be nowhere.
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


def keep_answer(folder: Path, kind: str, answer: msgspec.Struct, note: Note) -> None:
    """Keep a study's answer as ``KIND.json`` beside its runs; ``note`` is told of a failure."""
    path = folder / f"{kind}.json"
    try:
        path.write_bytes(msgspec.json.encode(answer) + b"\n")
    except OSError as error:
        note(f"{path} cannot be written ({error.strerror}): the answer is not kept.")


def newest_answer(folder: Path, kind: str) -> Path:
    """The newest kept answer of a study. Raises ``UsageError`` where there is none."""
    found = sorted(folder.glob(f"*-{kind}/{kind}.json"))
    if not found:
        raise UsageError(
            f"No result of `streamgage {kind}` is kept in {folder}: run it first, or name a file of"
            " its --format json."
        )
    return found[-1]


def _keep_for_now(name: str, why: str, note: Note) -> Keeper:
    """A keeper in the temporary folder, or where that fails in none; ``note`` is told."""
    try:
        keeper = keep_in(Path(tempfile.gettempdir()) / f"streamgage-{name}", note)
    except OSError as error:
        note(f"{why}, nor can a temporary folder ({error.strerror}): the records are not kept.")
        return keep_nowhere()
    note(f"{why}: the records of this run go to {keeper.path}.")
    return keeper

"""One run of ``streamgage measure``, in a folder of its own, with its first screen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
_MOST_SECONDS = 240.0
"""After which a run is ended: a spoiled one may take longer than its budget."""
_COLUMNS = 80

During = Callable[[subprocess.Popen[bytes]], None]
"""What is done to the program while it measures."""


@dataclass(frozen=True)
class RunEnd:
    """How a run ended; ``document`` is null where it gave none."""

    document: Mapping[str, Any] | None
    status: int
    stderr: str
    screen: str
    """What the user sees first, at 80 columns."""
    records: Path


def measure(
    folder: Path,
    arguments: Sequence[str] = (),
    *,
    prefix: Sequence[str] = (),
    during: During | None = None,
) -> RunEnd:
    """Measure with ``arguments`` and keep everything in the new ``folder``.

    ``prefix`` is put in front of the command line, such as ``nice -n 10``.
    """
    folder.mkdir(parents=True)
    result, records = folder / "result.json", folder / "records.jsonl"
    keep = ("--format", "json", "--output", str(result), "--records", str(records))
    command = [*prefix, *_streamgage("measure", *arguments, *keep)]
    with (folder / "stderr.txt").open("wb") as stderr:
        process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=stderr,
            stderr=stderr,
            start_new_session=True,  # Ctrl-C is for the harness, which then ends the run
        )
        try:
            if during is not None:
                during(process)
            process.wait(_MOST_SECONDS)
        except subprocess.TimeoutExpired:
            pass  # a status below 0 says so
        finally:
            _end(process)
    document = json.loads(result.read_text("utf-8")) if result.exists() else None
    return RunEnd(
        document=document,
        status=process.returncode,
        stderr=(folder / "stderr.txt").read_text("utf-8", "replace"),
        screen=_first_screen(folder, records) if document is not None else "",
        records=records,
    )


def engine_of(process: subprocess.Popen[bytes]) -> int | None:
    """The process of the engine that ``process`` has started, if it runs."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it has ended
                name, _, rest = (entry / "stat").read_text().rpartition(")")
                parents[int(entry.name)] = (int(rest.split()[1]), name.partition("(")[2])
    for number, (_, name) in parents.items():
        if name.startswith("streamgage-engi"):  # the kernel keeps 15 characters
            above = number
            while above in parents and above != process.pid:
                above = parents[above][0]
            if above == process.pid:
                return number
    return None


def _first_screen(folder: Path, records: Path) -> str:
    shown = subprocess.run(
        _streamgage("show", str(records)),
        cwd=REPOSITORY,
        env=_environment(folder) | {"COLUMNS": str(_COLUMNS)},
        capture_output=True,
        check=False,
    )
    text = (shown.stdout + shown.stderr).decode("utf-8", "replace")
    (folder / "screen.txt").write_text(text, "utf-8")
    return text


def _streamgage(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "streamgage", *arguments]


def _environment(folder: Path) -> dict[str, str]:
    """That of this program, but with a store and a cache that no other run has touched."""
    folders = {
        f"XDG_{name}_HOME": str(folder / "user" / name.lower())
        for name in ("STATE", "DATA", "CACHE")
    }
    removed = ("STREAMGAGE_STORE", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if name not in removed}
    return kept | folders | {"NO_COLOR": "1", "PYTHONUTF8": "1"}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Whatever happens, nothing of the run is left; the engine ends with its front."""
    if process.poll() is None:
        engine = engine_of(process)
        for number in (engine, process.pid):
            if number is not None:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
        process.wait()

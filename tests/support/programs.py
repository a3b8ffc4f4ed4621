"""Runs the program ``streamgage`` as a user does, and engines that misbehave on purpose."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import preloaded
from example_records import MACHINE, as_lines

REPOSITORY = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 300
"""Only so that a hanging test ends; nothing is timed."""
FRONT_LISTENS = (
    "until test $((0x$(sed -n 's/^SigCgt:[^0-9a-f]*//p' /proc/$PPID/status) & 0x80000)) -ne 0;"
    " do sleep 0.02; done"
)
"""Shell, for an engine: wait until the front passes signals on. It then handles SIGTSTP, too, which
is the twentieth signal."""
_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "MPL")
"""Prefixes of variables that Python and libraries read when they are loaded."""


def streamgage(
    *arguments: str | Path, folder: Path, engine: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run ``streamgage`` in ``folder``, with its state, data and cache kept there."""
    if not any(name.startswith(_AT_START) for name in variables):
        kept = environment(folder, engine, **variables)
        return preloaded.run([*map(str, arguments)], folder, kept, WAIT_SECONDS)
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(folder, engine, **variables),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


def start_streamgage(
    *arguments: str | Path, folder: Path, engine: Path, **variables: str
) -> subprocess.Popen[str]:
    """Start ``streamgage`` in a process group of its own, as a shell does."""
    return subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(folder, engine, **variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def command(*arguments: str | Path) -> list[str]:
    """The command line of the program under this Python."""
    return [sys.executable, "-m", "streamgage", *map(str, arguments)]


def environment(folder: Path, engine: Path | None, **variables: str) -> dict[str, str]:
    """An environment with state, data and cache in ``folder`` and a fixed locale."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("STREAMGAGE_ENGINE", "STREAMGAGE_STORE", "COLUMNS", "NO_COLOR")
    }
    kept |= {
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PYTHONUTF8": "1",
    }
    if engine is not None:
        kept["STREAMGAGE_ENGINE"] = str(engine)
    return kept | variables


def one_sentence(stderr: str) -> str:
    """The only line of ``stderr``, which is addressed by the program's name."""
    lines = stderr.splitlines()
    assert len(lines) == 1, stderr
    assert lines[0].startswith("streamgage: "), stderr
    assert "Traceback" not in stderr
    return lines[0].removeprefix("streamgage: ")


def misbehaving_engine(folder: Path, body: str, *, machine: str | None = None) -> Path:
    """A program that stands for an engine that goes wrong in one way; ``body`` is shell.

    Asked for its machine, it runs ``machine``, or without that describes the made one.
    """
    path = folder / "engine-that-misbehaves"
    if machine is None:
        record = folder / "machine-of-the-engine.json"
        record.write_bytes(as_lines([MACHINE]))
        machine = f"cat '{record}'"
    path.write_text(
        f'#!/bin/sh\nif test "$1" = --machine; then\n{machine}\nexit\nfi\n{body}\n', "utf-8"
    )
    path.chmod(0o755)
    return path


def real_engine() -> Path:
    """The engine: the named one, the one built in the source folder, or the installed one."""
    named = os.environ.get("STREAMGAGE_ENGINE")
    places = [
        Path(named) if named else None,
        Path(sys.executable).parent / "streamgage-engine",
        REPOSITORY / "build" / "dev" / "engine" / "streamgage-engine",
    ]
    for place in places:
        if place is not None and place.is_file():
            return place
    found = shutil.which("streamgage-engine")
    assert found, "streamgage-engine is not built: run `make build`"
    return Path(found)

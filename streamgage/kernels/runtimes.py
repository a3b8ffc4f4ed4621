"""Shared libraries by name, as the dynamic linker knows them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from streamgage.errors import UsageError

_LINE = re.compile(r"^\s*(\S+) \(([^)]*)\) => (\S+)$", re.M)
_WAIT_SECONDS = 20


def find_shared_library(name: str, option: str) -> Path:
    """The library of a path, or of a name such as ``libomp.so.5`` or ``libomp``.

    Links are followed, so that what is loaded can be told from others. Raises ``UsageError``,
    naming ``option``, where there is none, or where its path cannot stand in ``LD_PRELOAD``.
    """
    path = Path(name).resolve() if "/" in name else _of_the_linker(name)
    if path is None or not path.is_file():
        raise UsageError(
            f"{option} {name} is no library that is here: name its file, such as"
            " /usr/lib/x86_64-linux-gnu/libomp.so.5."
        )
    if any(sign in str(path) for sign in " :"):
        raise UsageError(f"{option} {path} has a space or a colon in its path: copy it elsewhere.")
    return path


def _of_the_linker(name: str) -> Path | None:
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    try:
        told = subprocess.run(
            [ldconfig, "-p"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_WAIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    for library, _, path in _LINE.findall(told.stdout):
        if library == name or library.startswith(f"{name}.so"):
            return Path(path).resolve()
    return None

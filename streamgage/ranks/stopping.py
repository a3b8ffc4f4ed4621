"""The end of a launcher that has to be ended."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress

_SECONDS_TO_CLEAN_UP = 5.0


def stop_group(process: subprocess.Popen[bytes]) -> None:
    """Ask the launcher to end its ranks, then end it and its process group. Harmless afterwards."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_CLEAN_UP)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()

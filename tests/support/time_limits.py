"""Time limits that a test controls, so that no machine is too slow for them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import WAIT_SECONDS


def wait_until(happened: Callable[[], bool]) -> None:
    """Wait, without a limit, until something has happened."""
    end = time.monotonic() + WAIT_SECONDS
    while not happened():
        assert time.monotonic() < end, f"it did not happen within {WAIT_SECONDS} s"
        time.sleep(0.02)


def runs(process: int) -> bool:
    """Return whether a process runs, and does not only wait for its status to be taken.

    The kernel may take a while to end one that was killed.
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def limit_ends_when(
    happened: Callable[[], bool], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let a wait of so many seconds for a program run out once something has happened.

    The program that is waited for goes on until then: it must not end by itself.
    """
    wait = subprocess.Popen.wait

    def wait_or_run_out(process: subprocess.Popen[Any], timeout: float | None = None) -> int:
        if timeout != seconds:
            return wait(process, timeout)
        wait_until(lambda: happened() or process.poll() is not None)
        if process.returncode is not None:
            return process.returncode
        raise subprocess.TimeoutExpired(process.args, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", wait_or_run_out)


class Clock:
    """Stands in for the module ``time``, of which only ``monotonic`` is used.

    Time passes at each look once ``step`` is set, and never by itself.
    """

    def __init__(self) -> None:
        """Start at 0 s."""
        self.seconds = 0.0
        self.step = 0.0
        """Seconds that pass between two looks."""

    def monotonic(self) -> float:
        """Seconds since some moment."""
        self.seconds += self.step
        return self.seconds

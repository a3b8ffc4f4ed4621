"""Mounts file systems for a test, if it may."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

_REFUSALS = ("permission denied", "must be superuser", "operation not permitted")
"""What ``mount`` says of who may not: a user without rights, or root in a container."""


def mount(*words: str | Path) -> None:
    """Mount it; the test is skipped where this process may not, and only there."""
    done = subprocess.run(
        ["mount", *words],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"},
    )
    if done.returncode and any(each in done.stderr.lower() for each in _REFUSALS):
        pytest.skip(f"NOT TESTED: this process may not mount: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr

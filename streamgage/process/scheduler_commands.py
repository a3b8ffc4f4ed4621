"""Runs Slurm's scontrol, which changes the state of nodes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.plain_text import one_line

_PATIENCE = 60.0
"""The most seconds that one change may take."""


def require_scontrol() -> None:
    """Raise ``UsageError`` if scontrol is not installed."""
    if shutil.which("scontrol") is None:
        raise UsageError(
            "--drain needs Slurm's scontrol, which is not installed here: run it on a machine"
            " with Slurm, or print the commands with --print-drain."
        )


def run_all(commands: Sequence[Sequence[str]]) -> None:
    """Run each command in turn. Raises ``StreamgageError``, which says how many were run before."""
    for done, words in enumerate(commands):
        try:
            ended = subprocess.run(
                words, capture_output=True, stdin=subprocess.DEVNULL, timeout=_PATIENCE, check=False
            )
            message = one_line((ended.stderr or ended.stdout).decode("utf-8", "replace"))
            why = f"status {ended.returncode}: {message}" if ended.returncode else ""
        except (OSError, subprocess.SubprocessError) as error:
            why = str(error)
        if why:
            raise StreamgageError(
                f"{' '.join(words[:3])} failed ({why}); {done} of {len(commands)} nodes were"
                " drained before: fix the cause, and repeat the command."
            )

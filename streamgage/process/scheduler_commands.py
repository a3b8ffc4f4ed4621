"""Runs the commands of a scheduler that change the state of nodes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.plain_text import one_line

_PATIENCE = 60.0
"""The most seconds that one change may take."""


def require_program(name: str) -> None:
    """Raise ``UsageError`` if the program of the scheduler is not installed."""
    if shutil.which(name) is None:
        raise UsageError(
            f"--drain needs {name}, which is not installed here: run it on a machine that has it,"
            " or print the commands with --print-drain."
        )


def run_all(commands: Sequence[Sequence[str]]) -> None:
    """Run each command in turn.

    Raises ``StreamgageError`` at the first that fails, with the number of those that were run.
    """
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
                f"{' '.join(words[:3])} failed ({why}); {done} of {len(commands)} commands were"
                " run before: fix the cause, and repeat it."
            )

"""Errors that reach the user: each is one sentence that says what is wrong and what to do."""

from __future__ import annotations

FAILED = 1
"""Exit status of a measurement that failed or is invalid."""
USAGE = 2
"""Exit status of a request that cannot be met."""
INTERRUPTED = 130
"""Exit status after SIGINT (128 + 2)."""
TERMINATED = 143
"""Exit status after SIGTERM (128 + 15)."""


class StreamgageError(Exception):
    """A failure; ``str(error)`` is the sentence, ``exit_status`` what the program ends with."""

    exit_status = FAILED


class UsageError(StreamgageError):
    """A request that cannot be met as it stands."""

    exit_status = USAGE

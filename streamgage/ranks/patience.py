"""How long the front waits for a sign of the ranks.

The engine gives up first, and says who is missing, wherever it can: these limits are for ranks
that never start, and for a lost host of rank 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from streamgage.records import AnyRecord, Machine, MemoryRecord

_MORE_TO_START = 15.0
_MORE_TO_ANSWER = 30.0
_LEAST_TOUCH_BYTES_PER_SECOND = 1e8
"""Slower than any memory fills, page faults included; the engine counts with the same."""


class Patience:
    """Takes note of every record; ``ended`` tells when none has come for too long."""

    def __init__(self, timeout: float, clock: Callable[[], float] = time.monotonic) -> None:
        """``timeout``: how long the engine waits for a rank, in seconds."""
        self._timeout = timeout
        self._clock = clock
        self._last = clock()
        self._touch: float | None = None
        self.started = False

    def note(self, record: AnyRecord) -> None:
        """A record has come."""
        self.started = True
        self._last = self._clock()
        if isinstance(record, Machine):
            self._touch = record.memory_bytes / _LEAST_TOUCH_BYTES_PER_SECOND
        elif isinstance(record, MemoryRecord):
            self._touch = 10 * record.touch_seconds

    @property
    def seconds(self) -> float:
        """How long the next record may take."""
        if not self.started:
            return self._timeout + _MORE_TO_START
        return self._timeout + _MORE_TO_ANSWER + (self._touch or 0.0)

    @property
    def ended(self) -> bool:
        """Whether nothing has come for longer than that."""
        return self._clock() - self._last > self.seconds

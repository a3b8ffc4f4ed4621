"""How long Python waits for a sign of the ranks.

The engine gives up first, and says who is missing, wherever it can: these limits are for ranks
that never start, and for a lost host of rank 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from streamgage.records import AnyRecord, Machine, MemoryRecord, PlanRecord
from streamgage.records.setting import OVER_CACHES

_MORE_TO_START = 15.0
_MORE_TO_ANSWER = 30.0
_LEAST_TOUCH_BYTES_PER_SECOND = 1e8
"""Slower than any memory fills, page faults included; the engine counts with the same."""
_MOST_ARRAYS = 4
_LEAST_ARRAY_BYTES = 8e6


class Patience:
    """Takes note of every record; ``ended`` is true when none has come for too long."""

    def __init__(
        self, timeout: float, ranks: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``timeout``: how long the engine waits for each of the ``ranks``, in seconds."""
        self._timeout = timeout
        self._ranks = ranks
        self._clock = clock
        self._last = clock()
        self._touch = 0.0
        self._caches = 0
        self._signs = 0
        self.started = False

    def note(self, record: AnyRecord) -> None:
        """A record has come."""
        self.started = True
        self._last = self._clock()
        if isinstance(record, Machine):
            self._caches = record.last_caches_before_memory()
        elif isinstance(record, PlanRecord):
            self._touch = _MOST_ARRAYS * self._part_of(record) / _LEAST_TOUCH_BYTES_PER_SECOND
        elif isinstance(record, MemoryRecord):
            self._touch = 10 * record.touch_seconds

    def note_signs(self, number: int) -> None:
        """Note how many signs of life have come by now from ranks that wait for their turn."""
        if number != self._signs:
            self._signs = number
            self._last = self._clock()

    def _part_of(self, plan: PlanRecord) -> float:
        """Bytes that a rank may have of an array; hosts are taken to be equal."""
        if plan.array_bytes is not None:
            return plan.array_bytes / self._ranks
        return max(OVER_CACHES * self._caches, _LEAST_ARRAY_BYTES)

    @property
    def seconds(self) -> float:
        """How long the next record may take."""
        if not self.started:
            return self._timeout + _MORE_TO_START
        return self._timeout + _MORE_TO_ANSWER + self._touch

    @property
    def ended(self) -> bool:
        """``True`` if nothing has come for longer than that."""
        return self._clock() - self._last > self.seconds

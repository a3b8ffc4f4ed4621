"""Decides how long Python waits for records of the ranks.

If it can, the engine gives up first, and names the missing rank. These limits are for ranks that
never start, and for a lost host of rank 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from streamgage.records import AnyRecord, Machine, MemoryRecord, PlanRecord
from streamgage.records.setting import OVER_CACHES

_MORE_TO_START = 15.0
_MORE_TO_ANSWER = 30.0
_LEAST_TOUCH_BYTES_PER_SECOND = 1e8
"""A rate at which any memory can be filled, page faults included; the engine assumes the same."""
_MOST_ARRAYS = 4
_LEAST_ARRAY_BYTES = 8e6


class Patience:
    """Watches the arrival of records; ``ended`` is true if none has come for too long."""

    def __init__(
        self, timeout: float, ranks: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``timeout`` is the time in seconds that the engine waits for each of ``ranks``."""
        self._timeout = timeout
        self._ranks = ranks
        self._clock = clock
        self._last = clock()
        self._touch = 0.0
        self._caches = 0
        self._signs = 0
        self.started = False

    def note(self, record: AnyRecord) -> None:
        """Note that a record has come."""
        self.started = True
        self._last = self._clock()
        if isinstance(record, Machine):
            self._caches = record.last_caches_before_memory()
        elif isinstance(record, PlanRecord):
            self._touch = _MOST_ARRAYS * self._part_of(record) / _LEAST_TOUCH_BYTES_PER_SECOND
        elif isinstance(record, MemoryRecord):
            self._touch = 10 * record.touch_seconds

    def note_signs(self, number: int) -> None:
        """Note the number of signs of life so far from ranks that wait for another measurement."""
        if number != self._signs:
            self._signs = number
            self._last = self._clock()

    def _part_of(self, plan: PlanRecord) -> float:
        """The most bytes of an array that a rank may have, if all hosts are equal."""
        if plan.array_bytes is not None:
            return plan.array_bytes / self._ranks
        return max(OVER_CACHES * self._caches, _LEAST_ARRAY_BYTES)

    @property
    def seconds(self) -> float:
        """The seconds that the next record may take."""
        if not self.started:
            return self._timeout + _MORE_TO_START
        return self._timeout + _MORE_TO_ANSWER + self._touch

    @property
    def ended(self) -> bool:
        """``True`` if nothing has come for longer than ``seconds``."""
        return self._clock() - self._last > self.seconds

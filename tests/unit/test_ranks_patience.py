"""How long the front waits for ranks."""

from __future__ import annotations

import msgspec
from example_records import MACHINE, PLAN

from streamgage.process.ranks.patience import Patience

TIB = 1 << 40
LARGE = msgspec.structs.replace(MACHINE, memory_bytes=TIB)


def patience(ranks: int = 4) -> Patience:
    return Patience(60.0, ranks, lambda: 0.0)


def test_a_machine_with_much_memory_is_not_waited_for_longer() -> None:
    waiting = patience()
    waiting.note(LARGE)
    waiting.note(msgspec.structs.replace(PLAN, array_bytes=None))
    small = patience()
    small.note(MACHINE)
    small.note(msgspec.structs.replace(PLAN, array_bytes=None))
    assert waiting.seconds == small.seconds < 300


def test_large_arrays_have_the_time_that_a_rank_may_need_to_fill_its_part() -> None:
    waiting = patience(ranks=8)
    waiting.note(MACHINE)
    before = waiting.seconds
    waiting.note(msgspec.structs.replace(PLAN, array_bytes=8 * 10**9))
    assert waiting.seconds == before + 40


def test_ranks_that_wait_for_another_measurement_are_waited_for() -> None:
    now = 0.0
    waiting = Patience(60.0, 2, lambda: now)
    now = 74.0
    assert not waiting.ended
    waiting.note_signs(1)
    now = 140.0
    assert not waiting.ended
    waiting.note_signs(1)  # none has come since
    now = 150.0
    assert waiting.ended

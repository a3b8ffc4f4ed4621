"""Makes runs of a machine whose own speed changes, with known truth."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import msgspec
from example_records import (
    CLOCK,
    DISTURBANCE,
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    PLAN,
    VARIANTS,
    place,
    placement,
    samples_of,
    validation,
)

from streamgage.analysis.statistics.states import TimedSample
from streamgage.records import AnyRecord, Machine, Sample

Speed = Callable[[float], float]
"""The speed of the machine by the share of the run that has passed."""


def steady(_: float) -> float:
    """A machine of one speed."""
    return 1.0


def one_step(passed: float) -> float:
    """A machine that is half as fast again for 31 % of its blocks."""
    return 1.5 if passed < 0.31 else 1.0


def back_and_forth(passed: float) -> float:
    """A machine that is faster twice."""
    return 1.4 if 0.21 < passed < 0.36 or 0.61 < passed < 0.775 else 1.0


def series(
    seed: int,
    *,
    speed: Speed = steady,
    own: Callable[[int, float], float] = lambda _variant, _passed: 1.0,
    noise: float = 0.01,
    blocks: int = 60,
    variants: int = 8,
    disturbed: float = 0.0,
    allocations: float = 0.0,
    later: bool = False,
) -> list[TimedSample]:
    """Samples in the order measured, each block's in random order.

    ``own``: how much longer a variant takes. ``disturbed``: the share of samples that take up to
    four times as long. ``allocations``: how much the speed of allocations differs; there is one
    every third block. ``later``: half of the variants begin after 40 % of the run.
    """
    source = random.Random(seed)
    samples: list[TimedSample] = []
    of_pages: dict[int, float] = {}
    for block in range(blocks):
        order = list(range(variants))
        source.shuffle(order)
        pages = of_pages.setdefault(block // 3, math.exp(source.gauss(0, allocations)))
        for place_in_block, variant in enumerate(order):
            passed = (block + place_in_block / variants) / blocks
            first_tier = variant < variants // 2
            if later and (
                (passed < 0.4) > first_tier or (passed >= 0.4 and first_tier and block % 2)
            ):
                continue
            seconds = 0.005 * (1 + 0.37 * variant) / speed(passed) * own(variant, passed) * pages
            seconds *= math.exp(source.gauss(0, noise))
            if source.random() < disturbed:
                seconds *= source.uniform(1.2, 4)
            samples.append(TimedSample(variant, block, block // 3, seconds, seconds))
    return samples


def states_records(
    speed: Speed = one_step,
    machine: Machine = MACHINE,
    own: Callable[[int, float], float] = lambda _variant, _passed: 1.0,
    seed: int = 7,
) -> list[AnyRecord]:
    """A run of 16 s of the example's four variants on such a machine; 0 is the read-only one."""
    found = series(seed, speed=speed, own=own, variants=len(VARIANTS), noise=0.004)
    total = sum(each.seconds for each in found)
    passed, samples = 0.0, []
    for each in found:
        (record,) = samples_of(each.variant, [each.seconds])
        assert isinstance(record, Sample)
        at = 16 * passed / total
        passed += each.seconds
        samples.append(
            msgspec.structs.replace(record, block=each.block, epoch=each.epoch, at_seconds=at)
        )
    plan: list[AnyRecord] = [machine, PLAN, placement(place(0), place(1)), MEMORY, CLOCK]
    checked = [validation(each.id) for each in VARIANTS]
    return [*plan, *KERNELS, *VARIANTS, *samples, *checked, DISTURBANCE, END]

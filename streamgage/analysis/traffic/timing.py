"""The seconds per element of each variant by block, and the fastest variant of a kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property

from streamgage.analysis.statistics.intervals import Summary, summarise
from streamgage.records import Kernel, Variant
from streamgage.records.run import Run

AVOIDING_STORES = ("streaming", "claim")
"""Kinds of store that should not read the line that they overwrite."""
Times = Mapping[int, float]
"""Seconds per element by block, or by table for another benchmark's output."""


def forces_read(variant: Variant) -> bool:
    """Return whether each line is prefetched for writing, so that stores certainly read it."""
    shape = variant.shape
    prefetched = shape is not None and shape.write_prefetch_bytes is not None
    return variant.store == "regular" and prefetched


def avoids_read(variant: Variant) -> bool:
    """Return whether the store should not read the line: it is non-temporal, or claims the line."""
    return variant.store in AVOIDING_STORES


class Timing:
    """The times of a run, cached. Variants that only some threads ran are left out."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._times: dict[int, Times] = {}
        self._summaries: dict[int, Summary | None] = {}

    @cached_property
    def foreign(self) -> bool:
        """``True`` if another benchmark printed the rates."""
        return self.run.reported is not None

    def of(self, variant: Variant) -> Times:
        """The seconds per element in each block; empty if there are none."""
        if variant.id not in self._times:
            found = self.run.element_times_of_blocks(variant.id)
            self._times[variant.id] = {
                block: time for block, time in found.items() if time > 0 and math.isfinite(time)
            }
        return self._times[variant.id]

    def summary(self, variant: Variant) -> Summary | None:
        """The summary of these times; ``None`` if there are none."""
        if variant.id not in self._summaries:
            self._summaries[variant.id] = summarise(list(self.of(variant).values()))
        return self._summaries[variant.id]

    def kernel(self, variant: Variant) -> Kernel | None:
        """The facts of the variant's kernel; ``None`` if they are unknown."""
        return self.run.kernels.get(variant.kernel)

    def fastest(self, kernel: str, accept: Callable[[Variant], bool]) -> Variant | None:
        """The accepted variant of ``kernel`` with the least median time, run by all threads."""
        best, least = None, math.inf
        for variant in self.run.variants.values():
            if variant.kernel != kernel or variant.purpose == "series" or not accept(variant):
                continue
            summary = self.summary(variant)
            if summary is not None and summary.median < least:
                best, least = variant, summary.median
        return best

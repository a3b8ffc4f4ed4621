"""The timed samples of each variant as rates, in the order measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.intervals import median
from streamgage.records import Variant
from streamgage.records.run import Run


@dataclass(frozen=True)
class Sampled:
    """The samples of one variant: GB/s of nominal bytes, each next to its block."""

    variant: Variant
    name: str
    blocks: Sequence[int]
    """Block of each sample; for another benchmark's output, the number of the table."""
    gbps: Sequence[float]
    allocations: Sequence[int]
    """Positions among the samples at which the arrays had been allocated afresh."""


@dataclass(frozen=True)
class FiveNumbers:
    """Extremes, quartiles and median (Tukey, Exploratory Data Analysis, 1977)."""

    n: int
    minimum: float
    lower: float
    median: float
    upper: float
    maximum: float


def sampled(run: Run) -> list[Sampled]:
    """Every variant that has samples, in the engine's order, except those measured as evidence."""
    measured = [each for each in run.variants.values() if each.purpose != "evidence"]
    return [found for each in measured if (found := _sampled(run, each)).gbps]


def _sampled(run: Run, variant: Variant) -> Sampled:
    moved = run.iteration_bytes(variant) or 0
    rates = {
        block: moved / seconds / 1e9
        for block, seconds in run.element_times_of_blocks(variant.id).items()
        if seconds > 0
    }
    epochs = {sample.block: sample.epoch for sample in run.samples.get(variant.id, ())}
    of_rates = [epochs.get(block, 0) for block in rates]
    return Sampled(
        variant,
        run.name(variant),
        list(rates),
        list(rates.values()),
        [place for place in range(1, len(of_rates)) if of_rates[place] != of_rates[place - 1]],
    )


def five_numbers(values: Sequence[float]) -> FiveNumbers:
    """The five numbers of a sample; a quartile is the median of its half, middle included."""
    ordered = sorted(values)
    half = (len(ordered) + 1) // 2
    return FiveNumbers(
        n=len(ordered),
        minimum=ordered[0],
        lower=median(ordered[:half]),
        median=median(ordered),
        upper=median(ordered[-half:]),
        maximum=ordered[-1],
    )

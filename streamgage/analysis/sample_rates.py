"""The rates of each variant's timed samples, in the order measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.intervals import median
from streamgage.records import Variant
from streamgage.records.run import Run


@dataclass(frozen=True)
class VariantSamples:
    """The samples of one variant as nominal rates in GB/s, with the block of each sample."""

    variant: Variant
    name: str
    blocks: Sequence[int]
    """The block of each sample; for another benchmark's output, the number of its table."""
    gbps: Sequence[float]
    allocations: Sequence[int]
    """The positions among the samples at which the arrays had just been allocated again."""


@dataclass(frozen=True)
class FiveNumbers:
    """The extremes, the quartiles and the median (Tukey, Exploratory Data Analysis, 1977)."""

    n: int
    minimum: float
    lower: float
    median: float
    upper: float
    maximum: float


def samples_of_variants(run: Run) -> list[VariantSamples]:
    """The samples of each variant that has any, in the engine's order, without evidence."""
    measured = [each for each in run.variants.values() if each.purpose != "evidence"]
    return [found for each in measured if (found := _samples_of(run, each)).gbps]


def _samples_of(run: Run, variant: Variant) -> VariantSamples:
    moved = run.iteration_bytes(variant) or 0
    samples = run.samples.get(variant.id, ())
    times = run.element_times_of_blocks(variant.id)
    if not samples and (elements := run.iterations(variant)):  # each was disturbed
        samples = run.disturbed.get(variant.id, ())
        times |= {each.block: each.seconds / (each.passes * elements) for each in samples}
    rates = {block: moved / seconds / 1e9 for block, seconds in times.items() if seconds > 0}
    epochs = {sample.block: sample.epoch for sample in samples}
    of_rates = [epochs.get(block, 0) for block in rates]
    return VariantSamples(
        variant,
        run.name(variant),
        list(rates),
        list(rates.values()),
        [place for place in range(1, len(of_rates)) if of_rates[place] != of_rates[place - 1]],
    )


def five_numbers(values: Sequence[float]) -> FiveNumbers:
    """The five numbers of a sample.

    A quartile is the median of its half, which includes the middle.
    """
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

"""The variants of a run with their rates."""

from __future__ import annotations

from dataclasses import replace

from streamgage.analysis.machine_states import MachineStates
from streamgage.analysis.statistics.epochs import interval_over_epochs
from streamgage.analysis.statistics.intervals import summarise
from streamgage.analysis.statistics.spread import Spread
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.records import BenchmarkOutput, Variant
from streamgage.records.run import Run
from streamgage.results.measure.document import KernelResult, Measure, StateRate
from streamgage.results.result import Result


def shown_variants(run: Run) -> list[Variant]:
    """The variants that are shown: no forced reads, series of threads or evidence.

    A tuned variant that was found late stands behind its standard one.
    """
    return sorted(run.shown(), key=lambda each: place_of(run, each))


def place_of(run: Run, variant: Variant) -> tuple[int, int]:
    """The sort key of a variant."""
    standard = run.standard_of(variant) if variant.tuned else None
    return (variant.id if standard is None else standard.id, variant.id)


def _reported_valid(reported: BenchmarkOutput, kernel: str) -> bool | None:
    """Return whether another benchmark's check of a kernel passed; ``None`` if it is not known."""
    if not reported.failures:
        return reported.validated
    failed = [each for each in reported.failures if kernel in each.kernels]
    if not failed:
        return True
    return None if all(each.is_rounding for each in failed) else False


def by_variant(measured: Result[Measure]) -> list[tuple[Variant, KernelResult]]:
    """The figures with their variants; none without records."""
    variants = shown_variants(measured.run)
    return list(zip(variants, measured.document.kernels, strict=True)) if variants else []


def rates_of(run: Run, variant: Variant) -> KernelResult:
    """The rates of a variant; what crossed the bus is judged later."""
    disturbed = not run.samples.get(variant.id) and variant.id in run.disturbed
    times = summarise(run.disturbed_times(variant.id) if disturbed else run.times(variant.id))
    moved = run.iteration_bytes(variant)

    def rate(seconds: float | None) -> float | None:
        """GB/s where an element takes ``seconds``."""
        return moved / seconds / 1e9 if moved and seconds else None

    epochs = run.epochs_of(variant.id)
    each = summarise([seconds for epoch in epochs for seconds in epoch])
    interval = interval_over_epochs(epochs)
    if disturbed and (elements := run.iterations(variant)):
        each = summarise([time / elements for time in run.disturbed_times(variant.id)])
    return KernelResult(
        kernel=variant.kernel,
        store=variant.store,
        isa=variant.isa,
        tuned=variant.tuned,
        shape=variant.shape,
        threads=variant.threads or run.threads() or 0,
        type=variant.type,
        n=each.n if each else 0,
        epochs=max(len(epochs), 1),
        best_gbps=rate(each.minimum if each else None),
        median_gbps=rate(each.median if each else None),
        low_gbps=rate(interval.high if interval else None),
        high_gbps=rate(interval.low if interval else None),
        bounded_by=interval.bounded_by if interval else "interval",
        best_seconds=times.minimum if times else None,
        mean_seconds=times.mean if times else None,
        worst_seconds=times.maximum if times else None,
        deviation_seconds=times.deviation if times else None,
        gflops=_gflops(run, variant, each.median if each else None),
        hardware_gbps=None,
        alpha=Alpha(),
        purpose=variant.purpose,
        valid=_valid(run, variant),
        disturbed=disturbed,
        spread=_spread(run, variant) if run.reported is not None else None,
    )


def rates_in_states(run: Run, variant: Variant, found: MachineStates) -> list[StateRate]:
    """The rates of a variant in each state of the machine; empty if it had one speed."""
    rates = []
    for number in range(len(found.states)):
        own = [e for e in run.samples.get(variant.id, ()) if found.of(e) == number]
        result = rates_of(replace(run, samples={variant.id: own}), variant)
        rates.append(
            StateRate(
                n=result.n,
                gbps=result.median_gbps,
                low_gbps=result.low_gbps,
                high_gbps=result.high_gbps,
                bounded_by=result.bounded_by,
            )
        )
    return rates


def _gflops(run: Run, variant: Variant, seconds: float | None) -> float | None:
    """10^9 operations a second where an element takes ``seconds``; ``None`` without any."""
    kernel = run.kernels.get(variant.kernel)
    if kernel is None or not kernel.flops or not seconds or run.failure_of(variant) is not None:
        return None
    return kernel.flops / seconds / 1e9


def _spread(run: Run, variant: Variant) -> Spread | None:
    from streamgage.analysis.statistics.spread import spread_of  # with what finds groups of runs

    return spread_of(run, variant)


def _valid(run: Run, variant: Variant) -> bool | None:
    """Return whether the results were right; ``None`` if that was not checked.

    A kernel that failed while it was measured has none that are.
    """
    if run.failure_of(variant) is not None:
        return False
    if run.reported is not None:
        return _reported_valid(run.reported, variant.kernel)
    validation = run.validations.get(variant.id)
    return validation.valid if validation else None

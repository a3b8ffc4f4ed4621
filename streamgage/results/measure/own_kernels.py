"""What a user's own kernels declared, and how they compare with built-in ones."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.records import Kernel, KernelCheck, OwnFacts
from streamgage.records.run import ELEMENT_BYTES, Run
from streamgage.results.measure.document import KernelResult, OwnKernelResult

_REFERENCES = ("triad", "copy", "sum")
_ORDINARY = "plain"


def own_kernels(run: Run, results: Sequence[KernelResult]) -> list[OwnKernelResult]:
    """A result for each measured kernel, in the order of the plan."""
    return [
        _own(run, kernel, kernel.own, results)
        for kernel in run.kernels.values()
        if kernel.own is not None
    ]


def reference_of(run: Run, results: Sequence[KernelResult]) -> KernelResult | None:
    """Triad with plain stores, as an own kernel has them, else its quickest way; else copy, sum."""
    for name in _REFERENCES:
        kernel = run.kernels.get(name)
        if kernel is None or kernel.own is not None:
            continue
        known = [each for each in results if each.kernel == name and each.median_gbps]
        if known:
            standard = [each for each in known if each.store == _ORDINARY and not each.tuned]
            return max(standard or known, key=lambda each: _moved(each) or 0.0)
    return None


def _moved(result: KernelResult) -> float | None:
    """GB/s across the bus if known, else nominal."""
    return result.hardware_gbps or result.median_gbps


def _own(
    run: Run, kernel: Kernel, own: OwnFacts, results: Sequence[KernelResult]
) -> OwnKernelResult:
    variant = next((each for each in run.variants.values() if each.kernel == kernel.name), None)
    result = next((each for each in results if each.kernel == kernel.name), None)
    reference = reference_of(run, results)
    failed = variant is not None and run.failure_of(variant) is not None
    share, nominal = _share(None if failed else result, reference)
    check = next((each for each in run.kernel_checks if each.kernel == kernel.name), None)
    return OwnKernelResult(
        kernel=kernel.name,
        formula=kernel.formula,
        source=own.source,
        code=variant.code if variant is not None else None,
        iterations=own.iterations,
        read_bytes=own.read_bytes,
        written_bytes=own.written_bytes,
        allocated_bytes=own.allocated_bytes,
        flops=float(kernel.flops),
        gflops=None if result is None else result.gflops,
        reference=None if reference is None else f"{reference.kernel} {reference.store}",
        reference_share=share,
        reference_nominal=nominal,
        array_bytes=[each.elements * ELEMENT_BYTES[each.type] for each in own.arrays],
        checked=_checked(check),
        has_check=own.has_check,
    )


def _share(
    result: KernelResult | None, reference: KernelResult | None
) -> tuple[float | None, bool]:
    """The share of the reference's traffic; by nominal bytes unless both real rates are known."""
    if result is None or reference is None:
        return None, True
    if result.hardware_gbps is not None and reference.hardware_gbps:
        return result.hardware_gbps / reference.hardware_gbps, False
    if result.median_gbps is None or not reference.median_gbps:
        return None, True
    return result.median_gbps / reference.median_gbps, True


def _checked(check: KernelCheck | None) -> list[str]:
    return [] if check is None else list(check.checked)

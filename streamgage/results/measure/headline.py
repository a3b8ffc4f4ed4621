"""The main figure of a result: triad with the stores of an ordinary STREAM."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from streamgage.records import Variant
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.units import format_share

KERNELS = ("triad", "copy")
"""Built-in kernels, in the order in which they become the headline."""
STORES = ("plain", "regular")
"""The ordinary ones, in the order in which they stand for a kernel."""
_CLOSELY = 0.001


def headline_kernel(kernels: Sequence[KernelResult], own: Collection[str] = ()) -> str | None:
    """The kernel that stands for the run: one of the user's own, then triad, then copy.

    ``None`` if nothing valid was measured. ``own``: the names of the user's own kernels.
    """
    names = [each.kernel for each in kernels if _counts(each)]
    mine = [name for name in names if name in own]
    return next((each for each in (*mine, *KERNELS) if each in names), names[0] if names else None)


def headline_of(kernels: Sequence[KernelResult], own: Collection[str] = ()) -> KernelResult | None:
    """The standard figure of the headline's kernel, with ordinary stores if there is one.

    ``None`` if there is none.

    The first named of several instruction sets counts.
    """
    name = headline_kernel(kernels, own)
    return standard(kernels, name) if name is not None else None


def main_figure(measure: Measure) -> KernelResult | None:
    """The figure that stands for a run, in the state with the largest share of its time.

    Headline, quote, report and lists take it from here. ``None`` if nothing that counts was
    measured.
    """
    best = headline_of(measure.kernels, {each.kernel for each in measure.own_kernels})
    return None if best is None else best.in_main_state


def least_moved(measure: Measure) -> float | None:
    """The GB/s that the memory surely moved at least, by the kernel that shows the most.

    It is the lower bound of what crossed the bus, or else of the nominal rate, as no fewer bytes
    cross. ``None`` if nothing that counts was measured.
    """
    return max(
        (
            moved
            for each in measure.kernels
            if _counts(each) and each.purpose == "rate"
            for moved in (_least_moved(each.in_main_state),)
            if moved is not None
        ),
        default=None,
    )


def _least_moved(result: KernelResult) -> float | None:
    nominal = result.median_gbps if result.low_gbps is None else result.low_gbps
    crossed = None if result.alpha.evidence == "replayed" else result.hardware_low_gbps
    return max((each for each in (nominal, crossed) if each is not None), default=None)


def standard(
    kernels: Sequence[KernelResult], kernel: str, stores: Sequence[str] = STORES
) -> KernelResult | None:
    """The figure of that kernel with ordinary stores in the default shape, else the first one.

    ``stores``: the ordinary ones, in the order in which they stand for the kernel.
    """
    known = [each for each in kernels if each.kernel == kernel and _counts(each)]
    these = [each for each in known if not each.tuned] or known
    ordinary = [each for store in stores for each in these if each.store == store]
    return next(iter(ordinary or these), None)


def is_of(variant: Variant, result: KernelResult) -> bool:
    """Return whether the result is that of the variant."""
    return (variant.kernel, variant.store, variant.isa, variant.tuned) == (
        *(result.kernel, result.store, result.isa, result.tuned),
    )


def _counts(result: KernelResult) -> bool:
    return result.median_gbps is not None and result.valid is not False


def known_to(result: KernelResult) -> str | None:
    """``known to 1.5 %``; ``None`` if there is no interval."""
    width = half_width(result)
    if width is None:
        return None
    return (
        f"known to {'better than ' if width < _CLOSELY else ''}{format_share(max(width, _CLOSELY))}"
    )


def half_width(result: KernelResult) -> float | None:
    """The wider half of the interval over the median; ``None`` if there is no interval."""
    median, low, high = result.median_gbps, result.low_gbps, result.high_gbps
    if not median or low is None or high is None:
        return None
    return max(high - median, median - low) / median

"""Infers the verdict from times, or the reason why they allow none."""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.bootstrap import BlockMedian, paired_ratio
from streamgage.analysis.traffic.agreement import banded, compared_alpha, inferred_alpha
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.bands import FULL, settled
from streamgage.analysis.traffic.bracket import SYSTEMATIC, AlphaEstimate, missing_brackets
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.refusals import bimodal, device_not_memory_bound
from streamgage.analysis.traffic.scene import Scene
from streamgage.analysis.traffic.timing import Times, avoids_read, forces_read
from streamgage.analysis.traffic.twins import avoiding_twin, forced_twin, twin_width, twins_decide
from streamgage.records import Variant

NO_FASTER = 0.02
"""Differences of speed between shapes below this share mean nothing."""
FEWEST_BLOCKS = 6
"""With fewer blocks than this, the medians of a run have no interval."""


def infer(scene: Scene, variant: Variant) -> Alpha:
    """Infer from times what the stores of ``variant``, a write-allocating kernel, read."""
    if scene.run.device is not None:
        return _on_device(scene, variant)
    unfit = _unfit(scene, variant)
    if unfit is not None:
        return refuse(unfit)
    if forces_read(variant):
        return _forced(scene, variant)
    return _avoiding(scene, variant) if avoids_read(variant) else _ordinary(scene, variant)


def _on_device(scene: Scene, variant: Variant) -> Alpha:
    """Infer what the stores of ``variant`` read on a device, from its fastest shape.

    Caches do with a store the same in every shape, and the brackets are those of fastest shapes.
    """
    fastest = scene.timing.fastest(variant.kernel, lambda _: True) or variant
    unfit = _unfit(scene, fastest) or device_not_memory_bound(scene.timing)
    if unfit is not None:
        return refuse(Reason(why=ReasonCode.DEVICE), unfit)
    found = _by_bracket(scene, fastest)
    if found.verdict == "cannot-tell":
        return refuse(Reason(why=ReasonCode.DEVICE), *found.reasons)
    return found


def _unfit(scene: Scene, variant: Variant) -> Reason | None:
    """Why the times of ``variant`` allow no verdict; ``None`` if they may."""
    times = scene.timing.of(variant)
    why = None
    if not times:
        why = Reason(why=ReasonCode.NO_SAMPLE)
    elif variant.purpose == "series":
        why = Reason(why=ReasonCode.PART_OF_THREADS)
    elif scene.refusal is not None:
        why = scene.refusal
    elif not scene.timing.foreign and len(times) < FEWEST_BLOCKS:
        why = Reason(why=ReasonCode.FEW_BLOCKS, number=len(times), needed=FEWEST_BLOCKS)
    return why or bimodal(times, _references(scene, variant))


def late_read(scene: Scene, variant: Variant) -> BlockMedian | None:
    """The seconds of an ordinary variant divided by those of its forced-read twin, minus 1."""
    twin = forced_twin(scene.timing, variant.kernel)
    if twin is None or avoids_read(variant) or forces_read(variant):
        return None
    ratio = paired_ratio(scene.timing.of(variant), scene.timing.of(twin))
    if ratio is None:
        return None
    return BlockMedian(ratio.value - 1, ratio.low - 1, ratio.high - 1, ratio.n)


def _references(scene: Scene, variant: Variant) -> list[Times]:
    """The times that ``variant`` is compared with."""
    bracket = scene.bracket(variant.kernel)
    twin = forced_twin(scene.timing, variant.kernel)
    found = [scene.timing.of(twin)] if twin is not None and twin.id != variant.id else []
    return [*found, bracket.high] if bracket is not None else found


def _forced(scene: Scene, variant: Variant) -> Alpha:
    """The verdict on a forced read.

    Alpha is 1 by construction; the check shows whether the construction works here.
    """
    if not scene.checked:
        missing = missing_brackets(scene.timing, variant.kernel)
        return refuse(Reason(why=ReasonCode.PREFETCHED_UNCHECKED), missing)
    check = scene.checks.get(variant.kernel)
    if check is None or check.alpha is None:
        return _full(Reason(why=ReasonCode.PREFETCHED))
    return _full(Reason(why=ReasonCode.PREFETCHED_SEEN, alpha=check.alpha.value))


def _avoiding(scene: Scene, variant: Variant) -> Alpha:
    """The verdict on streaming and claiming stores.

    Their own cost only adds time, so alpha is at most what it seems. If the cores are the limit,
    that is all. If memory is, the bands apply; but a partial alpha stays an upper bound even then,
    because a store may be slow without reading.
    """
    found = scene.alpha(variant)
    if found is None:
        return refuse(missing_brackets(scene.timing, variant.kernel))
    if (narrow := _narrow(scene, variant)) is not None:
        return refuse(narrow)
    if scene.series_saturated is True or (scene.timing.foreign and scene.unsaturated is None):
        placed = banded(scene, variant, found)
        if placed.verdict in ("full", "none") and variant.kernel != "init":
            # The figure includes whatever time the store itself costs, so 0 is never ruled out.
            low = placed.low if placed.verdict == "full" else min(0.0, placed.low or 0.0)
            return msgspec.structs.replace(placed, low=low)
    return _at_most(found, Reason(why=ReasonCode.OWN_COST))


def _ordinary(scene: Scene, variant: Variant) -> Alpha:
    """The verdict on ordinary stores (plain, regular and the C library's).

    It comes from the forced read, then from the bracket.
    """
    twin = forced_twin(scene.timing, variant.kernel)
    if twin is not None and scene.checked:
        decided = _against_twin(scene, variant, twin)
        if decided is not None:
            return decided
    elif twin is not None and scene.unsaturated is not None:
        missing = missing_brackets(scene.timing, variant.kernel)
        return refuse(Reason(why=ReasonCode.FORCED_UNCHECKED), missing)
    if scene.unsaturated is not None:
        return refuse(Reason(why=ReasonCode.NO_FORCED), scene.unsaturated)
    return _by_bracket(scene, variant)


def _by_bracket(scene: Scene, variant: Variant) -> Alpha:
    """The verdict on ordinary stores from the bracket, where memory is the limit."""
    found = scene.alpha(variant)
    if found is None:
        return refuse(missing_brackets(scene.timing, variant.kernel))
    if (narrow := _narrow(scene, variant)) is not None:
        return refuse(narrow)
    if variant.kernel == "init":
        return _like_the_others(scene, variant, found)
    return banded(scene, variant, found)


def _against_twin(scene: Scene, variant: Variant, twin: Variant) -> Alpha | None:
    """The verdict from the forced-read twin; ``None`` if it does not decide."""
    timing = scene.timing
    width = _width(scene, variant.kernel)
    ratio = paired_ratio(timing.of(variant), timing.of(twin))
    if width is None or ratio is None or not twins_decide(timing, variant.kernel, width):
        return None
    faster = 1 - ratio.value
    if ratio.high >= 1 - NO_FASTER:
        # alpha between the twins: (t - t_avoiding) / (t_forced - t_avoiding)
        least = 1 - (1 - ratio.low) * (1 + width.value) / width.value
        if least < FULL[0]:
            return refuse(
                Reason(
                    why=ReasonCode.FORCED_WIDE, low=ratio.low, high=ratio.high, share=width.value
                )
            )
        saved = width.value / (1 + width.value)
        return _full(Reason(why=ReasonCode.AS_FORCED, ratio=ratio.value, share=saved))
    if scene.unsaturated is None:
        return None
    found = scene.alpha(variant)
    if found is not None and found.high <= FULL[0] and _narrow(scene, variant) is None:
        return _at_most(found, Reason(why=ReasonCode.FASTER, share=faster))
    return refuse(Reason(why=ReasonCode.FASTER_UNKNOWN, share=faster), scene.unsaturated)


def _width(scene: Scene, kernel: str) -> BlockMedian | None:
    """The distance between the twins of ``kernel``.

    Without an avoiding twin it is the width of its bracket.
    """
    if avoiding_twin(scene.timing, kernel) is not None:
        return twin_width(scene.timing, kernel)
    bracket = scene.bracket(kernel)
    return bracket.width() if bracket is not None else None


def _like_the_others(scene: Scene, variant: Variant, estimate: AlphaEstimate) -> Alpha:
    """The verdict on init, which has no lower bracket.

    Copy and triad must show the same as its time. Its time alone is not enough. If writes have a
    link of their own, pure writes take as long as reads and writes together.
    """
    partners = scene.partners(variant)
    verdicts = {infer(scene, each).verdict for each in partners} if partners else set()
    verdict = settled(estimate.low, estimate.high)
    if verdict is not None and verdicts == {verdict}:
        return compared_alpha(verdict, estimate, variant.kernel)
    return refuse(Reason(why=ReasonCode.INIT_ALONE, ratio=(estimate.value + 1) / 2))


def _narrow(scene: Scene, variant: Variant) -> Reason | None:
    bracket = scene.bracket(variant.kernel)
    return bracket.narrow() if bracket is not None else None


def _full(why: Reason) -> Alpha:
    return inferred_alpha("full", 1.0, 1 - SYSTEMATIC, 1 + SYSTEMATIC, why)


def _at_most(estimate: AlphaEstimate, why: Reason) -> Alpha:
    if estimate.high >= 1:
        return refuse(Reason(why=ReasonCode.NO_BOUND, high=estimate.high), why)
    return inferred_alpha(
        "at-most", max(0.0, estimate.value), 0.0, max(SYSTEMATIC, estimate.high), why
    )

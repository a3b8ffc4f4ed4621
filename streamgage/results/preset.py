"""What each kind measures by default and for how long, and the plan that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from streamgage.analysis.traffic.bracket import evidence_for
from streamgage.errors import UsageError
from streamgage.plan import Placement, Plan, Tuning
from streamgage.records import AccessShape, ElementType, Sampling, Tier
from streamgage.results.array_setup import USUAL, ArraySetup, require_alignment

Search = Literal["once", "again", "never"]
"""When to search for access shapes: if none is known, in any case, or never."""


@dataclass(frozen=True)
class Preset:
    """The default kernels and times of a kind."""

    kernels: tuple[str, ...]
    sampling: Sampling
    tuning_seconds: float = 0
    """The longest time for the search of shapes on a new machine, in seconds."""
    tiers: Callable[[Sequence[str], Sequence[str] | None], list[Tier]] | None = None
    """Makes the tiers: kernels and stores to measure first, with a budget for the whole run.
    ``None`` if all are measured together."""


def make_plan(
    preset: Preset,
    *,
    kernels: Sequence[str] | None = None,
    own: Sequence[str] | None = None,
    stores: Sequence[str] | None = None,
    isas: Sequence[str] | None = None,
    shape: AccessShape | None = None,
    search: Search = "never",
    type: ElementType = "double",
    arrays: ArraySetup = USUAL,
    placement: Placement = Placement(),  # noqa: B008 - it cannot change
    array_bytes: int | None = None,
    last_level_cache_bytes: int | None = None,
    memory_nodes: Sequence[int] | None = None,
    seed: int | None = None,
    peak_gbps: float | None = None,
    checks: bool = False,
    stream_view: bool = False,
) -> Plan:
    """Make the plan from a preset and the user's choices, which are named like fields of ``Plan``.

    ``None`` is no choice. ``own``: built-in kernels to measure with the user's own if ``kernels``
    names none; ``None`` if there are no own kernels. ``checks``: whether to also measure what the
    interpretation needs: checks, kernels of known traffic, and memory counters.
    ``stream_view``: whether to also measure what STREAM itself would print. Raises ``UsageError``
    if two choices exclude each other.
    """
    usual = preset.kernels if own is None else own
    measured = list(usual if kernels is None else kernels)
    chosen = None if stores is None else list(stores)
    require_alignment(arrays, type)
    if own is not None and msgspec.structs.replace(arrays, pages=USUAL.pages) != USUAL:
        raise UsageError(
            "--align and --init are for the arrays of built-in kernels: leave them out with"
            " --kernel-file."
        )
    return Plan(
        kernels=measured,
        evidence=evidence_for(measured) if checks else [],
        stores=chosen,
        isas=None if isas is None else list(isas),
        shape=shape,
        tuning=_tuning(preset, shape, search),
        type=type,
        init=arrays.init,
        alignment_bytes=arrays.alignment_bytes,
        pages=arrays.pages,
        placement=placement,
        array_bytes=array_bytes,
        last_level_cache_bytes=last_level_cache_bytes,
        memory_nodes=None if memory_nodes is None else list(memory_nodes),
        seed=seed,
        sampling=preset.sampling,
        tiers=[] if preset.tiers is None else preset.tiers(measured, chosen),
        counters=checks,
        peak_bytes_per_second=None if peak_gbps is None else peak_gbps * 1e9,
        checks=checks,
        stream_view=stream_view,
    )


def _tuning(preset: Preset, shape: AccessShape | None, search: Search) -> Tuning | None:
    if shape is not None and search == "again":
        raise UsageError("--shape and --retune exclude each other: leave one of them out.")
    if shape is not None or search == "never":
        return None
    first = search == "again" or preset.tiers is None
    return Tuning(budget_seconds=preset.tuning_seconds, first=first)

"""The one sentence to quote a result by."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.ranks import describe_numbers
from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.trust import Trust
from streamgage.cpu_list import count_cpus, name_cpus, name_nodes
from streamgage.results.array_setup import words_of_setup
from streamgage.results.measure.document import KernelResult, Measure, OwnKernelResult, Setup
from streamgage.results.measure.headline import headline_kernel
from streamgage.show.page import rate_text
from streamgage.units import count, format_bytes, format_gbps, format_share

_STREAM = "based on a variant of the STREAM benchmark"
_STORES = {
    "plain": "plain",
    "regular": "with regular stores",
    "streaming": "with streaming stores",
    "claim": "with claimed lines",
    "libc": "by the C library",
}


def quote(measure: Measure, trust: Trust) -> str | None:
    """The sentence, about valid results only; ``None`` if there are none.

    It says how far the figures can be trusted.
    """
    valid = [each for each in measure.kernels if each.valid and each.median_gbps is not None]
    setup, machine, device = measure.setup, measure.machine, measure.device
    if not valid or setup is None:
        return None
    mine = {each.kernel: each for each in measure.own_kernels}
    name = headline_kernel(valid, mine) or valid[0].kernel
    own = mine.get(name)
    quoted = _quoted([each for each in valid if each.kernel == name and not each.tuned])
    rates = ", ".join(f"{_rate(measure, each)} {_stores(setup, each)}" for each in quoted)
    tuned = _quickest_tuned([each for each in valid if each.kernel == name], quoted)
    fewest = min(each.n for each in (*quoted, *([tuned] if tuned else [])))
    first = quoted[0] if quoted else valid[0]
    nodes = "" if setup.nodes is None else f" on {name_nodes(setup.nodes)}"
    chosen = [words_of_setup(measure.array_setup)] if measure.array_setup else []
    bounded = quoted[0].bounded_by if quoted and quoted[0].low_gbps is not None else None
    bounds = {"interval": ", interval of 95 %", "range": " with their range", None: ""}[bounded]
    details = [
        f"median of {fewest}{bounds}" if fewest > 1 else "one sample",
        "bytes as it declares" if own else "nominal counting",
        *([_threads(setup)] if device is None else []),
        ", ".join([f"{_arrays(setup, own)}{nodes}", first.type, *chosen]),
    ]
    if device is not None:
        details.append(f"{device.name} by {device.interface}")
    elif machine is not None and machine.processor:
        guest = f", {machine.hypervisor} guest" if machine.hypervisor else ""
        details.append(f"{machine.processor}{guest}")
    if machine is not None:
        details.append(f"streamgage {machine.engine} ({machine.compiler}), {machine.time[:10]}")
    basis = f"a kernel of your own, {own.formula}" if own else _STREAM
    lead = f"{name if own else name.capitalize()} {rates}"
    lead += _tuned(setup, tuned, standard=bool(quoted))
    return _with_trust(f"{lead} ({'; '.join(details)})", trust, basis)


def _rate(measure: Measure, result: KernelResult) -> str:
    """``47.9 GB/s``, or ``48.0 GB/s (31 % of the run) and 32.1 GB/s (69 %)``."""
    if not result.states:
        return _bounded(result)
    return " and ".join(
        f"{format_gbps(rate.gbps)} ({format_share(state.share)}{'' if number else ' of the run'})"
        for number, (state, rate) in enumerate(zip(measure.states, result.states, strict=True))
        if rate.gbps is not None
    )


def _bounded(result: KernelResult) -> str:
    """``47.9 ±0.7 GB/s``."""
    ranged = result.bounded_by == "range"
    return rate_text(_gbps(result), result.low_gbps, result.high_gbps, ranged=ranged)


def _with_trust(figures: str, trust: Trust, basis: str) -> str:
    """Add what disturbed the run: it belongs to the figures wherever they are quoted."""
    reasons = "; ".join(each.text for each in trust.reasons)
    if trust.verdict == "not-quotable":
        return f"NOT QUOTABLE ({reasons}): {figures}; {basis}."
    care = f"; with care: {reasons}" if reasons else ""
    return f"{figures}{care}; {basis}."


def _arrays(setup: Setup, own: OwnKernelResult | None) -> str:
    """Number and size of the arrays; for the user's own kernel, the size of the largest."""
    if own is None:
        return f"{count(setup.arrays, 'array')} of {format_bytes(setup.array_bytes)}"
    sizes = own.array_bytes
    up_to = "up to " if len(set(sizes)) > 1 else ""
    return f"{count(len(sizes), 'array')} of {up_to}{format_bytes(max(sizes, default=0))}"


def _quoted(results: Sequence[KernelResult]) -> Sequence[KernelResult]:
    """Plain and streaming, as readers expect; the first result if there is neither.

    Of several instruction sets, the one that was named first.
    """
    first = {each.store: each for each in reversed(results)}
    customary = [first[store] for store in ("plain", "streaming") if store in first]
    return customary or results[:1]


def _quickest_tuned(
    results: Sequence[KernelResult], quoted: Sequence[KernelResult]
) -> KernelResult | None:
    """The best tuned figure; ``None`` if a standard one that is quoted anyway is no lower.

    Next to standard ones, none of a shape whose gain the run does not confirm.
    """
    tuned = [each for each in results if each.tuned and not (quoted and each.unconfirmed)]
    best = max(tuned, key=_gbps, default=None)
    return best if best and all(_gbps(best) > _gbps(each) for each in quoted) else None


def _gbps(result: KernelResult) -> float:
    return result.median_gbps or 0.0


def _stores(setup: Setup, result: KernelResult) -> str:
    """The stores, with the instruction set if the user chose it."""
    stores = _STORES.get(result.store, result.store)
    named = setup.isas_named and result.store != "libc"
    return f"{stores}, {result.isa}" if named and result.isa else stores


def _tuned(setup: Setup, result: KernelResult | None, *, standard: bool) -> str:
    """The tuned figure, set apart from the standard ones in so many words."""
    if result is None:
        return ""
    shape = f", {describe_shape(result.shape)}" if result.shape is not None else ""
    lead = "; tuned" if standard else "tuned"
    return f"{lead} {_bounded(result)} {_stores(setup, result)}{shape}"


def _threads(setup: Setup) -> str:
    """The number and places of the threads."""
    threads = describe_numbers(setup.threads, setup.ranks, setup.hosts)
    if setup.cores is None or setup.cpus is None:
        return f"{threads}, not bound"
    if setup.hosts > 1:
        return f"{threads}, bound to {count(setup.cores, 'core')}"
    at = f" ({name_cpus(setup.cpus)})" if count_cpus(setup.cpus) > setup.cores else ""
    return f"{threads} bound to {count(setup.cores, 'core')}{at}"

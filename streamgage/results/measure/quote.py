"""The one sentence to quote a run by."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.arrays import common_arrays
from streamgage.analysis.finding import Finding
from streamgage.analysis.ranks import describe_threads
from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.thread_places import places_of
from streamgage.analysis.trust import Trust, trust_of
from streamgage.cpu_list import format_cpu_list, name_cpus, name_nodes
from streamgage.records import MemoryRecord
from streamgage.records.run import ELEMENT_BYTES, Run
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.headline import headline_kernel
from streamgage.units import count, format_bytes, format_gbps

_STREAM = "based on a variant of the STREAM benchmark"
_STORES = {
    "plain": "plain",
    "regular": "with regular stores",
    "streaming": "with streaming stores",
    "claim": "with claimed lines",
    "libc": "by the C library",
}


def quote(
    run: Run, kernels: Sequence[KernelResult], findings: Sequence[Finding] = ()
) -> str | None:
    """The sentence, about valid results only; ``None`` if there are none.

    It says how far the figures can be trusted, which follows from ``findings``.
    """
    valid = [each for each in kernels if each.valid and each.median_gbps is not None]
    if not valid or run.placement is None or run.memory is None:
        return None
    mine = {name for name, kernel in run.kernels.items() if kernel.own is not None}
    name = headline_kernel(valid, mine) or valid[0].kernel
    own = name in mine
    quoted = _quoted([each for each in valid if each.kernel == name and not each.tuned])
    rates = ", ".join(
        f"{format_gbps(each.median_gbps or 0)} {_stores(run, each)}" for each in quoted
    )
    tuned = _quickest_tuned([each for each in valid if each.kernel == name], quoted)
    fewest = min(each.n for each in (*quoted, *([tuned] if tuned else [])))
    first = quoted[0] if quoted else valid[0]
    machine = run.machine
    details = [
        f"median of {fewest}" if fewest > 1 else "one sample",
        "bytes as it declares" if own else "nominal counting",
        _threads(run),
        f"{_arrays(run, run.memory, name if own else None)}{_nodes(run.memory)}, {first.type}",
    ]
    if machine is not None and machine.processor:
        guest = f", {machine.hypervisor} guest" if machine.hypervisor else ""
        details.append(f"{machine.processor}{guest}")
    basis = f"a kernel of your own, {run.kernels[name].formula}" if own else _STREAM
    lead = f"{name if own else name.capitalize()} {rates}"
    lead += _tuned(run, tuned, standard=bool(quoted))
    return _with_trust(f"{lead} ({'; '.join(details)})", trust_of(findings), basis)


def _with_trust(figures: str, trust: Trust, basis: str) -> str:
    """Add what disturbed the run: it belongs to the figures wherever they are quoted."""
    reasons = "; ".join(each.text for each in trust.reasons)
    if trust.verdict == "not-quotable":
        return f"NOT QUOTABLE ({reasons}): {figures}; {basis}."
    care = f"; with care: {reasons}" if reasons else ""
    return f"{figures}{care}; {basis}."


def _arrays(run: Run, memory: MemoryRecord, own: str | None) -> str:
    """Number and size of the arrays; for the user's own kernel, the size of the largest."""
    if own is None:
        return f"{count(len(common_arrays(memory)), 'array')} of {format_bytes(memory.array_bytes)}"
    facts = run.kernels[own].own
    sizes = [each.elements * ELEMENT_BYTES[each.type] for each in facts.arrays] if facts else []
    up_to = "up to " if len(set(sizes)) > 1 else ""
    return f"{count(len(sizes), 'array')} of {up_to}{format_bytes(max(sizes, default=0))}"


def _nodes(memory: MemoryRecord) -> str:
    return "" if memory.nodes is None else f" on {name_nodes(memory.nodes)}"


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


def _stores(run: Run, result: KernelResult) -> str:
    """The stores, with the instruction set if the user chose it."""
    stores = _STORES.get(result.store, result.store)
    named = run.plan is not None and run.plan.isas is not None and result.store != "libc"
    return f"{stores}, {result.isa}" if named and result.isa else stores


def _tuned(run: Run, result: KernelResult | None, *, standard: bool) -> str:
    """The tuned figure, set apart from the standard ones in so many words."""
    if result is None:
        return ""
    shape = f", {describe_shape(result.shape)}" if result.shape is not None else ""
    lead = "; tuned" if standard else "tuned"
    return f"{lead} {format_gbps(_gbps(result))} {_stores(run, result)}{shape}"


def _threads(run: Run) -> str:
    """The number and places of the threads."""
    placement, places = run.placement, places_of(run)
    if placement is None:
        return "threads unknown"
    threads = describe_threads(placement)
    if places is None or not placement.bound:
        return f"{threads}, not bound"
    cores = places.cores
    if len(placement.hosts) > 1:
        return f"{threads}, bound to {count(cores, 'core')}"
    at = format_cpu_list(place.cpu for place in places.usual)
    shared = f" ({name_cpus(at)})" if places.cpus > cores else ""
    return f"{threads} bound to {count(cores, 'core')}{shared}"

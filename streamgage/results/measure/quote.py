"""The one sentence to quote a run by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.arrays import common_arrays
from streamgage.analysis.finding import Finding
from streamgage.analysis.ranks import describe_threads
from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.statistics.modes import two_modes
from streamgage.cpu_list import format_cpu_list, name_nodes
from streamgage.records import MemoryRecord
from streamgage.records.run import ELEMENT_BYTES, Run
from streamgage.results.measure.document import KernelResult
from streamgage.units import count, format_bytes, format_rate

_PREFERRED = ("triad", "copy")
_STREAM = "based on a variant of the STREAM benchmark"
_STORES = {
    "plain": "plain",
    "regular": "regular stores",
    "streaming": "streaming stores",
    "claim": "claimed lines",
    "libc": "the C library",
}


def quote(
    run: Run, kernels: Sequence[KernelResult], findings: Sequence[Finding] = ()
) -> str | None:
    """The sentence, about valid results only; ``None`` where there are none.

    What ``findings`` say against the figures that are quoted goes into it.
    """
    valid = [each for each in kernels if each.valid and each.median_gbps is not None]
    if not valid or run.placement is None or run.memory is None:
        return None
    names = [each.kernel for each in valid]
    mine = [name for name in names if name in run.kernels and run.kernels[name].own is not None]
    name = next((wanted for wanted in (*mine, *_PREFERRED) if wanted in names), names[0])
    own = name in mine
    quoted = _quoted([each for each in valid if each.kernel == name and not each.tuned])
    rates = " and ".join(
        f"{format_rate(each.median_gbps or 0)} GB/s ({_stores(run, each)})" for each in quoted
    )
    tuned = _quickest_tuned([each for each in valid if each.kernel == name], quoted)
    fewest = min(each.n for each in (*quoted, *([tuned] if tuned else [])))
    parts = [
        f"{name if own else name.capitalize()} {rates}{_tuned(run, tuned, standard=bool(quoted))}",
        f"median of {fewest}" if fewest > 1 else "one sample",
        "bytes as it declares" if own else "nominal counting",
        (quoted[0] if quoted else valid[0]).type,
        _threads(run),
        f"{_arrays(run, run.memory, name if own else None)}{_nodes(run.memory)}",
    ]
    where = f", on {run.machine.processor}" if run.machine and run.machine.processor else ""
    but = ", ".join(
        _caveats(
            run, [*quoted, *([tuned] if tuned else [])], {finding.code for finding in findings}
        )
    )
    caution = f"; caution: {but}" if but else ""
    basis = f"a kernel of one's own, {run.kernels[name].formula}" if own else _STREAM
    return f"{', '.join(parts)}{where}{caution}; {basis}."


def _arrays(run: Run, memory: MemoryRecord, own: str | None) -> str:
    """How many of which size; of an own kernel, of which the largest has that size."""
    if own is None:
        return f"{count(len(common_arrays(memory)), 'array')} of {format_bytes(memory.array_bytes)}"
    facts = run.kernels[own].own
    sizes = [each.elements * ELEMENT_BYTES[each.type] for each in facts.arrays] if facts else []
    up_to = "up to " if len(set(sizes)) > 1 else ""
    return f"{count(len(sizes), 'array')} of {up_to}{format_bytes(max(sizes, default=0))}"


def _nodes(memory: MemoryRecord) -> str:
    return "" if memory.nodes is None else f" on {name_nodes(memory.nodes)}"


def _caveats(run: Run, quoted: Sequence[KernelResult], found: set[str]) -> Iterator[str]:
    """What a reader of the quoted figures has to know, in a few words each."""
    names = {(each.kernel, each.store, each.isa, each.tuned) for each in quoted}
    ids = [
        each.id for each in run.shown() if (each.kernel, each.store, each.isa, each.tuned) in names
    ]
    if "below-4x-rule" in found:
        yield "arrays below STREAM's 4x rule"
    if "fewer-cpus" in found:
        fewer = run.placement and len(run.placement.threads) < run.placement.asked_threads
        yield "fewer threads than asked for" if fewer else "threads that shared a CPU"
    if "cpu-quota" in found:
        yield "held back by a CPU quota"
    if "moved" in found and any(
        each.moved for variant in ids for each in run.samples.get(variant, ())
    ):
        yield "threads moved"
    if "two-modes" in found and any(two_modes(run.times(variant)) for variant in ids):
        yield "samples in two groups"


def _quoted(results: Sequence[KernelResult]) -> Sequence[KernelResult]:
    """Plain and streaming, as readers expect them; without both, whatever there is.

    Of several instruction sets the one that was named first.
    """
    first = {each.store: each for each in reversed(results)}
    customary = [first[store] for store in ("plain", "streaming") if store in first]
    return customary or results[:1]


def _quickest_tuned(
    results: Sequence[KernelResult], quoted: Sequence[KernelResult]
) -> KernelResult | None:
    """The best tuned figure; ``None`` where a standard one that is quoted anyway is no lower."""
    tuned = [each for each in results if each.tuned]
    best = max(tuned, key=_gbps, default=None)
    return best if best and all(_gbps(best) > _gbps(each) for each in quoted) else None


def _gbps(result: KernelResult) -> float:
    return result.median_gbps or 0.0


def _stores(run: Run, result: KernelResult) -> str:
    """The stores, with the instruction set where it was not left to the machine."""
    stores = _STORES.get(result.store, result.store)
    named = run.plan is not None and run.plan.isas is not None and result.store != "libc"
    return f"{stores}, {result.isa}" if named and result.isa else stores


def _tuned(run: Run, result: KernelResult | None, *, standard: bool) -> str:
    """The tuned figure, set apart from the standard ones in so many words."""
    if result is None:
        return ""
    shape = f": {describe_shape(result.shape)}" if result.shape is not None else ""
    lead = "; tuned" if standard else "tuned"
    return f"{lead} {format_rate(_gbps(result))} GB/s ({_stores(run, result)}{shape})"


def _threads(run: Run) -> str:
    """How many threads ran where; the placement is known."""
    placement = run.placement
    if placement is None:
        return "threads unknown"
    threads = describe_threads(placement)
    if not placement.bound:
        return f"{threads}, not bound"
    cores, cpus = placement.cores_in_use, placement.cpus_in_use
    if len(placement.hosts) > 1:
        return f"{threads}, bound to {count(cores, 'core')}"
    shared = (
        f" (CPUs {format_cpu_list(place.cpu for place in placement.threads)})"
        if cpus > cores
        else ""
    )
    return f"{threads} bound to {count(cores, 'core')}{shared}"

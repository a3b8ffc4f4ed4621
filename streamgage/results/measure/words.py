"""The words for a run: its set-up, limit, counters and access shapes.

Texts have the marks of Unicode, for which a renderer puts plain ones where its output lacks them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.arrays import common_arrays, least_huge_share, own_arrays
from streamgage.analysis.ranks import describe_threads
from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.thread_places import ThreadPlaces, places_of
from streamgage.analysis.traffic.refusals import known_caches
from streamgage.analysis.traffic.volumes import CountedTraffic
from streamgage.cpu_list import format_cpu_list, name_cpus, name_nodes
from streamgage.records import Calibration, Device, MemoryRecord, PlacementRecord, Tuning
from streamgage.records.run import Run
from streamgage.results.array_setup import array_setup_of, words_of_setup
from streamgage.results.measure.document import (
    KernelResult,
    Measure,
    OwnKernelResult,
    PeakResult,
    SaturationResult,
)
from streamgage.results.measure.limit import verdict
from streamgage.results.measure.variant_rates import by_variant
from streamgage.results.reported import source_words
from streamgage.results.result import Result
from streamgage.show.symbols import UNICODE
from streamgage.units import (
    count,
    format_byte_range,
    format_bytes,
    format_change,
    format_figure,
    format_gbps,
    format_parts,
    format_rate,
    format_ratio,
    format_share,
)

_BETWEEN = " · "


def peak_text(peak: PeakResult) -> str:
    """The theoretical peak and how it is known."""
    source = {
        "given": peak.detail,
        "smbios": f"{peak.detail}, from SMBIOS",
        "model": f"{peak.detail}, by its model",
        "driver": f"{peak.detail}, as the driver says",
    }[peak.source]
    return f"peak {format_gbps(peak.gbps)} ({source})"


def device_text(device: Device) -> str:
    """``NVIDIA H100, 132 compute units, memory 80 GiB, cache 50 MiB``."""
    parts = [device.name]
    if device.compute_units:
        parts.append(count(device.compute_units, "compute unit"))
    if device.memory_bytes:
        parts.append(f"memory {format_bytes(device.memory_bytes)}")
    if device.cache_bytes:
        parts.append(f"cache {format_bytes(device.cache_bytes)}")
    return ", ".join(parts)


def setting_line(measured: Result[Measure]) -> str | None:
    """Threads and their binding, or the device; arrays and their pages; ``None`` if unknown."""
    run = measured.run
    parts = []
    if run.device is not None:
        parts.append(f"{run.device.id}: {device_text(run.device)}")
    if run.placement is not None:
        parts.append(_threads(run.placement, places_of(run)))
    if run.memory is not None:
        element = f" of {run.plan.type}" if run.plan else ""
        parts.append(_arrays(run, run.memory, element))
    return _BETWEEN.join(parts) or None


def _threads(placement: PlacementRecord, places: ThreadPlaces | None) -> str:
    threads = describe_threads(placement)
    if places is None or not placement.bound:
        return f"{threads}, not bound"
    if len(placement.hosts) > 1:
        return f"{threads}, bound to {count(places.cpus, 'CPU')}"
    return f"{threads} bound to {name_cpus(format_cpu_list(each.cpu for each in places.usual))}"


def _arrays(run: Run, memory: MemoryRecord, element: str) -> str:
    common, own = len(common_arrays(memory)), len(own_arrays(memory))
    size = format_bytes(memory.array_bytes)
    text = f"{count(common, 'array')}{element}, {size} each"
    setup = array_setup_of(run)
    text += f", {words_of_setup(setup)}" if setup is not None else ""
    if own and not common:
        text = f"{count(own, 'array')} of your own kernels, up to {size} each"
    if memory.last_level_cache_bytes:
        text += f" ({format_ratio(memory.array_bytes / memory.last_level_cache_bytes)} the cache)"
    if own and common:
        text += f", and {own} of your own kernels"
    share = least_huge_share(run)
    if share is not None:
        text += f", {format_share(share)} huge pages"
    checked = sum(array.checked_pages for array in memory.arrays)
    remote = sum(array.remote_pages for array in memory.arrays)
    if not checked:
        return text
    here = "local" if memory.nodes is None else f"on {name_nodes(memory.nodes)}"
    there = "remote" if memory.nodes is None else f"not {here}"
    return text + (f", all {here}" if not remote else f", {format_share(remote / checked)} {there}")


def reported_lines(measured: Result[Measure]) -> Iterator[str]:
    """The benchmark whose output it is, and what is known about it; none for our own run."""
    reported, given = measured.run.reported, measured.user_facts
    if reported is None:
        return
    yield _BETWEEN.join(source_words(reported))
    if reported.idle_latencies_ns:
        rows = (" ".join(f"{each:.1f}" for each in row) for row in reported.idle_latencies_ns)
        nodes = enumerate(rows)
        yield "idle latency in ns to each node: " + _BETWEEN.join(
            f"from node {node} {row}" for node, row in nodes
        )
    threads = given.threads or reported.threads
    where = [count(threads, "thread") if threads else "threads unknown (--threads)"]
    if cores := given.cores or reported.cores:
        where.append(count(cores, "core"))
    size = given.array_bytes or reported.array_bytes
    if size:
        most = size if given.array_bytes else reported.largest_array_bytes or size
        where.append(f"arrays of {format_byte_range(size, most)}")
    else:
        where.append("size of the arrays unknown (--array-bytes)")
    caches, peak = known_caches(measured.run, given), measured.document.peak
    if caches:
        by_name = "" if given.last_level_cache_bytes else "up to "
        where.append(f"last-level caches {by_name}{format_bytes(caches)}")
    else:
        where.append("caches unknown (--llc)")
    if given.peak_gbps:
        where.append(f"peak {format_gbps(given.peak_gbps)} as given")
    elif peak is not None:
        where.append(f"peak {'at most ' if peak.at_most else ''}{format_gbps(peak.gbps)}")
    elif measured.run.machine is None:
        where.append("peak unknown (--peak)")
    yield _BETWEEN.join(where)


def limit_line(measured: Result[Measure]) -> str | None:
    """``sum 21.3 GB/s with 1 thread, 42.2 with 2: the cores are the limit``; else ``None``."""
    found = measured.document.saturation
    latency = measured.run.latency
    parts = []
    if found is not None:
        parts.append(f"{'; '.join(_growth(found))}: {verdict(found)}")
    if latency is not None:
        flight = (
            f", {found.lines_in_flight:.0f} lines in flight with one thread"
            if found is not None and found.lines_in_flight is not None
            else ""
        )
        parts.append(f"idle latency {latency.seconds * 1e9:.0f} ns{flight}")
    return f"{'; '.join(parts)}." if parts else None


def _growth(found: SaturationResult) -> list[str]:
    """``triad 37.4 GB/s with 1 thread, 41.3 with 2``, one a kernel."""
    texts = []
    for kernel in dict.fromkeys(point.kernel for point in found.series):
        points = [point for point in found.series if point.kernel == kernel]
        first, *rest = points
        lead = f"{first.name} {format_gbps(first.gbps)} with {count(first.threads, 'thread')}"
        texts.append(
            ", ".join([lead, *(f"{format_rate(each.gbps)} with {each.threads}" for each in rest)])
        )
    return texts


def own_kernel_lines(result: Measure) -> Iterator[tuple[str, str]]:
    """Name, and formula, source, bytes an iteration, share of a known kernel, and its check."""
    for each in result.own_kernels:
        yield each.kernel, "; ".join(_parts(each))


def _parts(own: OwnKernelResult) -> Iterator[str]:
    made = f" by {own.code}" if own.code else ""
    yield f"{own.formula}, from {own.source}{made}"
    yield f"an iteration {_moved(own)}"
    if own.reference is not None and own.reference_share is not None:
        of_what = "nominal bandwidth" if own.reference_nominal else "bandwidth"
        yield f"{format_share(own.reference_share)} of the {of_what} of {own.reference}"
    if own.gflops is not None:
        yield f"{format_figure(own.gflops)} Gflop/s"
    yield "results checked by its own check" if own.has_check else "results not checked"


def _moved(own: OwnKernelResult) -> str:
    """``reads 16 bytes and writes 8, and 8 more are read where stores read their lines``."""
    read, written, allocated = (
        f"{amount:g}" for amount in (own.read_bytes, own.written_bytes, own.allocated_bytes)
    )
    if not own.written_bytes:
        return f"reads {read} bytes"
    moved = f"writes {written} bytes"
    if own.read_bytes:
        moved = f"reads {read} bytes and writes {written}"
    more = f", and {allocated} more are read where stores read their lines"
    return moved + (more if own.allocated_bytes else "")


def shape_lines(measured: Result[Measure]) -> Iterator[tuple[str, str]]:
    """Kernel with its stores, and what was decided and why; none where nothing was."""
    tunings = measured.document.tunings
    several = len({tuning.isa for tuning in tunings}) > 1
    unconfirmed = {(e.kernel, e.store, e.isa) for e in measured.document.kernels if e.unconfirmed}
    for tuning in tunings:
        name = f"{tuning.kernel} {tuning.store}"
        but = ""
        if (tuning.kernel, tuning.store, tuning.isa) in unconfirmed:
            but = "; this run does not confirm that it is quicker"
        yield (f"{name} {tuning.isa}" if several else name), f"{_decision(tuning)}{but}"


def _decision(tuning: Tuning) -> str:
    chosen = describe_shape(tuning.shape)
    match tuning.source:
        case "given":
            return f"{chosen}: given by --shape"
        case "known":
            return f"{chosen}: found by an earlier run on this machine; --retune searches again"
        case "skipped":
            return f"{chosen}: the arrays fit in the caches, so there was no search"
        case "raced":
            return f"{chosen}: {_race(tuning)}"


def _race(tuning: Tuning) -> str:
    left_out = [
        f"{number} left out{why}"
        for number, why in (
            (tuning.untried, " for lack of time"),
            (tuning.wrong, " because they computed wrong values"),
        )
        if number
    ]
    field = f"of {tuning.candidates} shapes in {count(tuning.samples, 'run')}"
    if left_out:
        field += f" ({', '.join(left_out)})"
    if tuning.ratio is None:
        return f"the quickest {field}"
    change = format_change(tuning.ratio - 1)
    if tuning.ratio_low is not None and tuning.ratio_high is not None:
        bounds = (format_change(tuning.ratio_low - 1), format_change(tuning.ratio_high - 1))
        change += f" [{bounds[0]}, {bounds[1]}]"
    pairs = f"in {count(tuning.pairs, 'pair')} with the default shape"
    if tuning.tuned:
        return f"the quickest {field}, {change} {pairs}"
    return (
        f"the quickest other one {field}, {describe_shape(tuning.fastest)}, reached {change}"
        f" {pairs}, which is not certainly a gain"
    )


def counted_lines(measured: Result[Measure]) -> Iterator[tuple[str, str]]:
    """The source with its calibration, and what it saw of each variant; none without counters."""
    calibration = measured.document.calibration
    if calibration is not None:
        yield calibration.source, _calibrated(calibration)
    for variant, result in by_variant(measured):
        traffic, alpha = result.traffic, result.alpha
        if traffic is not None:
            value = f"; alpha {alpha.value:.2f}" if alpha.value is not None else ""
            yield measured.run.name(variant), f"{counted_text(traffic)}{value}"


def counted_text(traffic: CountedTraffic) -> str:
    """``measured: 3.0 reads per write, 75 % reads, 25 % writes ████████▒▒, 1.61 GB ...``."""
    known = "replayed" if traffic.replayed else "measured"
    turns = (
        f", scaled from {traffic.running_share:.0%} of the time".replace("%", " %")
        if traffic.running_share < _ALWAYS
        else ""
    )
    samples = f"{count(traffic.samples, 'sample')}{turns}"
    if traffic.bytes_read is None or traffic.bytes_written is None:
        return f"{known}: {_gigabytes(traffic.bytes_total)} a pass, reads and writes ({samples})"
    ratio = (
        f"{traffic.reads_per_write:.1f} reads per write, "
        if traffic.reads_per_write is not None
        else ""
    )
    return (
        f"{known}: {ratio}{_divided(traffic.bytes_read, traffic.bytes_written)}"
        f"{_gigabytes(traffic.bytes_read)} read and"
        f" {_gigabytes(traffic.bytes_written)} written a pass ({samples})"
    )


_BAR = 10
"""Characters."""


def _divided(read: float, written: float) -> str:
    """Reads and writes in percent and as a bar; empty if nothing was moved."""
    if read + written <= 0:
        return ""
    share = read / (read + written)
    full = round(_BAR * share)
    bar = UNICODE.read * full + UNICODE.written * (_BAR - full)
    return f"{format_parts(share, 'reads', 'writes')} {bar}, "


_ALWAYS = 0.995
"""Share of the time above which counters did not take turns."""


def _calibrated(calibration: Calibration) -> str:
    if not calibration.accepted:
        return f"rejected: {calibration.reason}"
    runs = ", ".join(
        f"{' '.join(part for part in (run.kernel, run.store) if part)}"
        f" {format_change(run.deviation)}"
        for run in calibration.runs
    )
    idle = (
        f"; {calibration.idle_total / 1e9:.2f} GB/s of the idle machine subtracted"
        if calibration.idle_total is not None
        else ""
    )
    replayed = "replayed, nothing of it was measured; " if calibration.replayed else ""
    return f"{replayed}off by {runs} from known traffic{idle}"


def _gigabytes(amount: float) -> str:
    return f"{amount / 1e9:.3g} GB"


def modes(result: KernelResult) -> str:
    """The two groups of runs, such as ``20 % near 140``, if there are two."""
    groups = result.spread.modes if result.spread else []
    return ", ".join(f"{format_share(each.share)} near {format_gbps(each.gbps)}" for each in groups)


def reasons(results: Sequence[KernelResult]) -> list[tuple[str, str]]:
    """Names of the kernels and the reason that they share, for every reason."""
    named: dict[str, list[str]] = {}
    for result in results:
        if result.alpha.why:
            named.setdefault(result.alpha.why, []).append(result.kernel)
    return [(", ".join(dict.fromkeys(names)), reason) for reason, names in named.items()]

"""The page of a measurement: a row for each variant, the conclusions, and the quote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from streamgage.analysis.conclusion import hedged
from streamgage.analysis.peak.reason import in_words
from streamgage.analysis.shapes import describe_shape
from streamgage.records import Device, DeviceClock, DeviceState, MemoryRecord, PlanRecord
from streamgage.results.measure.as_stream import as_stream_pairs
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.expected import expected_pairs
from streamgage.results.measure.plots import plots
from streamgage.results.measure.screen import first_screen, headline, subject_of
from streamgage.results.measure.standing import standing_pairs
from streamgage.results.measure.table import rates_table, reported_table
from streamgage.results.measure.times import data as times_data
from streamgage.results.measure.times import times_table
from streamgage.results.measure.words import (
    counted_lines,
    limit_line,
    own_kernel_lines,
    peak_text,
    reasons,
    reported_lines,
    setting_line,
    shape_lines,
)
from streamgage.results.result import Result
from streamgage.show.page import (
    Data,
    Datum,
    Listing,
    Page,
    Value,
)
from streamgage.units import count, format_bytes

_UNKNOWN = "–"
_NOTE = (
    "Rates count nominal bytes, as STREAM does; what crossed the bus includes the lines that"
    " stores read. n: number of timed samples, and of allocations of the arrays."
)
_REPORTED_NOTE = "Rates count nominal bytes, as STREAM does. n: number of runs."
_REPLAYED = (
    "REPLAYED: counters were played back from a recording. What crossed the memory bus was not"
    " measured on this machine."
)
_PEAK_FROM = {
    "given": "given",
    "smbios": "from SMBIOS",
    "model": "by its model",
    "driver": "as the driver says",
}
_PAGES = {
    "4k": "small ones asked for",
    "2m": "huge ones asked for, where the kernel gives them",
    "1g": "of 1 GiB",
}
_STOPPED = {
    "converged": "the medians had settled",
    "max-samples": "it reached the largest number of samples",
    "budget": "its time was up",
}


def page(measured: Result[Measure]) -> Page:
    """The page of a result of ``streamgage measure``; it has less if the records are missing."""
    result = measured.document
    reported = measured.run.reported is not None
    setting = setting_line(measured)
    name = _name_of(measured)
    times = [times_table(result.kernels, name)] if any(e.n for e in result.kernels) else []
    return Page(
        title=subject_of(result),
        headline=headline(result),
        first=None if reported else first_screen(measured),
        machine=result.machine,
        machine_more=[] if result.peak is None else [peak_text(result.peak)],
        warnings=[_REPLAYED] if _is_replayed(result) else [],
        setup=[*([setting] if setting else []), *reported_lines(measured)],
        tables=[reported_table(measured)] if reported else [rates_table(measured, name), *times],
        note=_REPORTED_NOTE if reported else _NOTE,
        lists=[
            Listing(
                list(shape_lines(measured)),
                heading="How the access shapes were chosen",
                details=True,
            ),
            Listing(
                list(counted_lines(measured)),
                title="Counters of the memory controllers",
                heading="What the counters of the memory controllers saw",
                details=True,
            ),
            Listing(list(as_stream_pairs(result)), title="As STREAM", details=True),
            Listing(list(own_kernel_lines(result)), title="Your own kernels"),
            Listing(
                _hedged(measured, expected_pairs(result)),
                title="What others publish for this hardware",
            ),
            Listing(
                _hedged(measured, standing_pairs(result)),
                title="Cloud servers like this one",
            ),
            Listing(reasons(result.kernels) if reported else [], quiet=True),
        ],
        limit=hedged(limit_line(measured) or "", measured.trust),
        quote=measured.words.quote or "",
        passed=[(each.code, each.text) for each in measured.passed],
        settings=list(_settings(measured)),
        plots=list(plots(measured)),
        data=_data(measured),
    )


def _hedged(measured: Result[Measure], pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The comparisons with figures of others, no firmer than the run."""
    return [(name, hedged(text, measured.trust)) for name, text in pairs]


def _is_replayed(result: Measure) -> bool:
    """Return whether counters were played back from a recording."""
    records = (result.counters, result.calibration)
    return any(each is not None and each.replayed for each in records) or any(
        each.alpha.evidence == "replayed" for each in result.kernels
    )


def _name_of(measured: Result[Measure]) -> Callable[[KernelResult], str]:
    """``copy streaming tuned``; with the instruction set if there are several."""
    several = measured.run.stores_of_several_isas()

    def name(each: KernelResult) -> str:
        isa = (each.isa or "") if each.store in several else ""
        words = (each.kernel, each.store, isa, "tuned" if each.tuned else "")
        return " ".join(word for word in words if word)

    return name


def _data(measured: Result[Measure]) -> Data[KernelResult]:
    """A row for each variant; other columns where another benchmark printed the figures."""
    columns = _DATA if measured.run.reported is None else _REPORTED_DATA
    return Data(columns, measured.document.kernels)


def _own(*keys: str) -> list[Datum[KernelResult]]:
    return [Datum(key, _field(key)) for key in keys]


def _of(part: str, **fields: str) -> list[Datum[KernelResult]]:
    """Columns from a part of the result that may not be there; by key the names of its fields."""
    return [Datum(key, _field(f"{part}.{field}")) for key, field in fields.items()]


def _field(path: str) -> Callable[[KernelResult], Value]:
    """What reads a field; ``None`` if it is empty, or a part on the way to it is missing."""

    def value(result: KernelResult) -> Value:
        found: Any = result
        for name in path.split("."):
            found = getattr(found, name, None)
        return None if found == "" else found

    return value


_ALPHA = _of(
    "alpha",
    alpha_verdict="verdict",
    alpha="value",
    alpha_low="low",
    alpha_high="high",
    evidence="evidence",
    alpha_reason="why",
)
"""The lines that were read because of a store."""
_DATA: Sequence[Datum[KernelResult]] = [
    *_own("kernel", "store", "tuned", "threads", "type", "n"),
    *_own("best_gbps", "median_gbps", "low_gbps", "high_gbps", "hardware_gbps", "valid", "isa"),
    Datum("shape", lambda each: None if each.shape is None else describe_shape(each.shape)),
    *_own("gain", "gain_low", "gain_high", "peak_share"),
    *_own("hardware_low_gbps", "hardware_high_gbps", "epochs", "bounded_by"),
    *times_data(),
    *_ALPHA,
    *_of(
        "traffic",
        bytes_read="bytes_read",
        bytes_written="bytes_written",
        bytes_total="bytes_total",
        reads_per_write="reads_per_write",
    ),
]
"""The last four are of a pass, as hardware counted them; played back where the evidence is
``replayed``."""
_REPORTED_DATA: Sequence[Datum[KernelResult]] = [
    *_own("kernel", "store", "isa", "type", "threads", "purpose", "n", "best_gbps", "median_gbps"),
    *_of(
        "spread",
        mean_gbps="mean_gbps",
        deviation_gbps="deviation_gbps",
        minimum_gbps="minimum_gbps",
        maximum_gbps="maximum_gbps",
    ),
    *_own("hardware_gbps", "hardware_low_gbps", "hardware_high_gbps", "peak_share"),
    *_own("gflops"),
    *_ALPHA,
    *_own("valid"),
]


def _unreadable(result: Measure) -> Iterator[tuple[str, str]]:
    """The lists of what others have that could not be read."""
    if result.expected_reason is not None:
        yield "Published values", result.expected_reason
    if result.standings_reason is not None:
        yield "Cloud servers", result.standings_reason


def _settings(measured: Result[Measure]) -> Iterator[tuple[str, str]]:
    """Yield how it was measured."""
    run = measured.run
    if (line := setting_line(measured)) is not None:
        yield "Threads and arrays" if run.device is None else "Device and arrays", line
    if run.device is not None:
        yield from _device_settings(run.device, run.device_clock, run.device_state)
    if run.plan is not None:
        yield from _plan_settings(run.plan, on_device=run.device is not None)
    if run.memory is not None:
        yield "STREAM's rule", _rule(run.memory, run.plan, run.device)
    codes = dict.fromkeys(each.code for each in run.shown() if each.code)
    for number, code in enumerate(codes):
        yield "Code of the kernels" if number == 0 else "", code
    if run.clock is not None:
        granularity = run.clock.granularity_seconds * 1e9
        yield "Clock", f"{run.clock.source}, granularity {granularity:.0f} ns"
    if run.core_clock is not None and run.core_clock.hertz is not None:
        yield "Core clock", f"{run.core_clock.hertz / 1e9:.2f} GHz right after the kernels"
    if run.end is not None:
        why = f"; it ended because {_STOPPED[run.end.stopped_by]}" if run.end.stopped_by else ""
        yield "Course", f"{count(run.end.blocks, 'block')} in {run.end.seconds:.1f} s{why}"
    peak, unknown = measured.document.peak, measured.document.peak_unknown
    if peak is not None:
        source = _PEAK_FROM[peak.source]
        yield "Theoretical peak", f"{peak.gbps:.1f} GB/s ({peak.detail}, {source})"
    elif unknown:
        yield "Theoretical peak", f"not known: {in_words(unknown)}"
    yield from _unreadable(measured.document)
    for name, text in counted_lines(measured):
        yield f"Counted: {name}", text
    for name, text in shape_lines(measured):
        yield f"Access shape: {name}", text


def _device_settings(
    device: Device, clock: DeviceClock | None, state: DeviceState | None
) -> Iterator[tuple[str, str]]:
    """Yield the driver, the memory, how the device ran, and the clock of the samples."""
    clocks = f", cores at most at {device.clock_hertz / 1e9:.2f} GHz" if device.clock_hertz else ""
    of = f", {device.architecture}" if device.architecture else ""
    yield "Driver", f"{device.driver}; kind: {device.kind}{of}{clocks}"
    places = [each for each in (device.pci_address, device.uuid) if each]
    if places:
        yield "Place", ", ".join(places)
    if memory := _device_memory(device):
        yield "Memory", memory
    if state is not None and (seen := _device_state(state)):
        yield "Under load", f"{seen} (read {count(state.readings, 'time')})"
    if clock is None:
        return
    by = "the device's own time stamps" if clock.timed_by == "events" else "the host's clock"
    tick = f", in steps of {clock.tick_seconds * 1e9:.3g} ns" if clock.tick_seconds else ""
    yield "Samples timed by", f"{by}{tick if clock.timed_by == 'events' else ''}"
    if clock.event_seconds is not None:
        yield (
            "Stamps against host",
            f"{clock.event_seconds * 1e3:.3f} of {clock.host_seconds * 1e3:.3f} ms in a trial",
        )
    yield "Launch", f"{clock.launch_seconds * 1e6:.3g} us for a kernel that does nothing"


def _device_memory(device: Device) -> str:
    """``5120 bits at 2619 MHz; error correction on``; empty if the driver says nothing of it."""
    parts = []
    if device.memory_bus_bits and device.memory_clock_hertz:
        megahertz = device.memory_clock_hertz / 1e6
        parts.append(f"{device.memory_bus_bits} bits at {megahertz:.0f} MHz")
    if device.has_ecc is not None:
        parts.append(f"error correction {'on' if device.has_ecc else 'off'}")
    return "; ".join(parts)


def _device_state(state: DeviceState) -> str:
    """``cores 1755 to 1980 MHz; memory 2619 MHz; 698 of 700 W; 61 degrees Celsius``."""
    parts = []
    for name, low, high in (
        ("cores", state.core_hertz_low, state.core_hertz_high),
        ("memory", state.memory_hertz_low, state.memory_hertz_high),
    ):
        if low is not None and high is not None:
            ends = dict.fromkeys(f"{each / 1e6:.0f}" for each in (low, high))
            parts.append(f"{name} {' to '.join(ends)} MHz")
    if state.watts_high is not None:
        most = f" of {state.limit_watts:.0f}" if state.limit_watts is not None else ""
        parts.append(f"{state.watts_high:.0f}{most} W")
    if state.celsius_high is not None:
        parts.append(f"{state.celsius_high:.0f} degrees Celsius")
    return "; ".join(parts)


def _rule(memory: MemoryRecord, plan: PlanRecord | None, device: Device | None) -> str:
    """The size that STREAM's rule requires, and the source of the caches' size."""
    text = f"at least {format_bytes(memory.rule_bytes)} an array"
    caches = memory.last_level_cache_bytes
    if not caches:
        return f"{text}: the caches are not known (--llc)"
    whose = "the device's cache" if device else "last-level cache that the threads can reach"
    text += f", 4 times the {format_bytes(caches)} of {whose}"
    if plan is not None and plan.last_level_cache_bytes is not None:
        return f"{text}, as --llc says"
    if device is not None and device.cache_bytes is None:
        return (
            f"{text}: the driver does not say how large it is, so a large one is assumed; --llc or"
            " --size correct it"
        )
    who = "driver" if device else "machine"
    return f"{text}, as the {who} reports; --llc or --size correct it"


def _plan_settings(plan: PlanRecord, *, on_device: bool) -> Iterator[tuple[str, str]]:
    yield "Elements", plan.type
    where = f"{format_bytes(plan.alignment_bytes)}" if plan.alignment_bytes else "2 MiB or more"
    if not on_device:
        yield "Arrays", f"aligned to {where}; initial values: {plan.init}"
    sampling = plan.sampling
    yield (
        "Sampling",
        f"{sampling.min_samples} to {sampling.max_samples} samples a variant in random order, at"
        f" most {sampling.budget_seconds:g} s {'in all' if plan.tiers else 'of kernels'};"
        f" seed {plan.seed}",
    )
    if not on_device:
        yield "Pages", _PAGES[plan.pages]

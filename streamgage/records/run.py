"""A run: the records of one measurement, sorted by what they describe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from streamgage.records import (
    AbsentVariant,
    AnyRecord,
    BenchmarkOutput,
    Calibration,
    Clock,
    CoreClock,
    Counters,
    Device,
    DeviceClock,
    DeviceState,
    Disturbance,
    End,
    IdleLatency,
    Kernel,
    KernelCheck,
    KernelFailure,
    Label,
    LatencyPlanRecord,
    LoadedLatency,
    Machine,
    MemoryRecord,
    OwnFacts,
    Peer,
    PlacementRecord,
    PlanRecord,
    ReportedRate,
    Sample,
    StreamView,
    Traffic,
    Tuning,
    Validation,
    Variant,
)
from streamgage.units import count

EVIDENCE_STORE = "regular"
"""The stores of kernels that are measured as evidence. A kernel that the user asked for with these
stores is not evidence."""
ELEMENT_BYTES = {"double": 8, "float": 4, "int32": 4, "int64": 8}


@dataclass
class Run:
    """A run, as its records describe it; what they do not contain is ``None`` or empty.

    A run of another benchmark has ``reported`` and ``rates`` instead of samples; each of its tables
    counts as a block.

    ``samples`` holds the timed samples of each variant in the order measured, without warm-ups and
    the runs of the validation. Samples during a pause are in ``paused``, and those whose threads
    hardly ever had their CPUs at the same time in ``disturbed``. Variants are in the order
    in which the engine listed them. Only a run that measures latency has ``latencies`` and
    ``loaded``.
    """

    label: str | None = None
    machine: Machine | None = None
    device: Device | None = None
    """The device that was measured instead of the processor of ``machine``."""
    device_clock: DeviceClock | None = None
    device_state: DeviceState | None = None
    peer: Peer | None = None
    """The other device, of a run that measures copies between two."""
    plan: PlanRecord | None = None
    placement: PlacementRecord | None = None
    memory: MemoryRecord | None = None
    first_touch_seconds: float = 0.0
    """The seconds that the first touch of the first arrays took."""
    clock: Clock | None = None
    core_clock: CoreClock | None = None
    stream_view: StreamView | None = None
    kernels: dict[str, Kernel] = field(default_factory=dict)
    variants: dict[int, Variant] = field(default_factory=dict)
    absent: list[AbsentVariant] = field(default_factory=list)
    kernel_checks: list[KernelCheck] = field(default_factory=list)
    kernel_failures: list[KernelFailure] = field(default_factory=list)
    tunings: list[Tuning] = field(default_factory=list)
    samples: dict[int, list[Sample]] = field(default_factory=dict)
    paused: list[Sample] = field(default_factory=list)
    disturbed: dict[int, list[Sample]] = field(default_factory=dict)
    validations: dict[int, Validation] = field(default_factory=dict)
    disturbances: list[Disturbance] = field(default_factory=list)
    latency: IdleLatency | None = None
    latency_plan: LatencyPlanRecord | None = None
    latencies: list[IdleLatency] = field(default_factory=list)
    loaded: list[LoadedLatency] = field(default_factory=list)
    counters: Counters | None = None
    calibration: Calibration | None = None
    traffic: dict[int, list[Traffic]] = field(default_factory=dict)
    reported: BenchmarkOutput | None = None
    rates: dict[int, list[ReportedRate]] = field(default_factory=dict)
    end: End | None = None

    def times(self, variant: int) -> list[float]:
        """Seconds per pass in the timed samples of a variant, in the order measured."""
        return [sample.seconds_a_pass for sample in self.samples.get(variant, ())]

    def disturbed_times(self, variant: int) -> list[float]:
        """Seconds per pass in the disturbed samples of a variant: more than a pass takes."""
        return [sample.seconds / sample.passes for sample in self.disturbed.get(variant, ())]

    def times_of_blocks(self, variant: int) -> dict[int, float]:
        """Seconds per pass in the timed sample of each block."""
        samples = self.samples.get(variant, ())
        return {sample.block: sample.seconds_a_pass for sample in samples}

    def element_times(self, variant: int) -> list[float]:
        """Seconds per element (an iteration of the loop) in every sample, in the order measured."""
        return [time for _, time in self._element_times(variant)]

    def element_times_of_blocks(self, variant: int) -> dict[int, float]:
        """Seconds per element in each block, or in each table that another benchmark printed."""
        return dict(self._element_times(variant))

    def _element_times(self, number: int) -> list[tuple[int, float]]:
        variant = self.variants.get(number)
        kernel = self.kernels.get(variant.kernel) if variant is not None else None
        if variant is None or kernel is None:
            return []
        size = ELEMENT_BYTES[variant.type]
        if self.reported is not None:
            bytes_each = {
                "nominal": (kernel.loads + kernel.stores) * size,
                "hardware": (kernel.loads + (2 if kernel.write_allocates else 1) * kernel.stores)
                * size,
            }
            return [
                (rate.table, bytes_each[rate.convention] / (rate.gbps * 1e9))
                for rate in self.rates.get(number, ())
            ]
        elements = self.iterations(variant)
        if not elements:
            return []
        samples = self.samples.get(number, ())
        return [(each.block, each.seconds_a_pass / elements) for each in samples]

    def own(self, variant: Variant) -> OwnFacts | None:
        """What a user's own kernel declares; ``None`` for a built-in kernel."""
        kernel = self.kernels.get(variant.kernel)
        return None if kernel is None else kernel.own

    def failure_of(self, variant: Variant) -> KernelFailure | None:
        """Why a user's own kernel failed while it was measured; ``None`` if it did not."""
        own = self.own(variant)
        for each in self.kernel_failures:  # if two kernels share a name, one of them was left out
            if own is not None and (each.kernel, each.source) == (variant.kernel, own.source):
                return each
        return None

    def iterations(self, variant: Variant) -> int:
        """The iterations of one pass: for a built-in kernel, the elements of each array.

        0 if unknown.
        """
        own = self.own(variant)
        if variant.elements is not None:
            return variant.elements
        if own is not None:
            return own.iterations
        return self.memory.elements if self.memory is not None else 0

    def iteration_bytes(self, variant: Variant) -> float | None:
        """The nominal bytes of one iteration of the loop: (loads + stores) x element.

        For a user's own kernel, the bytes that it declares to read and write.
        """
        kernel = self.kernels.get(variant.kernel)
        if kernel is None:
            return None
        if kernel.own is not None:
            return kernel.own.read_bytes + kernel.own.written_bytes
        return (kernel.loads + kernel.stores) * ELEMENT_BYTES[variant.type]

    def standard_of(self, tuned: Variant) -> Variant | None:
        """The same kernel with the same stores and instruction set in the default shape."""
        for each in self.variants.values():
            same = (each.kernel, each.store, each.isa) == (tuned.kernel, tuned.store, tuned.isa)
            if same and not each.tuned and each.purpose == "rate":
                return each
        return None

    def shown(self) -> list[Variant]:
        """The variants that are results of their own: without forced reads, series and evidence."""
        return [each for each in self.variants.values() if each.purpose == "rate"]

    def shown_tunings(self) -> list[Tuning]:
        """The tunings of the kernels that the user asked for, without those of evidence."""
        evidence = self.plan.evidence if self.plan is not None else []
        return [
            each
            for each in self.tunings
            if each.kernel not in evidence or each.store != EVIDENCE_STORE
        ]

    def name(self, variant: Variant) -> str:
        """The variant in words, such as ``triad streaming``.

        It has the instruction set if several were measured. Variants that only the interpretation
        needs are marked: ``copy regular, read forced``.
        """
        several = variant.store in self.stores_of_several_isas()
        parts = [variant.kernel, variant.store, variant.isa if several else ""]
        if variant.purpose == "rate":
            parts.append("tuned" if variant.tuned else "")
        name = " ".join(part for part in parts if part)
        if variant.purpose == "forced-read":
            return f"{name}, read forced"
        if variant.purpose == "evidence":
            return f"{name}, for comparison"
        if variant.purpose == "series":
            return f"{name} of the series with {count(variant.threads or 0, 'thread')}"
        return name

    def stores_of_several_isas(self) -> set[str]:
        """The store modes that were measured with more than one instruction set.

        A user's own kernel does not count: its compiler chose its instruction set.
        """
        isas: dict[str, set[str]] = {}
        for each in self.variants.values():
            if self.own(each) is None:
                isas.setdefault(each.store, set()).add(each.isa)
        return {store for store, names in isas.items() if len(names) > 1}

    def timed_samples(self) -> list[Sample]:
        """All timed samples of all variants."""
        return [sample for samples in self.samples.values() for sample in samples]

    def epochs_of(self, variant: int) -> list[list[float]]:
        """Seconds per element in the timed samples of a variant, one list per allocation.

        Each table of another benchmark counts as an allocation, because it is from a run of its
        own.
        """
        epochs: dict[int, list[float]] = {}
        times = self.element_times(variant)
        if self.reported is not None:
            return [[time] for time in times]
        if not times:
            return []
        for sample, seconds in zip(self.samples.get(variant, ()), times, strict=True):
            epochs.setdefault(sample.epoch, []).append(seconds)
        return list(epochs.values())

    def sample_bytes(self, variant: Variant) -> float | None:
        """The nominal bytes that one pass moves, as STREAM counts: (loads + stores) x array."""
        kernel = self.kernels.get(variant.kernel)
        if kernel is None or self.memory is None:
            return None
        if kernel.own is not None:
            return (self.iteration_bytes(variant) or 0) * self.iterations(variant)
        return (kernel.loads + kernel.stores) * self.memory.elements * self.memory.element_bytes

    def threads(self) -> int | None:
        """The number of threads that ran; ``None`` for a device, or if it is unknown."""
        if self.device is not None:
            return None
        if self.placement is not None:
            return len(self.placement.threads)
        if self.reported is not None:
            return self.reported.threads
        return self.plan.threads if self.plan is not None else None


def collect(records: Iterable[AnyRecord]) -> Run:
    """Build the run that ``records`` describe. If a record occurs twice, the later one counts."""
    run = Run()
    for record in records:
        add(run, record)
    if run.plan is not None and not run.plan.tiers:
        _count_disturbed(run)
    return run


def _count_disturbed(run: Run) -> None:
    """Count the samples of variants that have none but disturbed ones, in a run of a series.

    A series says how much others took from each of its runs; one without a figure would be lost.
    """
    for number, samples in run.disturbed.items():
        run.samples.setdefault(number, samples)


def add(run: Run, record: AnyRecord) -> None:  # noqa: PLR0912, PLR0915 - one case a record
    """Add one more record to the run."""
    match record:
        case Sample():  # tested first, because nearly all records are samples
            if record.role == "timed":
                run.samples.setdefault(record.variant, []).append(record)
            elif record.role == "paused":
                run.paused.append(record)
            elif record.role == "disturbed":
                run.disturbed.setdefault(record.variant, []).append(record)
        case Label():
            run.label = record.text
        case Machine():
            run.machine = record
        case Device():
            run.device = record
        case DeviceClock():
            run.device_clock = record
        case DeviceState():
            run.device_state = record
        case Peer():
            run.peer = record
        case PlanRecord():
            run.plan = record
        case PlacementRecord():
            run.placement = record
        case MemoryRecord():
            if record.epoch == 0:
                run.first_touch_seconds = record.touch_seconds
            earlier = run.memory if record.epoch > 0 else None
            run.memory = record if earlier is None else _together(earlier, record)
        case Clock():
            run.clock = record
        case CoreClock():
            run.core_clock = record
        case StreamView():
            run.stream_view = record
        case Kernel():
            run.kernels[record.name] = record
        case Variant():
            run.variants[record.id] = record
        case AbsentVariant():
            run.absent.append(record)
        case KernelCheck():
            run.kernel_checks.append(record)
        case KernelFailure():
            run.kernel_failures.append(record)
        case Tuning():
            run.tunings.append(record)
        case Validation():
            run.validations[record.variant] = record
        case IdleLatency() if record.block is not None:
            run.latencies.append(record)
        case IdleLatency():
            run.latency = record
        case LatencyPlanRecord():
            run.latency_plan = record
        case LoadedLatency():
            run.loaded.append(record)
        case Counters():
            run.counters = record
        case Calibration():
            run.calibration = record
        case Traffic():
            run.traffic.setdefault(record.variant, []).append(record)
        case BenchmarkOutput():
            run.reported = record
        case ReportedRate():
            run.rates.setdefault(record.variant, []).append(record)
        case Disturbance():
            run.disturbances.append(record)
        case End():
            run.end = record


def _together(memory: MemoryRecord, later: MemoryRecord) -> MemoryRecord:
    """Merge two allocations: sum the checked pages, and take the smaller share of huge pages."""
    arrays = [
        msgspec.structs.replace(
            first,
            huge_share=None
            if first.huge_share is None or second.huge_share is None
            else min(first.huge_share, second.huge_share),
            checked_pages=first.checked_pages + second.checked_pages,
            remote_pages=first.remote_pages + second.remote_pages,
        )
        for first, second in zip(memory.arrays, later.arrays, strict=False)
    ]
    # An array that nothing needs yet is not allocated.
    arrays += memory.arrays[len(arrays) :] or later.arrays[len(arrays) :]
    return msgspec.structs.replace(
        memory, arrays=arrays, touch_seconds=memory.touch_seconds + later.touch_seconds
    )

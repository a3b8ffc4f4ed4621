"""The records that the engine prints: one JSON object per line, whose type is in ``record``.

All other parts use these types. ``schema/records.schema.json`` is generated from them, and each
line of the engine is tested against it. Units are bytes and seconds. Lists of CPUs have the numbers
of the operating system; as text they are written ``0-3,8``.
"""

from __future__ import annotations

from streamgage.records.base import (
    SCHEMA_VERSION,
    ArrayAccess,
    ArrayType,
    ElementType,
    EndReason,
    Init,
    PageSize,
    PlacementKind,
    Purpose,
    Record,
    SampleRole,
    ShapeSource,
    StoppedBy,
)
from streamgage.records.counters import Counters, Interval, SourceCounter, TrafficSource
from streamgage.records.course import (
    CalibratedKernel,
    Calibration,
    Disturbance,
    DomainTraffic,
    End,
    IdleLatency,
    LoadedLatency,
    LoadedWindow,
    QuietTime,
    Sample,
    Traffic,
    Validation,
)
from streamgage.records.device import (
    Device,
    DeviceClock,
    Devices,
    DeviceShape,
    DeviceState,
    LinkPath,
    Peer,
    SlowedBy,
)
from streamgage.records.environment import Activity, Binding, CpuTimeTrial, ThreadTrace
from streamgage.records.machine import (
    Cache,
    CoreKind,
    CpuSet,
    Frequency,
    HardwareThread,
    Machine,
    MemoryModule,
    MemorySideCache,
    NumaDistances,
    NumaNode,
)
from streamgage.records.other_benchmark import BenchmarkOutput, FailedCheck, ReportedRate
from streamgage.records.own import (
    CheckName,
    FailureReason,
    KernelCheck,
    KernelFailure,
    OwnArray,
    OwnFacts,
    OwnKernelRequest,
)
from streamgage.records.setting import (
    AccessShape,
    ArrayPages,
    Catalogue,
    Clock,
    CoreClock,
    Expansion,
    Label,
    LatencyPlanRecord,
    LoadRequest,
    MemoryRecord,
    PlacementRecord,
    PlanRecord,
    RankPlace,
    Sampling,
    ThreadPlace,
    Tier,
)
from streamgage.records.stream_view import PagePairs, StreamPasses, StreamView
from streamgage.records.variants import AbsentVariant, Kernel, Tuning, Variant

__all__ = [
    "SCHEMA_VERSION",
    "AbsentVariant",
    "AccessShape",
    "Activity",
    "AnyRecord",
    "ArrayAccess",
    "ArrayPages",
    "ArrayType",
    "BenchmarkOutput",
    "Binding",
    "Cache",
    "CalibratedKernel",
    "Calibration",
    "Catalogue",
    "CheckName",
    "Clock",
    "CoreClock",
    "CoreKind",
    "Counters",
    "CpuSet",
    "CpuTimeTrial",
    "Device",
    "DeviceClock",
    "DeviceShape",
    "DeviceState",
    "Devices",
    "Disturbance",
    "DomainTraffic",
    "ElementType",
    "End",
    "EndReason",
    "Expansion",
    "FailedCheck",
    "FailureReason",
    "Frequency",
    "HardwareThread",
    "IdleLatency",
    "Init",
    "Interval",
    "Kernel",
    "KernelCheck",
    "KernelFailure",
    "Label",
    "LatencyPlanRecord",
    "LinkPath",
    "LoadRequest",
    "LoadedLatency",
    "LoadedWindow",
    "Machine",
    "MemoryModule",
    "MemoryRecord",
    "MemorySideCache",
    "NumaDistances",
    "NumaNode",
    "OwnArray",
    "OwnFacts",
    "OwnKernelRequest",
    "PagePairs",
    "PageSize",
    "Peer",
    "PlacementKind",
    "PlacementRecord",
    "PlanRecord",
    "Purpose",
    "QuietTime",
    "RankPlace",
    "Record",
    "ReportedRate",
    "Sample",
    "SampleRole",
    "Sampling",
    "ShapeSource",
    "SlowedBy",
    "SourceCounter",
    "StoppedBy",
    "StreamPasses",
    "StreamView",
    "ThreadPlace",
    "ThreadTrace",
    "Tier",
    "Traffic",
    "TrafficSource",
    "Tuning",
    "Validation",
    "Variant",
]

AnyRecord = (
    Label
    | Machine
    | Device
    | DeviceClock
    | DeviceState
    | Devices
    | Peer
    | PlanRecord
    | PlacementRecord
    | Expansion
    | Catalogue
    | MemoryRecord
    | Clock
    | CoreClock
    | StreamView
    | Kernel
    | KernelCheck
    | KernelFailure
    | Variant
    | AbsentVariant
    | Tuning
    | IdleLatency
    | LatencyPlanRecord
    | LoadedLatency
    | Counters
    | Calibration
    | Interval
    | Binding
    | Activity
    | BenchmarkOutput
    | ReportedRate
    | Sample
    | Traffic
    | Validation
    | Disturbance
    | End
)

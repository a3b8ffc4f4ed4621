"""The records that the engine prints: one JSON object a line, distinguished by ``record``.

These types are the vocabulary that every other part shares. ``schema/records.schema.json`` is
generated from them, and each line of the engine is tested against it. Units are bytes and
seconds; lists of CPUs are OS numbers, written ``0-3,8`` where they are text.
"""

from __future__ import annotations

from streamgage.records.base import (
    SCHEMA_VERSION,
    ArrayAccess,
    ArrayType,
    ElementType,
    EndReason,
    Init,
    PlacementKind,
    Purpose,
    Record,
    SampleRole,
    ShapeSource,
    StoppedBy,
    Tool,
)
from streamgage.records.counters import Counters, Interval, SourceCounter, TrafficSource
from streamgage.records.course import (
    Calibrated,
    Calibration,
    Disturbance,
    DomainTraffic,
    End,
    IdleLatency,
    Loaded,
    LoadedWindow,
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
from streamgage.records.other_benchmark import Reported, ReportedRate
from streamgage.records.own import (
    CheckName,
    FailureReason,
    KernelCheck,
    KernelFailure,
    OwnArray,
    OwnFacts,
    OwnKernelAsked,
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
    LoadAsked,
    MemoryRecord,
    PlacementRecord,
    PlanRecord,
    RankPlace,
    Sampling,
    ThreadPlace,
    Tier,
)
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
    "Binding",
    "Cache",
    "Calibrated",
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
    "LoadAsked",
    "Loaded",
    "LoadedWindow",
    "Machine",
    "MemoryModule",
    "MemoryRecord",
    "MemorySideCache",
    "NumaDistances",
    "NumaNode",
    "OwnArray",
    "OwnFacts",
    "OwnKernelAsked",
    "PlacementKind",
    "PlacementRecord",
    "PlanRecord",
    "Purpose",
    "RankPlace",
    "Record",
    "Reported",
    "ReportedRate",
    "Sample",
    "SampleRole",
    "Sampling",
    "ShapeSource",
    "SlowedBy",
    "SourceCounter",
    "StoppedBy",
    "ThreadPlace",
    "ThreadTrace",
    "Tier",
    "Tool",
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
    | PlanRecord
    | PlacementRecord
    | Expansion
    | Catalogue
    | MemoryRecord
    | Clock
    | CoreClock
    | Kernel
    | KernelCheck
    | KernelFailure
    | Variant
    | AbsentVariant
    | Tuning
    | IdleLatency
    | LatencyPlanRecord
    | Loaded
    | Counters
    | Calibration
    | Interval
    | Binding
    | Activity
    | Reported
    | ReportedRate
    | Sample
    | Traffic
    | Validation
    | Disturbance
    | End
)

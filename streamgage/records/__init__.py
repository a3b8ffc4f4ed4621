"""The records that the engine prints: one JSON object a line, told apart by ``record``.

These types are the vocabulary that every other part shares. ``schema/records.schema.json`` is
generated from them, and each line of the engine is tested against it. Units are bytes and
seconds; lists of CPUs are OS numbers, written ``0-3,8`` where they are text.
"""

from __future__ import annotations

from streamgage.records.base import (
    SCHEMA_VERSION,
    ElementType,
    EndReason,
    PlacementKind,
    Purpose,
    Record,
    SampleRole,
    ShapeSource,
    StoppedBy,
    Tool,
)
from streamgage.records.counters import Counters, SourceCounter, TrafficSource
from streamgage.records.course import (
    Disturbance,
    DomainTraffic,
    End,
    Latency,
    Sample,
    Traffic,
    Validation,
)
from streamgage.records.machine import (
    Cache,
    CoreKind,
    Frequency,
    Machine,
    MemoryModule,
    NumaNode,
)
from streamgage.records.reported import Reported, ReportedRate
from streamgage.records.setting import (
    AccessShape,
    ArrayPages,
    Clock,
    MemoryRecord,
    PlacementRecord,
    PlanRecord,
    Sampling,
    ThreadPlace,
)
from streamgage.records.variants import (
    AbsentVariant,
    Kernel,
    Tuning,
    Variant,
)

__all__ = [
    "SCHEMA_VERSION",
    "AbsentVariant",
    "AccessShape",
    "AnyRecord",
    "ArrayPages",
    "Cache",
    "Clock",
    "CoreKind",
    "Counters",
    "Disturbance",
    "DomainTraffic",
    "ElementType",
    "End",
    "EndReason",
    "Frequency",
    "Kernel",
    "Latency",
    "Machine",
    "MemoryModule",
    "MemoryRecord",
    "NumaNode",
    "PlacementKind",
    "PlacementRecord",
    "PlanRecord",
    "Purpose",
    "Record",
    "Reported",
    "ReportedRate",
    "Sample",
    "SampleRole",
    "Sampling",
    "ShapeSource",
    "SourceCounter",
    "StoppedBy",
    "ThreadPlace",
    "Tool",
    "Traffic",
    "TrafficSource",
    "Tuning",
    "Validation",
    "Variant",
]

AnyRecord = (
    Machine
    | PlanRecord
    | PlacementRecord
    | MemoryRecord
    | Clock
    | Kernel
    | Variant
    | AbsentVariant
    | Tuning
    | Latency
    | Counters
    | Reported
    | ReportedRate
    | Sample
    | Traffic
    | Validation
    | Disturbance
    | End
)

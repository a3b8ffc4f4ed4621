"""Makes records of a run on an invented GPU."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from example_records import (
    CLOCK,
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    MIB,
    PLAN,
    samples_of,
    steady_times,
    validation,
)

from streamgage.records import (
    AccessShape,
    AnyRecord,
    ArrayPages,
    Device,
    DeviceClock,
    DeviceShape,
    Tuning,
    Variant,
)

DEVICE = Device(
    id="opencl:0",
    name="Example GPU",
    vendor="Example",
    driver="Example OpenCL, OpenCL 3.0; driver 1.2",
    kind="gpu",
    compute_units=100,
    clock_hertz=2_000_000_000,
    memory_bytes=16 << 30,
    largest_array_bytes=4 << 30,
    cache_bytes=16 * MIB,
    has_double=True,
    shares_host_memory=False,
)
DEVICE_CLOCK = DeviceClock(
    timed_by="events",
    tick_seconds=1e-6,
    launch_seconds=2e-5,
    event_seconds=0.0029,
    host_seconds=0.003,
)
STANDARD = AccessShape(device=DeviceShape(vector_bytes=8, loads=1, group_items=256, groups=None))
QUICKER = AccessShape(device=DeviceShape(vector_bytes=16, loads=4, group_items=128, groups=800))
GPU_PLAN = msgspec.structs.replace(PLAN, placement="none", threads=1, huge_pages=False)
GPU_MEMORY = msgspec.structs.replace(
    MEMORY,
    arrays=[
        ArrayPages(name=name, huge_share=None, checked_pages=0, remote_pages=0) for name in "abc"
    ],
    pages_reason="the driver does not say where the pages of a device are",
)


def device_records(
    *changed: AnyRecord, seconds: float = 0.001, names: Sequence[str] = ("sum", "copy", "triad")
) -> list[AnyRecord]:
    """A run with a standard and a quicker variant of each kernel, before the ``changed`` records.

    ``seconds``: of a pass of the first kernel in its standard shape.
    """
    records: list[AnyRecord] = [MACHINE, GPU_PLAN, DEVICE, GPU_MEMORY, CLOCK, DEVICE_CLOCK]
    records += KERNELS
    variants = []
    for name in names:
        for tuned, shape in ((False, STANDARD), (True, QUICKER)):
            variant = Variant(
                id=len(variants),
                kernel=name,
                store="plain",
                type="double",
                isa="OpenCL",
                code=f"OpenCL C by {DEVICE.driver}",
                tuned=tuned,
                shape=shape,
            )
            variants.append(variant)
        records.append(
            Tuning(
                kernel=name,
                store="plain",
                isa="OpenCL",
                type="double",
                source="raced",
                shape=QUICKER,
                tuned=True,
                fastest=QUICKER,
                candidates=40,
                samples=200,
                pairs=41,
                ratio=1.08,
                ratio_low=1.07,
                ratio_high=1.09,
                seconds=1.0,
            )
        )
    records += variants
    for variant in variants:
        each = seconds * (1 + variant.id // 2) / (1.08 if variant.tuned else 1.0)
        records += samples_of(variant.id, steady_times(each), cpus=())
    records += [validation(variant.id) for variant in variants]
    return [*records, END, *changed]

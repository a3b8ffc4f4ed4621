"""Records made by hand of a run on a GPU that nobody has."""

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
    DeviceState,
    Tuning,
    Variant,
)

DEVICE = Device(
    id="opencl:0",
    name="Example GPU",
    vendor="Example",
    driver="Example OpenCL, OpenCL 3.0; driver 1.2",
    interface="OpenCL",
    kind="gpu",
    architecture=None,
    slice=None,
    compute_units=100,
    clock_hertz=2_000_000_000,
    memory_bytes=16 << 30,
    largest_array_bytes=4 << 30,
    cache_bytes=16 * MIB,
    memory_clock_hertz=None,
    memory_bus_bits=None,
    has_ecc=None,
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
CUDA_DEVICE = msgspec.structs.replace(
    DEVICE,
    id="cuda:0",
    driver="CUDA 12.4; driver 550.54.15",
    interface="CUDA",
    architecture="sm_90",
    memory_clock_hertz=2_619_000_000,
    memory_bus_bits=5120,
    has_ecc=True,
)
"""With the memory of an H100 SXM."""
DEVICE_STATE = DeviceState(
    readings=12,
    core_hertz_low=1_755_000_000,
    core_hertz_high=1_980_000_000,
    memory_hertz_low=2_619_000_000,
    memory_hertz_high=2_619_000_000,
    watts_high=698.5,
    limit_watts=700.0,
    celsius_high=61.0,
    other_processes=0,
    slowed_by=[],
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

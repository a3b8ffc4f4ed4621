"""Makes records of a run on an invented GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from example_records import (
    CLOCK,
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    MIB,
    PLAN,
    as_lines,
    samples_of,
    steady_times,
    validation,
)
from programs import misbehaving_engine

from streamgage.records import (
    AccessShape,
    AnyRecord,
    ArrayPages,
    Device,
    DeviceClock,
    Devices,
    DeviceShape,
    DeviceState,
    IdleLatency,
    Kernel,
    LatencyPlanRecord,
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
    rule_cache_bytes=16 * MIB,
    line_bytes=128,
    memory_clock_hertz=None,
    memory_bus_bits=None,
    has_ecc=None,
    has_double=True,
    shares_host_memory=False,
    pci_address="0000:3b:00.0",
    uuid="GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01",
    numa_node=1,
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
STANDARD = AccessShape(
    device=DeviceShape(vector_bytes=8, loads=1, group_items=256, groups=None, hint="none", stages=0)
)
QUICKER = AccessShape(
    device=DeviceShape(vector_bytes=16, loads=4, group_items=128, groups=800, hint="none", stages=0)
)
RING = AccessShape(
    device=DeviceShape(vector_bytes=16, loads=2, group_items=256, groups=528, hint="none", stages=4)
)
STREAMED = AccessShape(
    device=DeviceShape(
        vector_bytes=16, loads=4, group_items=256, groups=None, hint="streaming", stages=0
    )
)
KNOWN_TRAFFIC = tuple(
    Kernel(
        name=name,
        formula=formula,
        loads=loads,
        stores=1,
        write_allocates=False,
        flops=flops,
    )
    for name, formula, loads, flops in (
        ("update", "a = s*a", 1, 1),
        ("daxpy", "a = a + s*b", 2, 2),
        ("sdaxpy", "a = a + b*c", 3, 2),
    )
)
"""Kernels whose stores never cause a read."""
INIT = Kernel(name="init", formula="a = s", loads=0, stores=1, write_allocates=True, flops=0)
GPU_PLAN = msgspec.structs.replace(PLAN, placement="none", threads=1, pages="4k")
GPU_MEMORY = msgspec.structs.replace(
    MEMORY,
    arrays=[
        ArrayPages(name=name, huge_share=None, checked_pages=0, remote_pages=0) for name in "abc"
    ],
    pages_reason="the driver does not say where the pages of a device are",
)


def device_records(
    *changed: AnyRecord,
    seconds: float = 0.001,
    names: Sequence[str] = ("sum", "copy", "triad"),
    streams: Mapping[str, float] | None = None,
) -> list[AnyRecord]:
    """A run with a standard and a quicker variant of each kernel, before the ``changed`` records.

    ``seconds``: of a pass of the first kernel in its standard shape, to which each next one adds as
    much; or of each of the ``streams`` that a kernel has.
    """
    records: list[AnyRecord] = [MACHINE, GPU_PLAN, DEVICE, GPU_MEMORY, CLOCK, DEVICE_CLOCK]
    records += [*KERNELS, INIT, *KNOWN_TRAFFIC]
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
        parts = 1 + variant.id // 2 if streams is None else streams[variant.kernel]
        each = seconds * parts / (1.08 if variant.tuned else 1.0)
        records += samples_of(variant.id, steady_times(each), cpus=())
    records += [validation(variant.id) for variant in variants]
    return [*records, END, *changed]


KIB = 1 << 10
CHAINS = tuple(8 * KIB << step for step in range(16))
"""Up to 256 MiB."""
CACHE_LATENCY, MEMORY_LATENCY = 250e-9, 600e-9


def load_seconds(size: int) -> float:
    """What a load takes, with a slope where the cache ends."""
    cache = DEVICE.cache_bytes or 0
    return CACHE_LATENCY if size <= cache else MEMORY_LATENCY


def device_latency_records(device: Device = DEVICE, *, rounds: int = 3) -> list[AnyRecord]:
    """A run that measures the latency of a device, each round a little slower."""
    records: list[AnyRecord] = [
        MACHINE,
        LatencyPlanRecord(
            chain_bytes=list(CHAINS),
            load=None,
            rounds=rounds,
            seed=7,
            threads=1,
            pages="4k",
        ),
        device,
        DEVICE_CLOCK,
    ]
    for block in range(rounds):
        for size in CHAINS:
            seconds = load_seconds(size) * (1 + 0.002 * block)
            records.append(
                IdleLatency(
                    seconds=seconds,
                    minimum=0.99 * seconds,
                    maximum=1.01 * seconds,
                    repeats=9,
                    bytes=size,
                    loads=1 << 15,
                    huge_share=None,
                    cpu=None,
                    block=block,
                )
            )
    return [*records, END]


def rung_of_device(size: int, *, device: Device = DEVICE, number: int = 1) -> list[AnyRecord]:
    """The records of triad over a working set, a little quicker each round."""
    gbps = 300.0 if size <= (DEVICE.cache_bytes or 0) else 60.0
    elements = size // 3 // 8
    seconds = elements * 24 / (gbps * (1 + 0.002 * number) * 1e9)
    variant = Variant(
        id=0,
        kernel="triad",
        store="plain",
        type="double",
        isa="OpenCL",
        code=f"OpenCL C by {device.driver}",
        tuned=False,
        shape=STANDARD,
    )
    return [
        *(MACHINE, GPU_PLAN, device),
        msgspec.structs.replace(GPU_MEMORY, array_bytes=elements * 8, elements=elements),
        *(CLOCK, DEVICE_CLOCK, *KERNELS, variant),
        *samples_of(0, [seconds * (1 + 0.0005 * (k % 5)) for k in range(7)], cpus=()),
        validation(0),
        END,
    ]


def engine_with_devices(
    folder: Path, devices: Sequence[Device], records: Sequence[AnyRecord], body: str = ":"
) -> Path:
    """An engine that lists these devices, keeps its plans and prints the records."""
    named = Devices(name="all", devices=list(devices), reasons=[])
    (folder / "devices").write_bytes(as_lines([named]))
    (folder / "lines").write_bytes(as_lines(records))
    return misbehaving_engine(
        folder,
        f'case "$1" in --devices=*) cat "{folder}/devices"; exit;; esac\n'
        f"echo x >> turns; cat > plan-$(wc -l < turns)\n{body}\ncat {folder}/lines",
    )

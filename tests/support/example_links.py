"""Copies between a host and two GPUs that nobody has, in records made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from example_device import DEVICE, GPU_MEMORY, GPU_PLAN
from example_records import CLOCK, END, MACHINE, MIB, samples_of, validation

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import AnyRecord, Device, Kernel, LinkPath, Peer, Variant
from streamgage.records.run import collect
from streamgage.results.links.document import Links
from streamgage.results.links.judge import judge_links, pair_name

BYTES = 128 * MIB
OTHER = msgspec.structs.replace(DEVICE, id="opencl:1", pci_address="0000:af:00.0")
RATES: Mapping[str, float] = {
    "pageable-to-device": 9.0,
    "pageable-from-device": 8.0,
    "pageable-both-ways": 10.0,
    "pinned-to-device": 24.0,
    "pinned-from-device": 25.0,
    "pinned-both-ways": 44.0,
}
"""GB/s of the first device."""
PEER_RATES: Mapping[str, float] = {
    "peer-to-device": 40.0,
    "peer-from-device": 42.0,
    "peer-both-ways": 70.0,
}
"""GB/s between two devices."""
GPUS = tuple(
    msgspec.structs.replace(DEVICE, id=f"cuda:{number}", interface="CUDA") for number in range(2)
)


def link_records(
    device: Device = DEVICE,
    *changed: AnyRecord,
    slower: float = 1.0,
    rates: Mapping[str, float] = RATES,
) -> list[AnyRecord]:
    """A run of the copies of one device, ``slower`` times as slow as ``rates`` says."""
    elements = BYTES // 8
    records: list[AnyRecord] = [
        *(MACHINE, msgspec.structs.replace(GPU_PLAN, kernels=list(rates), copies=True), device),
        msgspec.structs.replace(GPU_MEMORY, array_bytes=BYTES, elements=elements, element_bytes=8),
        CLOCK,
    ]
    variants: list[AnyRecord] = []
    for number, (name, gbps) in enumerate(rates.items()):
        both = name.endswith("both-ways")
        records.append(
            Kernel(
                name=name,
                formula="a copy",
                loads=1 if both else 0,
                stores=1,
                write_allocates=False,
                flops=0,
            )
        )
        variants.append(
            Variant(
                id=number,
                kernel=name,
                store="plain",
                type="double",
                isa="none",
                code=f"copies by {device.driver}",
                tuned=False,
                shape=None,
            )
        )
        seconds = slower * (2 if both else 1) * BYTES / (gbps * 1e9)
        times = [seconds * (1 + 0.001 * (k % 5)) for k in range(20)]
        variants += samples_of(number, times, cpus=())
    records += variants
    records += [validation(number) for number in range(len(rates))]
    return [*records, END, *changed]


def links_of_devices(
    devices: Sequence[Device] = (DEVICE, OTHER), *changed: AnyRecord, rounds: int = 1
) -> Links:
    """The answer of runs of these devices; each is slower than the one before."""
    runs = [
        FreshRun(
            device.id,
            number,
            collect(link_records(device, *changed, slower=1 + place + 0.002 * number)),
            None,
            None,
        )
        for number in range(1, rounds + 1)
        for place, device in enumerate(devices)
    ]
    return judge_links(runs, devices, None, rounds=rounds, seed=7)


def peer_records(to: LinkPath = "peer-access", back: LinkPath = "peer-access") -> list[AnyRecord]:
    """A run of the copies between the two of ``GPUS``."""
    peer = Peer(id=GPUS[1].id, to_peer=to, from_peer=back)
    return link_records(GPUS[0], peer, rates=PEER_RATES)


def links_of_gpus(to: LinkPath = "peer-access", back: LinkPath = "peer-access") -> Links:
    """The answer of one round of two GPUs: each with the host, and both with each other."""
    names = [*(each.id for each in GPUS), pair_name(*(each.id for each in GPUS))]
    records = [*(link_records(each) for each in GPUS), peer_records(to, back)]
    runs = [
        FreshRun(name, 1, collect(each), None, None)
        for name, each in zip(names, records, strict=True)
    ]
    return judge_links(runs, GPUS, None, rounds=1, seed=7)

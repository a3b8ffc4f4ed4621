"""Makes invented machines: with memory modules, several packages, or a hypervisor."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from example_records import MACHINE

from streamgage.records import Machine, MemoryModule, NumaNode

GIB = 1 << 30


def module(
    locator: str,
    bank: str | None = None,
    *,
    gibibytes: int = 16,
    kind: str | None = "DDR4",
    width: int | None = 64,
    rate: int | None = 2666,
    rated: int | None = None,
) -> MemoryModule:
    """A memory module, or an empty slot where ``gibibytes`` is 0. ``rated``: default ``rate``."""
    return MemoryModule(
        locator=locator,
        bank=bank,
        bytes=gibibytes * GIB,
        kind=kind if gibibytes else None,
        width_bits=width if gibibytes else None,
        megatransfers=rate if gibibytes else None,
        rated_megatransfers=(rated or rate) if gibibytes else None,
    )


def machine(
    modules: Sequence[MemoryModule] = (),
    *,
    processor: str | None = "Example 9000",
    packages: int = 1,
    nodes: int | None = None,
    hypervisor: str | None = None,
    system: str | None = None,
) -> Machine:
    """The small machine with that memory, those packages, and as many NUMA nodes as packages."""
    return msgspec.structs.replace(
        MACHINE,
        processor=processor,
        packages=packages,
        numa_nodes=[
            NumaNode(node=node, cpus=str(node), bytes=None)
            for node in range(packages if nodes is None else nodes)
        ],
        memory_modules=list(modules),
        memory_modules_reason=None if modules else "SMBIOS cannot be read",
        hypervisor=hypervisor,
        system=system,
    )


def epyc_7451(empty: str = "") -> Machine:
    """Two sockets of eight channels of DDR4-2666; those of the channels ``empty`` have none."""
    slots = [
        module(f"P{socket}_DIMM_{channel}1", gibibytes=0 if channel in empty else 16)
        for socket in range(2)
        for channel in "ABCDEFGH"
    ]
    return machine(slots, processor="AMD EPYC 7451 24-Core Processor", packages=2)

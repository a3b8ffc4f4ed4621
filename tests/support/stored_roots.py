"""Makes folders for ``HWLOC_FSROOT``, with the kernel files of machines that are not at hand.

Each is the smallest machine of its kind among hwloc's own test data (github.com/open-mpi/hwloc,
tests/hwloc/linux), which are gathered on real ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

GIB = 1 << 30


def write_root(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files below ``folder``, and return it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
    return folder


def _cpus(count: int) -> dict[str, str]:
    """One package of so many cores, and a memory of 2 GiB."""
    system = "sys/devices/system/cpu"
    files = {f"{system}/{name}": f"0-{count - 1}" for name in ("online", "possible", "present")}
    for cpu in range(count):
        topology = f"{system}/cpu{cpu}/topology"
        files |= {
            f"{topology}/core_id": str(cpu),
            f"{topology}/physical_package_id": "0",
            f"{topology}/core_cpus": f"{1 << cpu:x}",
            f"{topology}/package_cpus": f"{(1 << count) - 1:x}",
        }
    return files | {"proc/meminfo": "MemTotal:  2097152 kB", "proc/mounts": ""}


def without_caches(folder: Path) -> Path:
    """A small Arm machine that says nothing of its caches (as 2arm-2c)."""
    names = [f"processor\t: {cpu}\nmodel name\t: ARMv7 Processor rev 1 (v7l)\n" for cpu in range(4)]
    return write_root(folder, _cpus(4) | {"proc/cpuinfo": "\n".join(names)})


def with_memory_side_cache(folder: Path) -> Path:
    """One node of 256 GiB with a cache of 16 GiB in front of it (as memorysidecaches)."""
    files = _cpus(4)
    for cpu in range(4):
        for index, (level, kind, size, sharing) in enumerate(
            (
                (1, "Data", "32K", 1 << cpu),
                (2, "Unified", "1024K", 1 << cpu),
                (3, "Unified", "32768K", 15),
            )
        ):
            cache = f"sys/devices/system/cpu/cpu{cpu}/cache/index{index}"
            files |= {
                f"{cache}/level": str(level),
                f"{cache}/type": kind,
                f"{cache}/size": size,
                f"{cache}/coherency_line_size": "64",
                f"{cache}/shared_cpu_map": f"{sharing:x}",
            }
    nodes = "sys/devices/system/node"
    cache = f"{nodes}/node0/memory_side_cache/index1"
    return write_root(
        folder,
        files
        | {
            f"{nodes}/online": "0",
            f"{nodes}/node0/cpumap": "f",
            f"{nodes}/node0/cpulist": "0-3",
            f"{nodes}/node0/distance": "10",
            f"{nodes}/node0/meminfo": "Node 0 MemTotal:       268435456 kB",
            f"{cache}/size": str(16 * GIB),
            f"{cache}/line_size": "64",
        },
    )


def with_two_designs(folder: Path, *, identified: bool = True) -> Path:
    """Eight Arm cores of two designs, whose capacities differ within a design (as nvidia-dgx-gb10).

    ``identified``: whether the kernel shows the registers that name the design.
    """
    files = _cpus(8)
    parts = []
    for cpu, capacity in enumerate((718, 718, 731, 731, 997, 997, 1017, 1024)):
        base = f"sys/devices/system/cpu/cpu{cpu}"
        part = 0xD87 if cpu < 4 else 0xD85
        files[f"{base}/cpu_capacity"] = str(capacity)
        if identified:
            files[f"{base}/regs/identification/midr_el1"] = f"0x{0x410F0001 | part << 4:016x}"
            parts.append(
                f"processor\t: {cpu}\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                f"CPU variant\t: 0x0\nCPU part\t: {part:#x}\nCPU revision\t: 1\n"
            )
    return write_root(folder, files | {"proc/cpuinfo": "\n".join(parts)})

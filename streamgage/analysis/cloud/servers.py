"""The cloud servers that others measured, from the data package ``streamgage-cloud``.

The package has its own licence (CC BY-SA 4.0), and is installed separately.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

import msgspec

from streamgage.analysis.facts_file import FactsFile
from streamgage.records.quantities import Amount, ByteCount, Members, Rate

FORMAT = 1
PACKAGE = "streamgage-cloud"
SHORT = "Spare Cores"
SOURCE = "Spare Cores, github.com/SpareCores/sc-inspector-data, CC BY-SA 4.0"
_MODULE = "streamgage_cloud"
Operation = Literal["read", "write", "copy"]
OPERATIONS: tuple[Operation, ...] = ("read", "write", "copy")
COUNTS_TWICE = {"copy": 2.0}
"""The factor from the servers' figures to STREAM's, which counts each copied byte twice, as read
and as written."""
KERNELS: dict[Operation, str] = {"read": "sum", "write": "init", "copy": "copy"}
"""The kernel that does the same as each operation; no figure is compared with triad."""
STORES: dict[Operation, tuple[str, ...]] = {
    "read": ("plain", "regular"),
    "write": ("regular", "plain"),
    "copy": ("regular", "plain"),
}
"""Ordinary stores, as in sc-membench. Compilers may turn ``plain`` ones into streaming stores."""


class ServerType(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``servers.csv``.

    Rates are GB/s (10^9 bytes per second); a copied byte counts once.
    """

    vendor: str
    server: str
    architecture: str
    processor: str
    """The processor as ``lscpu`` prints it."""
    cpus: Members
    """The number of hardware threads."""
    threads_per_core: Members
    packages: Members | None = None
    """The number of processors that the server shows, which a guest's hypervisor may make up."""
    l3_bytes: ByteCount | None = None
    bw_mem_read_gbps: Rate | None = None
    """The rate by bw_mem, with 512 MB for each CPU, which exceeds most caches."""
    read_gbps: Rate | None = None
    """The rate of reading, by sc-membench like all rates below."""
    write_gbps: Rate | None = None
    copy_gbps: Rate | None = None
    latency_ns: Amount | None = None
    buffer_mib: Members | None = None
    threads: Members | None = None

    @property
    def cores(self) -> float:
        """The number of cores that the guest shows."""
        return self.cpus / self.threads_per_core

    def rate(self, operation: Operation) -> float | None:
        """The rate of the whole server in GB/s; ``None`` if it was not measured.

        Reading is by bw_mem, which nearly all have. The writing of bw_mem is left out, because it
        writes only a quarter of each line.
        """
        if operation == "read":
            return self.read_gbps if self.bw_mem_read_gbps is None else self.bw_mem_read_gbps
        return self.write_gbps if operation == "write" else self.copy_gbps


@cache
def known_servers() -> tuple[ServerType, ...]:
    """Read all server types; empty if the package is not installed.

    Raises ``DamagedTableError``.
    """
    try:
        folder = files(_MODULE)
    except ModuleNotFoundError:
        return ()
    return read_servers(folder / "servers.csv")


def read_servers(file: Traversable) -> tuple[ServerType, ...]:
    """Read the rows of a file. Raises ``DamagedTableError``."""
    return _LIST.read(file)


_LIST = FactsFile(
    title="streamgage cloud servers",
    called="The list of cloud servers",
    newest=FORMAT,
    row=ServerType,
    repair=f"install {PACKAGE} again",
)

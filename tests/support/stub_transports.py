"""Forwards the output of many nodes as launchers do: in blocks, which interleave.

What srun does is in Slurm's source (SLURM_IO_MAX_MSG_LEN in io_hdr.h): it sends whole lines while
they fit into 1,024 bytes, and blocks of 1,024 bytes of a longer line. Open MPI and Hydra forward
what a read of a pipe gives them, whatever lines are in it. clush and pdsh put the node's name
before each line. Kubernetes and jobs of Slurm keep the output of each node by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

SRUN_BLOCK = 1024
Blocks = Callable[[str, bytes, random.Random], Sequence[bytes]]
"""Cuts the output of a node into the blocks that stay together."""


def cut_at(size: int) -> Blocks:
    """Cut into blocks of ``size`` bytes, wherever lines end."""

    def blocks(_host: str, output: bytes, _draw: random.Random) -> list[bytes]:
        return [output[place : place + size] for place in range(0, len(output), size)]

    return blocks


def cut_by_reads(size: int) -> Blocks:
    """Cut at what a read gets: up to ``size`` bytes of the writes of 256 bytes so far."""

    def blocks(_host: str, output: bytes, draw: random.Random) -> list[bytes]:
        found, place = [], 0
        while place < len(output):
            length = min(size, 256 * draw.randint(1, size // 256))
            found.append(output[place : place + length])
            place += length
        return found

    return blocks


def srun(_host: str, output: bytes, _draw: random.Random) -> list[bytes]:
    """Whole lines up to 1,024 bytes; a longer line in blocks of that size."""
    found: list[bytes] = []
    block = b""
    for line in output.splitlines(keepends=True):
        if len(block) + len(line) > SRUN_BLOCK:
            found.append(block)
            block = b""
        block += line
        while len(block) > SRUN_BLOCK:
            found.append(block[:SRUN_BLOCK])
            block = block[SRUN_BLOCK:]
    return [each for each in [*found, block] if each]


def labelled(host: str, output: bytes, _draw: random.Random) -> list[bytes]:
    """Each line with the node's name before it."""
    return [b"%s: %s" % (host.encode(), line) for line in output.splitlines(keepends=True)]


def whole(_host: str, output: bytes, _draw: random.Random) -> list[bytes]:
    """All of a node's output at once."""
    return [output]


TRANSPORTS: Mapping[str, Blocks] = {
    "srun": srun,
    "srun --unbuffered": cut_at(SRUN_BLOCK),
    "salloc": srun,
    "sbatch": whole,
    "clush": labelled,
    "pdsh": labelled,
    "mpiexec (Open MPI)": cut_by_reads(4096),
    "mpiexec (Hydra)": cut_by_reads(65536),
    "pbsdsh": cut_by_reads(4096),
    "flux": cut_by_reads(4096),
    "kubernetes": whole,
    "blocks of 1,000": cut_at(1000),
    "blocks of 700": cut_at(700),
    "blocks of 300": cut_at(300),
}


def interleaved(outputs: Mapping[str, bytes], blocks: Blocks, draw: random.Random) -> bytes:
    """All nodes' output: the blocks of each in their order, and all of them mixed."""
    waiting = {host: list(blocks(host, output, draw))[::-1] for host, output in outputs.items()}
    found = []
    while waiting:
        host = draw.choice(list(waiting))
        found.append(waiting[host].pop())
        if not waiting[host]:
            del waiting[host]
    return b"".join(found)

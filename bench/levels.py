"""Compares levels of ``streamgage ladder`` with likwid-bench on the same working sets."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import peers
from pair import Pair

from streamgage.analysis.hierarchy import levels_in_use
from streamgage.process.this_machine import describe_this_machine

KERNEL = "triad"
LIKWID_SECONDS = 0.5
"""For one run of likwid-bench, about."""
LEVELS = (("L1", 0.5, 200e9), ("L2", 0.25, 60e9))
"""Name, share of what it holds that is used, and bytes per second and thread, about."""
MEMORY_TIMES = 4
"""The last-level cache so many times."""
MEMORY_RATE = 10e9


def pairs(threads: int, cpus: list[int]) -> list[Pair]:
    """A pair a level: the first two caches and memory."""
    levels = levels_in_use(describe_this_machine(), cpus[:1], "sequential")
    sizes = {each.name: each.bytes for each in levels}
    found = [
        _pair(name, int(share * sizes[name]) * threads, rate * threads, cpus[:threads])
        for name, share, rate in LEVELS
        if name in sizes
    ]
    last = max(sizes.values(), default=1 << 26)
    return [*found, _pair("memory", MEMORY_TIMES * last, MEMORY_RATE, cpus[:threads])]


def _pair(level: str, working_set: int, rate: float, cpus: list[int]) -> Pair:
    ours = _ladder(working_set, cpus)
    isa = peers.likwid_isa()
    name = f"stream_{isa}_fma" if isa != "sse" else "stream_sse"

    def theirs() -> float:
        passes = max(3, int(LIKWID_SECONDS * rate / working_set))
        return peers.likwid(name, _measured(working_set, cpus) // 3, len(cpus), passes, unit=1)[0]

    size = f"{working_set / 1024 / len(cpus):.0f} KiB a thread"
    return Pair(f"likwid-bench {name}, {level}, {size}", KERNEL, "ladder", len(cpus), ours, theirs)


def _ladder(working_set: int, cpus: list[int]) -> Callable[[], float]:
    def ours() -> float:
        return float(_point(working_set, cpus)["gbps"]["value"]) * 1e3

    return ours


_sizes: dict[tuple[int, int], int] = {}


def _measured(working_set: int, cpus: list[int]) -> int:
    """The working set that the ladder makes of the one that it was asked for."""
    key = (working_set, len(cpus))
    if key not in _sizes:
        _sizes[key] = _point(working_set, cpus)["bytes"]
    return _sizes[key]


def _point(working_set: int, cpus: list[int]) -> dict[str, Any]:
    """The one point of a ladder from that working set to the same."""
    program = shutil.which("streamgage", path=str(Path(sys.executable).parent)) or "streamgage"
    bound = ",".join(map(str, cpus))
    command = [program, "ladder", "--kernels", KERNEL, "--cpus", bound, "--rounds", "1"]
    command += ["--modes", "sequential" if len(cpus) == 1 else "worksharing"]
    command += ["--from", str(working_set), "--to", str(working_set), "--format", "json"]
    answer = msgspec.json.decode(peers.capture(command, **os.environ), type=dict[str, Any])
    point: dict[str, Any] = answer["curves"][0]["points"][0]
    return point

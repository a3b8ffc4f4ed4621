"""Programs that the engine is compared with: each measures one kernel and says MB/s or seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from streamgage.process.engine import find_engine

BENCH = Path(__file__).parent
LIKWID_ISA = (("avx512f", "avx512"), ("avx", "avx"), ("sse2", "sse"))

LIKWID_KERNELS: dict[tuple[str, str], str] = {
    ("sum", "regular"): "load_{isa}",
    ("init", "regular"): "store_{isa}",
    ("init", "streaming"): "store_mem_{isa}",
    ("copy", "regular"): "copy_{isa}",
    ("copy", "streaming"): "copy_mem_{isa}",
    ("triad", "regular"): "stream_{isa}",
    ("triad", "streaming"): "stream_mem_{isa}",
    ("striad", "regular"): "triad_{isa}",
    ("striad", "streaming"): "triad_mem_{isa}",
    ("daxpy", "regular"): "daxpy_{isa}",
    ("daxpy", "streaming"): "daxpy_mem_{isa}",
    ("update", "regular"): "update_{isa}",
}
"""likwid-bench's name of each kernel and store mode (its "stream" is STREAM's triad, its "triad"
Schönauer's); it has no update with streaming stores."""

PLAIN_KERNELS = ("init", "sum", "copy", "update", "triad", "daxpy")
FACTS = {"init": 1, "sum": 1, "copy": 2, "update": 2, "triad": 3, "daxpy": 3, "striad": 4, "dot": 2}
"""Nominal elements moved an iteration."""


ONE_SAMPLE = {"min_samples": 1, "look_every": 1, "max_samples": 1, "budget_seconds": 600}


class PeerError(Exception):
    """A program ended with an error; the text says which and how."""


def capture(command: list[str], **environment: str) -> str:
    """Run a command, and return its stdout. Raises ``PeerError`` if it fails."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | environment
    )
    if done.returncode != 0:
        message = done.stderr.strip() or done.stdout.strip()
        raise PeerError(f"{' '.join(command)} ended with status {done.returncode}: {message}")
    return done.stdout


def found(pattern: str, text: str) -> str:
    """The text that the group of ``pattern`` matches. Raises ``PeerError`` if there is none."""
    match = re.search(pattern, text)
    if match is None:
        raise PeerError(f"{pattern!r} is not in {text!r}")
    return match[1]


def likwid_isa() -> str:
    """The widest instruction set that likwid-bench has kernels for and the processor has."""
    flags = processor_flags()
    return next(isa for flag, isa in LIKWID_ISA if flag in flags)


def likwid(
    kernel: str, array_bytes: int, threads: int, runs: int, unit: int = 1000
) -> tuple[float, list[int]]:
    """MB/s of one likwid-bench run, and the CPUs that it used.

    Its arrays get huge pages as ours do, through a tunable of glibc (2.35 and later). ``unit`` is
    what the size is given in: kB, or bytes (1) where the kB would be too coarse.
    """
    facts = capture(["likwid-bench", "-l", kernel])
    streams = int(found(r"Number of streams: (\d+)", facts))
    size = f"{array_bytes * streams // unit}{'B' if unit == 1 else 'kB'}"
    text = capture(
        ["likwid-bench", "-t", kernel, "-i", str(runs), "-w", f"N:{size}:{threads}"],
        GLIBC_TUNABLES="glibc.malloc.hugetlb=1",
    )
    cpus = list(dict.fromkeys(map(int, re.findall(r"running on hwthread (\d+)", text))))
    return float(found(r"MByte/s:\s*([\d.]+)", text)), cpus


def compile_plain(array_bytes: int) -> Path:
    """Compiles bench/plain_openmp.c the way its users would; the program's path."""
    program = BENCH.parent / "build" / "bench" / "plain_openmp"
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = ["-O3", "-march=native", "-fopenmp", "-mcmodel=medium"]
    size = f"-DELEMENTS={array_bytes // 8}"
    capture(["cc", *flags, size, "-o", str(program), str(BENCH / "plain_openmp.c")])
    return program


def likwid_variants(families: tuple[str, ...]) -> list[str]:
    """All of likwid-bench's double precision variants of those kernels that this processor runs."""
    flags = processor_flags()
    usable = {isa for flag, isa in LIKWID_ISA if flag in flags} | {""}
    names = re.findall(r"^(\w+) - ", capture(["likwid-bench", "-a"]), re.M)
    found = []
    for name in names:
        match = re.fullmatch(r"([a-z]+?)(_mem)?(?:_(sse|avx|avx512))?(_fma)?", name)
        if match and match[1] in families and (match[3] or "") in usable:
            found.append(name)
    return found


def latency_ns(size: int, window: int | None = None) -> float:
    """Nanoseconds of a load that waits for the one before it, in so many bytes.

    ``window``: at random within parts of so many bytes, which are gone through in turn; None: at
    random through all.
    """
    program = BENCH.parent / "build" / "bench" / "latency"
    program.parent.mkdir(parents=True, exist_ok=True)
    capture(["cc", "-O2", "-o", str(program), str(BENCH / "latency.c")])
    return float(capture([str(program), str(size // 1024), str((window or size) // 1024)]))


def plain(program: Path, kernel: str, array_bytes: int, cpus: list[int], runs: int) -> float:
    """MB/s of one run of the compiled loops on those CPUs."""
    seconds = float(
        capture(
            [str(program), str(runs), kernel],
            OMP_NUM_THREADS=str(len(cpus)),
            OMP_PROC_BIND="true",
            OMP_PLACES=",".join(f"{{{cpu}}}" for cpu in cpus),
        )
    )
    return FACTS[kernel] * array_bytes / seconds / 1e6


def rule_bytes() -> int:
    """Bytes of an array by STREAM's rule, as the engine finds it for all cores."""
    return next(
        int(record["array_bytes"])
        for record in records_of({"schema": 1, "kernels": ["copy"], "sampling": ONE_SAMPLE})
        if record["record"] == "memory"
    )


def engine(
    kernel: str,
    store: str,
    array_bytes: int,
    cpus: list[int],
    runs: int,
    *,
    isas: list[str] | None = None,
) -> float:
    """MB/s of one run of the engine on those CPUs, from the mean time as the peers give it."""
    plan = {
        "isas": isas,
        "schema": 1,
        "kernels": [kernel],
        "stores": [store],
        "placement": {"kind": "cpus", "cpus": cpus},
        "array_bytes": array_bytes,
        "sampling": ONE_SAMPLE | {"min_samples": runs, "look_every": runs, "max_samples": runs},
    }
    seconds = [
        record["seconds"] / record["passes"]
        for record in records_of(plan)
        if record["record"] == "sample" and record["role"] == "timed"
    ]
    return float(FACTS[kernel] * array_bytes * len(seconds) / sum(seconds) / 1e6)


def processor_flags() -> set[str]:
    """The flags of the processor in /proc/cpuinfo."""
    return set(found(r"(?m)^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text()).split())


def records_of(plan: Mapping[str, object]) -> list[dict[str, Any]]:
    """Run the engine (STREAMGAGE_ENGINE, or next to this Python), and return its records."""
    done = subprocess.run(
        [find_engine(), "--plan", "-"],
        input=msgspec.json.encode(plan),
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"bench: {done.stderr.decode().strip()}")
    return [msgspec.json.decode(line) for line in done.stdout.splitlines()]

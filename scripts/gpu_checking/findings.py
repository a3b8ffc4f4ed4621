"""What the probes find, one line of JSON each, declared once for writer and reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO, TypeVar


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A line of a probe's file. ``kind`` is the name of its class."""


@dataclass(frozen=True, kw_only=True)
class GpuFacts(Finding):
    """What CUDA's driver says of the GPU; 0 stands for an attribute that it does not know."""

    name: str
    pci_address: str
    driver_version: int
    memory_bytes: int
    units: int
    major: int
    minor: int
    memory_kilohertz: int
    bus_bits: int
    cache_bytes: int
    integrated: bool


@dataclass(frozen=True, kw_only=True)
class Compilation(Finding):
    """How the driver took one PTX text of the engine."""

    module: str
    kernels: int
    code: int
    seconds: float
    for_this_gpu: bool
    """Whether its target is not newer than the GPU."""


@dataclass(frozen=True, kw_only=True)
class WrongResult(Finding):
    """A launch that left a wrong element or a wrong sum."""

    entry: str
    items: int
    groups: int
    stages: int
    passes: int


@dataclass(frozen=True, kw_only=True)
class ProvenLaunches(Finding):
    """How many launches of an element type were compared, and whether that were all."""

    element_type: str
    launches: int
    wrong: int


@dataclass(frozen=True, kw_only=True)
class ClockReading(Finding):
    """So many launches in a row, by both clocks; ``bytes`` is 0 for launches without work."""

    launches: int
    bytes: int
    event_seconds: float
    host_seconds: float


@dataclass(frozen=True, kw_only=True)
class ShapeRate(Finding):
    """The rate of one kernel in one shape."""

    kernel: str
    entry: str
    items: int
    groups: int
    stages: int
    array_bytes: int
    launches: int
    gbps: float
    standard: bool = False
    """Whether it is the shape that the engine calls standard."""


@dataclass(frozen=True, kw_only=True)
class HintRate(Finding):
    """The rate of a kernel whose loads or stores got another cache hint."""

    kernel: str
    hint: str
    """Empty: as the engine has it."""
    code: int
    """The driver's answer to the changed PTX; ``gbps`` is 0 unless it is 0."""
    gbps: float


@dataclass(frozen=True, kw_only=True)
class LadderRate(Finding):
    """The rate over a working set: all passes inside one launch, or one pass a launch."""

    bytes: int
    passes_inside: int
    gbps: float


@dataclass(frozen=True, kw_only=True)
class ChainTime(Finding):
    """The time of a load that depends on the one before."""

    bytes: int
    link: str
    """``address`` as the engine has it, or ``offset``."""
    seconds: float


@dataclass(frozen=True, kw_only=True)
class WarmRate(Finding):
    """The rate of one of the samples after a pause."""

    pause_seconds: float
    number: int
    gbps: float


@dataclass(frozen=True, kw_only=True)
class CopyRate(Finding):
    """The rate of copies of pinned memory, or on the device, by both clocks."""

    way: str
    """``to-device``, ``from-device`` as ``links`` calls them, or ``on-device``."""
    bytes: int
    event_gbps: float
    host_gbps: float


_KINDS = {kind.__name__: kind for kind in Finding.__subclasses__()}
FindingType = TypeVar("FindingType", bound=Finding)


class FindingWriter:
    """Writes findings as they come, so that a probe which is ended leaves what it found."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __call__(self, finding: Finding) -> None:
        """Write one finding."""
        line = json.dumps({"kind": type(finding).__name__, **asdict(finding)})
        self._file.write(line + "\n")
        self._file.flush()


def read_findings(file: Path) -> Iterator[Finding]:
    """The findings of a file. A last line that was cut is left out."""
    for line in file.read_text("utf-8").splitlines():
        try:
            fields = json.loads(line)
        except ValueError:
            continue
        yield _KINDS[fields.pop("kind")](**fields)

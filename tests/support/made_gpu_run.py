"""A folder of `scripts/gpu_check` in which every claim holds, made without a GPU."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpu_checking.findings import (
    ChainTime,
    ClockReading,
    Compilation,
    CopyRate,
    Finding,
    FindingWriter,
    HintRate,
    LadderRate,
    ProvenLaunches,
    ShapeRate,
    WarmRate,
)
from gpu_checking.recorded import CommandRecord, Recorded, StepRecord, write_step

GIB = 1 << 30
UUID = "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01"
DEVICE = {
    "id": "cuda:0",
    "name": "NVIDIA H200",
    "driver": "CUDA 12.8; driver 570.86.15",
    "kind": "gpu",
    "uuid": UUID,
    "pci_address": "0000:3b:00.0",
    "clock_hertz": 1.98e9,
    "memory_bytes": 141 * GIB,
    "cache_bytes": 60 << 20,
}
RATES = {
    "init": 4000.0,
    "sum": 4300.0,
    "dot": 4350.0,
    "copy": 4050.0,
    "triad": 4150.0,
    "update": 4100.0,
    "daxpy": 4120.0,
    "sdaxpy": 4140.0,
    "bracket": 4160.0,
}
RACED = ("init", "sum", "dot", "copy", "triad", "bracket")


def said(output: str, *words: str, status: int | None = 0, seconds: float = 1.0) -> CommandRecord:
    """A command with what it printed."""
    return CommandRecord(list(words), status, seconds, output)


def rate(
    kernel: str, shape: str, gbps: float, *, launches: int = 2, standard: bool = False
) -> ShapeRate:
    """A rate of the probe."""
    return ShapeRate(
        kernel=kernel,
        entry=f"streamgage_{kernel}_double_{shape}",
        items=256,
        groups=4,
        stages=0,
        array_bytes=GIB,
        launches=launches,
        gbps=gbps,
        standard=standard,
    )


def made_findings() -> dict[str, list[Finding]]:
    """Of all probes."""
    shapes: list[Finding] = [
        finding
        for kernel in RACED
        for finding in (
            rate(kernel, "1_1", 0.96 * RATES[kernel], standard=True),
            rate(kernel, "2_4", 1.01 * RATES[kernel]),
        )
    ]
    return {
        "compiler": [
            Compilation(
                module="streamgage_copy_double_1_1",
                kernels=20,
                code=0,
                seconds=0.2,
                for_this_gpu=True,
            )
        ],
        "results": [
            ProvenLaunches(element_type=name, launches=4000, wrong=0)
            for name in ("double", "float")
        ],
        "clock": [
            ClockReading(launches=count, bytes=size * count, event_seconds=seconds, host_seconds=1)
            for count, size, seconds in (
                (1, 0, 5e-6),
                (101, 0, 205e-6),
                (1, 3 * GIB, 8e-4),
                (101, 3 * GIB, 101 * 7.8e-4),
            )
        ],
        "sizes": [
            rate("triad", "1_1", gbps, launches=launches)
            for launches, gbps in ((1, 4140.0), (32, 4150.0))
        ],
        "shapes": shapes,
        "hints": [
            HintRate(kernel="triad", hint=hint, code=0, gbps=gbps)
            for hint, gbps in (("", 4150.0), ("nc", 4160.0))
        ],
        "launches": [
            LadderRate(bytes=480 << 20, passes_inside=passes, gbps=gbps)
            for passes, gbps in ((1, 4100.0), (21, 4150.0))
        ],
        "chain": [
            ChainTime(bytes=256 << 20, link=link, seconds=seconds)
            for link, seconds in (("address", 600e-9), ("offset", 605e-9))
        ],
        "warm": [
            WarmRate(pause_seconds=5.0, number=number, gbps=4100.0 + number) for number in range(60)
        ],
        "copies": [
            CopyRate(way=way, bytes=GIB, event_gbps=55.0, host_gbps=54.9)
            for way in ("to-device", "from-device")
        ],
    }


def kernel_row(
    kernel: str, gbps: float, *, tuned: bool = False, valid: bool = True
) -> dict[str, object]:
    """A row of a result of ``measure``."""
    return {"kernel": kernel, "tuned": tuned, "median_gbps": gbps, "valid": valid}


def measured(factor: float = 1.0, size: int = GIB) -> dict[str, Any]:
    """A result of ``measure``."""
    return {
        "device": dict(DEVICE),
        "setup": {"array_bytes": size},
        "kernels": [kernel_row(kernel, factor * gbps) for kernel, gbps in RATES.items()],
        "peak": {"gbps": 4917.0, "source": "driver"},
        "expected": [
            {
                "kernel": "triad",
                "values": [{"low_gbps": 4150.0, "page": "example.org/h200"}],
            }
        ],
    }


def made_documents() -> dict[str, dict[str, Any]]:
    """The results of all commands."""
    own = measured()
    own["kernels"].append(kernel_row("device-triad", 4100.0))
    cell = {"row": "pinned", "column": "cuda:0", "value": 54.0}
    return {
        "measure_cold": measured(0.995),
        "measure_warm": measured(),
        "measure_large": measured(1.005, 4 * GIB),
        "measure_float": measured(0.99),
        "own_kernel": own,
        "check": {"runs": [{"figures": [{"kernel": "triad", "gbps": 4050.0}]}]},
        "links": {"tests": [{"test": "to-device", "cells": [cell]}]},
        "latency": {"idle": [{"bytes": 256 << 20, "seconds": {"value": 610e-9}}]},
        "ladder": {"curves": [{"points": [{"bytes": 240 << 20, "gbps": {"value": 4200.0}}]}]},
    }


def made_records() -> dict[str, list[dict[str, Any]]]:
    """The records of the runs."""
    clock = {
        "record": "device-clock",
        "timed_by": "events",
        "launch_seconds": 5e-6,
        "event_seconds": 0.0029,
        "host_seconds": 0.003,
    }
    return {
        "measure_cold": [{"record": "validation", "valid": True, "checked": 1 << 27}],
        "measure_warm": [
            clock,
            {"record": "tuning", "kernel": "triad", "untried": 0},
            {"record": "device-state", "core_hertz_low": 1.9e9, "slowed_by": []},
            {"record": "validation", "valid": True, "checked": 1 << 27},
        ],
    }


def made_outputs() -> dict[str, list[CommandRecord]]:
    """What commands printed."""
    refused = "streamgage: there is no device cuda:99; there is cuda:0 (NVIDIA H200).\n"
    return {
        "system": [said(f"GPU 0: NVIDIA H200 (UUID: {UUID})\n", "nvidia-smi", "-L")],
        "refusals": [said(refused, "measure", status=2)],
        "without_jit": [said("", "measure")],
    }


@dataclass
class MadeRun:
    """What a run recorded; tests spoil a part of it before it is written."""

    device: dict[str, Any] = field(default_factory=lambda: dict(DEVICE))
    size_bytes: int | None = None
    findings: dict[str, list[Finding]] = field(default_factory=made_findings)
    documents: dict[str, dict[str, Any]] = field(default_factory=made_documents)
    records: dict[str, list[dict[str, Any]]] = field(default_factory=made_records)
    outputs: dict[str, list[CommandRecord]] = field(default_factory=made_outputs)

    def write(self, folder: Path) -> Recorded:
        """Write all files as a run does."""
        request = {"device": "cuda:0", "size_bytes": self.size_bytes}
        (folder / "request.json").write_text(json.dumps(request), "utf-8")
        listing = {"record": "devices", "name": "all", "devices": [self.device], "reasons": []}
        listed = json.dumps(listing, separators=(",", ":"))
        outputs = self.outputs | {"listed": [said(listed, "streamgage-engine", "--devices")]}
        for name in {*outputs, *self.findings, *self.documents}:
            commands = outputs.get(name, [said("", name, seconds=30.0)])
            write_step(folder, StepRecord(name, 60.0, 30.0, None, commands))
        for probe, findings in self.findings.items():
            with (folder / f"{probe}.jsonl").open("w", encoding="utf-8") as file:
                write = FindingWriter(file)
                for finding in findings:
                    write(finding)
        for step, document in self.documents.items():
            (folder / f"{step}.json").write_text(json.dumps(document), "utf-8")
        for step, records in self.records.items():
            lines = "".join(json.dumps(record) + "\n" for record in records)
            (folder / f"{step}.records.jsonl").write_text(lines, "utf-8")
        return Recorded(folder)

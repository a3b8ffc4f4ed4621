"""Devices that are not there, by the real engine: on machines with OpenCL and without."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_runs import refusal
from programs import WAIT_SECONDS, one_sentence, streamgage
from schemas import validator

from streamgage.plan import Placement, Plan, Tier
from streamgage.records import AccessShape, Sampling

PLAN = Plan(
    device="opencl:0",
    kernels=["copy"],
    array_bytes=65536,
    sampling=Sampling(min_samples=2, look_every=1, max_samples=2, budget_seconds=10),
)
change = msgspec.structs.replace


NAMES = [
    "",
    "gpu",
    "cuda",
    "cuda:x",
    "cuda:0 ",
    "hip:",
    "opencl",
    "opencl:",
    "opencl:-1",
    "opencl:x",
    "opencl:0 ",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_none_is_refused(engine: Path, name: str) -> None:
    said = refusal(engine, change(PLAN, device=name))
    assert said == (
        f"there is no device '{name}': name one by its driver and number, such as cuda:0, hip:0 or"
        " opencl:0."
    )


OF_PROCESSORS: dict[str, Any] = {
    "stores": ["plain"],
    "isas": ["AVX2"],
    "shape": AccessShape(streams=2),
    "alignment_bytes": 64,
    "memory_nodes": [0],
    "evidence": ["update"],
    "init": "random",
    "checks": True,
    "idle_latency": True,
    "core_clock": True,
    "counters": True,
    "tiers": [Tier(kernels=["copy"])],
    "placement": Placement(threads=2),
}


@pytest.mark.parametrize("field", OF_PROCESSORS)
def test_a_plan_for_a_device_chooses_nothing_of_a_processor(engine: Path, field: str) -> None:
    plan = change(PLAN, **{field: OF_PROCESSORS[field]})
    said = refusal(engine, plan)
    assert "the plan names a device" in said
    assert field in said


@pytest.mark.parametrize("command", ["measure", "latency", "ladder"])
def test_a_driver_that_is_not_there_is_one_sentence(
    engine: Path, tmp_path: Path, command: str
) -> None:
    drivers = tmp_path / "drivers"
    drivers.mkdir()
    run = streamgage(
        *(command, "--device", "opencl:0"),
        folder=tmp_path,
        engine=engine,
        OCL_ICD_VENDORS=f"{drivers}/",
    )
    assert (run.returncode, run.stdout) == (2, "")
    said = one_sentence(run.stderr)
    nothing = "there is no OpenCL on this system (libOpenCL.so.1"
    assert said.startswith((nothing, "OpenCL finds no driver of a device; install"))


def test_without_a_driver_all_devices_are_none_and_the_reason_is_said(
    engine: Path, tmp_path: Path
) -> None:
    drivers = tmp_path / "drivers"
    drivers.mkdir()
    run = subprocess.run(
        [engine, "--devices", "all"],
        capture_output=True,
        timeout=WAIT_SECONDS,
        check=True,
        env={**os.environ, "OCL_ICD_VENDORS": f"{drivers}/"},
    )
    listed = json.loads(run.stdout)
    validator("records").validate(listed)
    assert (listed["name"], listed["devices"]) == ("all", [])
    assert len(listed["reasons"]) == 3, "by CUDA, by HIP and by OpenCL"

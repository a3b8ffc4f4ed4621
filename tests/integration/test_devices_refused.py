"""Devices that are not there, by the real engine: on machines with OpenCL and without."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from driver_probes import build_opencl, leave_out
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


@pytest.mark.parametrize("command", ["measure", "latency", "ladder", "check"])
@pytest.mark.parametrize(
    ("driver", "install"),
    [
        ("cuda", "there is no CUDA driver on this system ({}): install NVIDIA's driver of the GPU"),
        (
            "hip",
            "there is no HIP on this system ({}): install ROCm's HIP runtime, or set ROCM_PATH to"
            " the folder of ROCm",
        ),
        (
            "opencl",
            "there is no OpenCL on this system ({}): install the OpenCL of the device's driver, or"
            " on Debian ocl-icd-libopencl1",
        ),
    ],
)
def test_a_device_whose_driver_is_not_there_is_named_with_what_to_install(
    engine: Path, tmp_path: Path, command: str, driver: str, install: str
) -> None:
    leave_out(tmp_path, driver)
    said = refused(engine, tmp_path, command, f"{driver}:9")
    before, after = f"{driver}:9: {install}.".split("{}")
    assert said.startswith(before)
    assert said.endswith(after)


OPENCL_WITHOUT = {
    "a driver": (r"\w+", "OpenCL finds no driver of a device; install that of the GPU"),
    "a function": (r"(?!Finish)\w+", "libOpenCL.so.1 has no function clFinish"),
}


@pytest.mark.parametrize("part", OPENCL_WITHOUT)
def test_a_device_by_an_opencl_that_lacks_a_part_is_named_with_what_to_install(
    engine: Path, tmp_path: Path, part: str
) -> None:
    functions, reason = OPENCL_WITHOUT[part]
    build_opencl(tmp_path, functions)
    assert refused(engine, tmp_path, "check", "opencl:9").startswith(f"opencl:9: {reason}")


def refused(engine: Path, libraries: Path, command: str, device: str) -> str:
    """What is said where these libraries come before the system's."""
    run = streamgage(
        *(command, "--device", device),
        folder=libraries,
        engine=engine,
        LD_LIBRARY_PATH=str(libraries),
        ROCM_PATH=str(libraries),
        HWLOC_PLUGINS_BLACKLIST="hwloc_opencl.so",  # hwloc's own use of OpenCL wants a whole one
    )
    assert (run.returncode, run.stdout) == (2, "")
    return one_sentence(run.stderr)


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

"""Devices for real: all kernels on PoCL, the OpenCL driver whose device is the processor."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_runs import ALL_KERNELS, of_kind, records, refusal, run_engine
from programs import one_sentence, real_engine, streamgage
from schemas import validator

from streamgage.plan import Plan, Tuning
from streamgage.records import ElementType, Sampling

FEW = Sampling(min_samples=4, look_every=4, max_samples=4, budget_seconds=300, epoch_blocks=2)
PLAN = Plan(device="opencl:0", kernels=ALL_KERNELS, array_bytes=4 << 20, sampling=FEW, seed=7)
change = msgspec.structs.replace


@pytest.fixture(scope="session", name="engine")
def fixture_engine() -> Path:
    return real_engine()


@pytest.fixture(scope="session", autouse=True)
def _cache_of_pocl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """PoCL keeps what it compiled; the tests' homes are gone after each test."""
    os.environ["POCL_CACHE_DIR"] = str(tmp_path_factory.mktemp("pocl"))
    yield
    del os.environ["POCL_CACHE_DIR"]


@pytest.mark.parametrize("element_type", ["double", "float"])
def test_every_kernel_is_right_to_the_last_element(engine: Path, element_type: ElementType) -> None:
    lines = records(engine, change(PLAN, type=element_type))
    for each in lines:
        validator("records").validate(each)
    assert [each["kernel"] for each in of_kind(lines, "variant")] == ALL_KERNELS
    elements = (4 << 20) // (8 if element_type == "double" else 4)
    for each in of_kind(lines, "validation"):
        kernel = of_kind(lines, "variant")[each["variant"]]["kernel"]
        assert (each["valid"], each["wrong"], each["spot_failures"]) == (True, 0, 0), kernel
        assert each["checked"] == (1 if kernel in ("sum", "dot") else elements)
    timed = [each for each in of_kind(lines, "sample") if each["role"] == "timed"]
    samples = Counter(each["variant"] for each in timed)
    assert set(samples) == set(range(len(ALL_KERNELS)))
    assert min(samples.values()) == 4
    assert {0, 1} <= {each["epoch"] for each in timed}, "arrays are allocated again"
    assert lines[-1]["reason"] == "complete"


@pytest.mark.parametrize("array_bytes", [64, 100, 100_008, (1 << 20) + 64])
def test_arrays_of_odd_sizes_are_right(engine: Path, array_bytes: int) -> None:
    lines = records(engine, change(PLAN, kernels=["triad", "dot"], array_bytes=array_bytes))
    assert all(each["valid"] for each in of_kind(lines, "validation"))
    (memory, *_) = of_kind(lines, "memory")
    assert memory["array_bytes"] == array_bytes // 64 * 64


def test_the_device_is_described_with_its_clock(engine: Path) -> None:
    lines = records(engine, change(PLAN, kernels=["copy"]))
    (device,), (clock,) = of_kind(lines, "device"), of_kind(lines, "device-clock")
    assert (device["id"], device["kind"], device["has_double"]) == ("opencl:0", "cpu", True)
    assert "Portable Computing Language" in device["driver"]
    assert device["compute_units"] > 0
    assert clock["launch_seconds"] > 0
    assert clock["host_seconds"] > 0
    assert of_kind(lines, "placement") == []


@pytest.mark.parametrize("kernels", [["triad"], ["dot"]], ids=str)
def test_shapes_are_raced_and_those_that_gain_are_measured_and_right(
    engine: Path, kernels: list[str]
) -> None:
    plan = change(PLAN, kernels=kernels, tuning=Tuning(budget_seconds=20), type="float")
    lines = records(engine, plan)
    (tuning,) = of_kind(lines, "tuning")
    assert tuning["candidates"] > 1
    assert tuning["samples"] > 1
    assert tuning["tuned"] == (tuning["shape"] == tuning["fastest"] and tuning["pairs"] > 0)
    variants = of_kind(lines, "variant")
    assert [each["tuned"] for each in variants] == [False, True][: 1 + tuning["tuned"]]
    assert variants[0]["shape"]["device"]["loads"] == 1
    assert variants[-1]["shape"] == tuning["shape"]
    assert all(each["valid"] for each in of_kind(lines, "validation"))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"device": "opencl:99"}, "there is no device opencl:99; there is opencl:0 ("),
        ({"array_bytes": 1 << 50}, " gives no array of "),
        ({"kernels": ["quad"]}, "there is no kernel 'quad'"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_what_the_device_cannot_do_is_one_sentence(
    engine: Path, changed: dict[str, Any], words: str
) -> None:
    assert words in refusal(engine, change(PLAN, **changed))


def test_what_a_driver_prints_is_not_among_the_records(
    engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POCL_DEBUG", "all")
    run = run_engine(engine, msgspec.json.encode(change(PLAN, kernels=["copy"])))
    assert run.returncode == 0
    assert all(json.loads(line)["record"] for line in run.stdout.splitlines())


def test_a_device_is_measured_shown_kept_and_compared(engine: Path, tmp_path: Path) -> None:
    for _ in range(2):
        run = streamgage(
            *("measure", "--device", "opencl:0", "--quick", "--kernels", "copy,triad,sum"),
            *("--size", "4MiB", "--no-tune"),
            folder=tmp_path,
            engine=engine,
        )
        assert run.returncode == 0, run.stderr
        assert "compute unit" in run.stdout
    shown = streamgage("show", "last", "--details", folder=tmp_path, engine=engine)
    assert "3 variants validated element by element" in shown.stdout
    as_json = streamgage("show", "last", "--format", "json", folder=tmp_path, engine=engine)
    document = json.loads(as_json.stdout)
    validator("measure").validate(document)
    assert document["device"]["id"] == "opencl:0"
    assert all(each["valid"] for each in document["kernels"])
    report = streamgage("report", "last", "-o", "device.html", folder=tmp_path, engine=engine)
    assert report.returncode == 0, report.stderr
    page = (tmp_path / "device.html").read_text("utf-8")
    assert document["device"]["name"] in page
    assert "Samples timed by" in page
    compared = streamgage("compare", "last-1", "last", folder=tmp_path, engine=engine)
    assert compared.returncode in (0, 3), compared.stderr
    assert "triad plain" in compared.stdout


def test_a_device_that_is_not_there_leaves_nothing_behind(engine: Path, tmp_path: Path) -> None:
    run = streamgage("measure", "--device", "opencl:99", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith("there is no device opencl:99")

"""``streamgage links``, with engines that print made records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from example_device import DEVICE, engine_with_devices
from example_links import GPUS, OTHER, link_records
from programs import one_sentence, streamgage

MIB = 1 << 20


def plans_in(folder: Path) -> list[dict[str, Any]]:
    numbers = range(1, 1 + len(list(folder.glob("plan-*"))))
    return [json.loads((folder / f"plan-{each}").read_bytes()) for each in numbers]


def test_each_device_has_a_process_of_its_own(tmp_path: Path) -> None:
    engine = engine_with_devices(tmp_path, [DEVICE, OTHER], link_records())
    options = ["--size", "64MiB", "--rounds", "2", "--format", "json"]
    run = streamgage("links", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    plans = plans_in(tmp_path)
    assert sorted(each["device"] for each in plans) == ["opencl:0"] * 2 + ["opencl:1"] * 2
    for plan in plans:
        assert (plan["copies"], plan["kernels"]) == (True, [])
        assert (plan["array_bytes"], plan["tuning"], plan["checks"]) == (64 * MIB, None, False)
    document = json.loads(run.stdout)
    assert [each["id"] for each in document["described"]] == ["opencl:0", "opencl:1"]
    assert len(document["runs"]) == 4
    assert "To see this again: streamgage show 1" in run.stderr


def test_each_pair_of_gpus_by_one_driver_has_a_process_too(tmp_path: Path) -> None:
    devices = [*GPUS, DEVICE, OTHER]
    engine = engine_with_devices(tmp_path, devices, link_records())
    run = streamgage("links", "--quick", "--format", "json", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    pairs = [(each["device"], each["peer"]) for each in plans_in(tmp_path) if each["peer"]]
    assert pairs == [("cuda:0", "cuda:1")], "none by OpenCL"
    names = sorted(each["device"] for each in json.loads(run.stdout)["runs"])
    assert names == ["cuda:0", "cuda:0 and cuda:1", "cuda:1", "opencl:0", "opencl:1"]


def test_the_size_is_the_engines_to_choose(tmp_path: Path) -> None:
    engine = engine_with_devices(tmp_path, [DEVICE], link_records())
    run = streamgage("links", "--device", "opencl:0", "--quick", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    (plan,) = plans_in(tmp_path)
    assert plan["array_bytes"] is None
    assert plan["sampling"]["budget_seconds"] == 2
    assert "copies of 128 MiB" in run.stdout


def test_without_a_device_there_is_nothing_to_measure(tmp_path: Path) -> None:
    engine = engine_with_devices(tmp_path, [], [])
    run = streamgage("links", "--device", "all", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith("There is no device")


def test_a_picture_has_its_data_next_to_it(tmp_path: Path) -> None:
    engine = engine_with_devices(tmp_path, [DEVICE], link_records())
    run = streamgage("links", "-o", "links.svg", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "links.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "links.csv").read_text().startswith("test,row,column,unit,value")


@pytest.mark.parametrize("options", [["--size", "none"], ["--rounds", "0"], ["--device", ""]])
def test_bad_usage_is_one_sentence(tmp_path: Path, options: list[str]) -> None:
    engine = engine_with_devices(tmp_path, [DEVICE], [])
    run = streamgage("links", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    one_sentence(run.stderr)
    assert plans_in(tmp_path) == []

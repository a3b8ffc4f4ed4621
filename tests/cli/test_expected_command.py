"""``streamgage expected``: what others publish, with its sources."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from programs import one_sentence, streamgage


def test_it_lists_all_that_is_known_with_sources(tmp_path: Path) -> None:
    run = streamgage("expected", folder=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    for words in ("NVIDIA Grace Hopper with 120 GB", "at least 410", "[1]", "nvidia.github.io/"):
        assert words in run.stdout


def test_a_processor_as_the_system_names_it_is_found(tmp_path: Path) -> None:
    name = "AMD EPYC 7742 64-Core Processor"
    run = streamgage("expected", name, "--format", "json", folder=tmp_path)
    answer = json.loads(run.stdout)
    values = answer["values"]
    assert answer["peak"]["gbps"] == 204.8
    assert {value["processor"] for value in values} == {name.rpartition(" 64-")[0][4:]}
    found = {(value["who"], value["kernel"], value["low_gbps"]) for value in values}
    assert {("CSCS", "triad", 220), ("EPCC", "triad", 219.4)} <= found
    assert all(value["page"].startswith("github.com/") for value in values)


def test_every_format_has_the_same_values(tmp_path: Path) -> None:
    known = json.loads(streamgage("expected", "--format", "json", folder=tmp_path).stdout)["values"]
    rows = csv.DictReader(
        io.StringIO(streamgage("expected", "--format", "csv", folder=tmp_path).stdout)
    )
    assert [row["hardware"] for row in rows] == [value["hardware"] for value in known]
    for form in ("markdown", "latex"):
        text = streamgage("expected", "grace", "--format", form, folder=tmp_path).stdout
        assert "at least 410" in text


def test_a_processor_by_its_usual_name_has_a_peak_and_a_share(tmp_path: Path) -> None:
    run = streamgage("expected", "EPYC 9654", "--rate", "187", folder=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    text = " ".join(run.stdout.split())
    assert "at most 460.8 GB/s for one processor (12 channels of DDR5-4800)" in text
    assert "187.0 GB/s is 41 % of it (less than is usual with a thread on every core)" in text
    form = streamgage("expected", "EPYC 9654", "--rate", "187", "--format", "json", folder=tmp_path)
    answer = json.loads(form.stdout)
    assert answer["rate_share"] == pytest.approx(187 / 460.8)
    assert answer["peak"]["usual_low"] == 0.7


def test_a_type_of_cloud_server_has_its_figures(tmp_path: Path) -> None:
    run = streamgage("expected", "m7i.metal", "--format", "json", folder=tmp_path)
    answer = json.loads(run.stdout)
    names = {(each["vendor"], each["server"]) for each in answer["servers"]}
    assert names == {("aws", "m7i.metal-24xl"), ("aws", "m7i.metal-48xl")}
    assert answer["peak"]["memory"] == "8 channels of DDR5-4800"


@pytest.mark.parametrize("rate", ["0", "-1", "fast", "1e300"])
def test_a_rate_that_is_none_is_one_sentence(tmp_path: Path, rate: str) -> None:
    run = streamgage("expected", "EPYC 9654", f"--rate={rate}", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "is not a number of GB/s" in one_sentence(run.stderr)


def test_a_rate_without_hardware_is_one_sentence(tmp_path: Path) -> None:
    run = streamgage("expected", "--rate", "187", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "--rate needs the hardware" in one_sentence(run.stderr)


@pytest.mark.parametrize("processor", ["Pentium", "x" * 500])
def test_an_unknown_processor_is_one_sentence(tmp_path: Path, processor: str) -> None:
    run = streamgage("expected", processor, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "`streamgage expected` lists" in one_sentence(run.stderr)

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
    values = json.loads(run.stdout)
    assert {value["processor"] for value in values} == {name.rpartition(" 64-")[0][4:]}
    found = {(value["who"], value["kernel"], value["low_gbps"]) for value in values}
    assert {("CSCS", "triad", 220), ("EPCC", "triad", 219.4)} <= found
    assert all(value["page"].startswith("github.com/") for value in values)


def test_every_format_has_the_same_values(tmp_path: Path) -> None:
    known = json.loads(streamgage("expected", "--format", "json", folder=tmp_path).stdout)
    rows = csv.DictReader(
        io.StringIO(streamgage("expected", "--format", "csv", folder=tmp_path).stdout)
    )
    assert [row["hardware"] for row in rows] == [value["hardware"] for value in known]
    for form in ("markdown", "latex"):
        text = streamgage("expected", "grace", "--format", form, folder=tmp_path).stdout
        assert "at least 410" in text


@pytest.mark.parametrize("processor", ["Pentium", "", "x" * 500])
def test_an_unknown_processor_is_one_sentence(tmp_path: Path, processor: str) -> None:
    run = streamgage("expected", processor, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "`streamgage expected` lists" in one_sentence(run.stderr)

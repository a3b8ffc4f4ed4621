"""Which sources of memory traffic the engine finds: here, and on machines that are made up."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cascade_lake import write_cascade_lake, write_recording
from programs import WAIT_SECONDS
from schemas import validator


def run(engine: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [engine, *arguments], capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
    )


def counters(engine: Path, *arguments: str | Path) -> dict[str, Any]:
    done = run(engine, "--counters", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    record = json.loads(line)
    validator("records").validate(record)
    assert isinstance(record, dict)
    return record


@pytest.fixture
def cascade_lake(tmp_path: Path) -> Path:
    return write_cascade_lake(tmp_path)


def test_this_machine_has_a_source_or_says_why_not(engine: Path, machine: dict[str, Any]) -> None:
    record = counters(engine)
    assert (record["root"], record["replayed"]) == (None, False)
    assert record["hypervisor"] == machine["hypervisor"]
    assert [each["source"].split()[0] for each in record["sources"]] == ["perf", "resctrl"]
    for each in record["sources"]:
        assert (each["state"] == "available") == (each["reason"] is None)
    available = [each["source"] for each in record["sources"] if each["state"] == "available"]
    assert record["source"] == (available[0] if available else None)


def test_a_made_up_machine_is_marked_and_not_opened(engine: Path, cascade_lake: Path) -> None:
    record = counters(engine, "--root", cascade_lake)
    assert record["root"] == str(cascade_lake)
    assert (record["source"], record["perf_event_paranoid"]) == (None, 4)
    perf = record["sources"][0]
    assert (perf["source"], perf["state"]) == ("perf uncore_imc", "rejected")
    assert "not this system's" in perf["reason"]
    assert [each["config"][0] for each in perf["counters"]] == ["0x304", "0xc04"]


def test_a_recording_is_marked_as_replayed(engine: Path, cascade_lake: Path) -> None:
    events = ["cas_count_read", "cas_count_write"]
    counted = {"value": 1, "enabled": 2, "running": 2}
    lines = [{"pmu": "uncore_imc_0", "event": event, "cpu": 0} | counted for event in events]
    path = write_recording(cascade_lake, lines)
    record = counters(engine, "--root", cascade_lake, "--replay", path)
    assert record["replayed"]
    assert record["source"] == "perf uncore_imc (replayed)"


def test_a_recorded_refusal_tells_the_level_and_what_to_set(
    engine: Path, cascade_lake: Path
) -> None:
    events = ["cas_count_read", "cas_count_write"]
    refused = [
        {"pmu": "uncore_imc_0", "event": event, "cpu": 0, "open": "EACCES"} for event in events
    ]
    path = write_recording(cascade_lake, refused)
    record = counters(engine, "--root", cascade_lake, "--replay", path)
    perf = record["sources"][0]
    assert (record["source"], perf["state"]) == (None, "rejected")
    assert "kernel.perf_event_paranoid is 4" in perf["reason"]
    assert "sysctl kernel.perf_event_paranoid=0" in perf["remedy"]


def test_a_recording_that_cannot_be_read_is_bad_usage(engine: Path, tmp_path: Path) -> None:
    done = run(engine, "--counters", "--replay", write_recording(tmp_path, [{"pmu": "x"}]))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "streamgage-engine: line 1 of the recording: it lacks 'pmu', 'event' or 'cpu'.\n"
    )


@pytest.mark.parametrize("others", [["--json"], ["--plan", "-"]], ids=" ".join)
def test_counters_go_with_no_other_option(engine: Path, others: list[str]) -> None:
    done = run(engine, "--counters", *others)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"streamgage-engine: --counters does not work with {others[0]}; leave one of them out.\n"
    )


def test_two_commands_exclude_each_other(engine: Path) -> None:
    done = run(engine, "--counters", "--machine")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "streamgage-engine: --machine and --counters exclude each other: give one of them.\n"
    )


def test_the_folder_of_a_made_up_machine_is_for_counters_alone(engine: Path) -> None:
    assert run(engine, "--machine", "--root", "/").returncode == 2

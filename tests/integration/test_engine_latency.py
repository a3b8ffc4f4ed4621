"""Idle latency, as the engine measures it alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from programs import WAIT_SECONDS
from schemas import validator

from streamgage.cpu_list import list_cpus


def run(engine: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [engine, *arguments], capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
    )


def test_latency_alone_is_one_valid_record(engine: Path, machine: dict[str, Any]) -> None:
    done = run(engine, "--latency")
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    latency = json.loads(line)
    validator("records").validate(latency)
    assert 0 < latency["minimum"] <= latency["seconds"] <= latency["maximum"]
    assert latency["repeats"] >= 7
    assert 64 << 20 <= latency["bytes"] <= 1 << 30
    assert latency["cpu"] in list_cpus(machine["allowed_cpus"])


@pytest.mark.parametrize("others", [["--json"], ["--plan", "-"], ["--threads", "1"]], ids=" ".join)
def test_latency_goes_with_no_other_option(engine: Path, others: list[str]) -> None:
    done = run(engine, "--latency", *others)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"streamgage-engine: --latency does not work with {others[0]}; leave one of them out.\n"
    )

"""Runs the engine by a plan, as the Python program does, and reads its records."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
from programs import WAIT_SECONDS
from schemas import validator

from streamgage.plan import Plan

ALL_KERNELS = [
    *("init", "sum", "dot", "copy", "scale", "update"),
    *("add", "triad", "daxpy", "striad", "sdaxpy", "bracket"),
]


def run_engine(engine: Path, plan: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [engine, "--plan", "-"], input=plan, capture_output=True, timeout=WAIT_SECONDS, check=False
    )


def records(engine: Path, plan: Plan) -> list[dict[str, Any]]:
    encoded = msgspec.json.encode(plan)
    validator("plan").validate(json.loads(encoded))
    run = run_engine(engine, encoded)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stdout.endswith(b"\n")
    return [json.loads(line) for line in run.stdout.splitlines()]


def of_kind(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The records of one kind."""
    return [record for record in lines if record["record"] == kind]


def refusal(engine: Path, plan: Plan) -> str:
    """The one sentence with which the engine refuses a plan."""
    run = run_engine(engine, msgspec.json.encode(plan))
    assert (run.returncode, run.stdout) == (2, b"")
    (line,) = run.stderr.decode().splitlines()
    return line.removeprefix("streamgage-engine: ")

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from engine_runs import refusal
from programs import real_engine
from short_engine import write_engine

from streamgage.plan import Plan
from streamgage.records import Sampling

FEW = Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=1)


@pytest.fixture(scope="session")
def engine() -> Path:
    """The real engine; without one these tests fail, they are never skipped."""
    return real_engine()


@pytest.fixture(scope="session")
def few(engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real engine, asked for few samples: where a test is not about the samples."""
    return write_engine(engine, tmp_path_factory.mktemp("engines"))


@pytest.fixture(scope="session")
def machine(engine: Path) -> dict[str, Any]:
    """The machine's record as ``--machine`` prints it."""
    run = subprocess.run([engine, "--machine"], capture_output=True, check=True)
    assert (run.stdout.count(b"\n"), run.stderr) == (1, b"")
    record = json.loads(run.stdout)
    assert isinstance(record, dict)
    return record


@pytest.fixture(scope="session")
def above_the_caches(machine: dict[str, Any]) -> int:
    """A size of arrays for one thread that is raced: more than its last-level cache holds."""
    caches = [each for each in machine["caches"] if each["kind"] != "instruction"]
    last = max(caches, key=lambda each: int(each["level"]), default={"bytes": 8 << 20})
    return int(last["bytes"]) * 9 // 8


@pytest.fixture(scope="session")
def isas(engine: Path) -> list[str]:
    """The instruction sets of vectors that this machine has, the best first."""
    said = refusal(engine, Plan(kernels=["copy"], isas=["none such"], sampling=FEW))
    names = re.fullmatch(r"there is no instruction set 'none such' here; choose from (.+)\.", said)
    assert names, said
    return names[1].split(", ")

"""`scripts/gpu_check` on PoCL, the OpenCL driver whose device is the processor."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gpu_checking.recorded import Recorded
from gpu_checking.summary import all_judged
from programs import REPOSITORY, WAIT_SECONDS, real_engine

DECIDED = ("device-listed", "measures-are-valid", "own-kernel-is-right", "refusals")
"""Claims that hold on PoCL, too. The others are about CUDA or about times."""


def test_what_is_tried_on_pocl_is_recorded_and_judged(tmp_path: Path) -> None:
    words = ("--device", "opencl:0", "--engine", str(real_engine()), "--size", str(1 << 20))
    steps = ("measure_warm", "links", "latency", "ladder", "own_kernel", "refusals")
    run = subprocess.run(
        [
            *(sys.executable, REPOSITORY / "scripts" / "gpu_check", tmp_path, *words),
            *("--steps", ",".join(steps)),
        ],
        capture_output=True,
        text=True,
        timeout=2 * WAIT_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    recorded = Recorded(tmp_path)
    assert {name: step.trouble for name, step in recorded.steps.items()} == dict.fromkeys(
        ("listed", *steps)
    )
    for step in steps[:-1]:
        assert recorded.document(step)["findings"] is not None
        assert (tmp_path / f"{step}.txt").stat().st_size > 0
    assert recorded.records("measure_warm", "device-clock")
    found = {result.name: result for result in all_judged(recorded)}
    assert {found[name].verdict for name in DECIDED} == {"holds"}
    assert found["ladder-ends-in-memory"].evidence == "the arrays were made small by --size"
    assert found["no-wrong-element"].evidence == "the step results did not run"

"""How `scripts/gpu_check` runs its steps, and shares the time between them."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest
from gpu_checking.recorded import Recorded, StepRecord, missing_device, write_step
from gpu_checking.steps import STEPS, Command, Run, Session, Step
from made_gpu_run import said


def steps_of(folder: Path, *steps: Step, seconds: float = 60) -> dict[str, StepRecord]:
    run = Run(folder, "cuda:0", Path("/bin/true"))
    Session(run, time.monotonic() + seconds).execute(steps)
    return Recorded(folder).steps


def python(name: str, code: str, *, seconds: float = 30, may_fail: bool = False) -> Step:
    command = Command([sys.executable, "-c", code])
    return Step(name, seconds, lambda _: [command], needs_device=False, may_fail=may_fail)


def test_a_step_that_fails_or_hangs_does_not_end_the_others(tmp_path: Path) -> None:
    found = steps_of(
        tmp_path,
        python("fails", "raise SystemExit('no such thing')"),
        python("hangs", "import time\nprint('begun', flush=True)\ntime.sleep(600)", seconds=2),
        python("works", "print('done')"),
    )
    assert found["fails"].trouble == "status 1: no such thing"
    assert found["hangs"].trouble == "it was ended at its limit of 2 s"
    assert found["hangs"].commands[0].output == "begun\n"
    assert found["works"].trouble is None
    assert "done" in (tmp_path / "works.txt").read_text("utf-8")


def test_a_step_without_time_is_left_out_and_says_so(tmp_path: Path) -> None:
    found = steps_of(tmp_path, python("late", ""), seconds=0)
    assert found["late"].trouble == "no time was left for it"


def test_steps_share_what_is_left_of_the_time(tmp_path: Path) -> None:
    found = steps_of(tmp_path, python("first", ""), python("second", ""), seconds=40)
    assert found["first"].limit_seconds == pytest.approx(20, abs=1)
    assert 20 < found["second"].limit_seconds <= 30


def test_all_steps_have_names_and_limits_of_their_own() -> None:
    names = [step.name for step in STEPS]
    assert len(names) == len(set(names))
    assert names.index("listed") < min(
        number for number, step in enumerate(STEPS) if step.needs_device
    )


def test_a_driver_that_is_missing_is_named_by_its_own_sentence() -> None:
    listing = {"record": "devices", "devices": [], "reasons": ["there is no HIP here (a): do b"]}
    line = json.dumps(listing, separators=(",", ":"))
    listed = StepRecord("listed", 1, 1, None, [said(line, "engine")])
    assert missing_device(listed, "hip:0") == "there is no HIP here"
    assert missing_device(listed, "cuda:0") == "the engine lists no cuda:0, but none at all"


def test_a_step_is_written_and_read_back(tmp_path: Path) -> None:
    step = StepRecord(
        "check", 25, 3.5, None, [said("a line\n", "streamgage", "check", status=None)]
    )
    write_step(tmp_path, step)
    assert Recorded(tmp_path).steps == {"check": step}

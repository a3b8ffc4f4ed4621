"""Two measurements on one machine do not run at the same time."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from programs import WAIT_SECONDS, one_sentence, start_streamgage, streamgage
from rank_runs import held

QUICK = ("--kernels", "sum", "--size", "1MiB", "--quick", "--no-tune", "--format", "json")
WAITING = (
    "waiting: another measurement (process {process} of user root, since 2026-01-31T12:00:00Z)"
)


def first_line(run: subprocess.Popen[str]) -> str:
    assert run.stderr is not None
    return run.stderr.readline()


def test_a_second_measurement_waits_and_says_for_whom(few: Path, tmp_path: Path) -> None:
    with held(tmp_path / "lock"):
        run = start_streamgage(*QUICK, folder=tmp_path, engine=few)
        said = first_line(run)
        assert run.poll() is None
    out, rest = run.communicate(timeout=WAIT_SECONDS)
    assert re.fullmatch(
        rf"streamgage: waiting: another measurement \(process {os.getpid()} of user \S+, since"
        rf" 2026-01-31T12:00:00Z\) holds the lock {re.escape(str(tmp_path))}/lock, and two at once"
        r" would spoil each other\.\n",
        said,
    )
    assert run.returncode == 0, rest
    assert "waiting" not in rest
    assert json.loads(out)["kernels"][0]["valid"] is True


def test_a_second_measurement_that_shall_not_wait_fails(engine: Path, tmp_path: Path) -> None:
    with held(tmp_path / "lock"):
        run = streamgage(*QUICK, "--no-wait", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert "measure when it has ended, or leave out --no-wait" in one_sentence(run.stderr)
    assert list((tmp_path / "state").rglob("*.jsonl")) == []


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_waiting(
    engine: Path, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    with held(tmp_path / "lock"):
        run = start_streamgage(*QUICK, folder=tmp_path, engine=engine)
        assert "waiting" in first_line(run)
        run.send_signal(number)
        out, rest = run.communicate(timeout=WAIT_SECONDS)
    assert (run.returncode, out) == (status, "")
    assert one_sentence(rest) == "streamgage-engine was stopped."


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--latency"], ["--plan", "plan"]])
def test_the_engine_alone_keeps_to_the_lock(
    engine: Path, tmp_path: Path, arguments: list[str]
) -> None:
    plan = {"schema": 1, "kernels": ["sum"], "sampling": {}}
    (tmp_path / "plan").write_text(json.dumps(plan))
    with held(tmp_path / "lock"):
        run = subprocess.run(
            [engine, *arguments, "--no-wait"], cwd=tmp_path, capture_output=True, text=True,
            timeout=WAIT_SECONDS, check=False,
        )  # fmt: skip
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("streamgage-engine: another measurement (process ")


@pytest.mark.parametrize("command", ["--machine", "--counters"])
def test_what_does_not_measure_takes_no_lock(engine: Path, tmp_path: Path, command: str) -> None:
    with held(tmp_path / "lock"):
        run = subprocess.run([engine, command], capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (0, "")
        run = subprocess.run(
            [engine, command, "--no-wait"], capture_output=True, text=True, check=False
        )
    assert (run.returncode, run.stdout) == (2, "")
    assert "--no-wait works only when something is measured" in run.stderr


def test_a_kernel_that_there_is_not_is_told_before_any_waiting(
    engine: Path, tmp_path: Path
) -> None:
    with held(tmp_path / "lock"):
        run = streamgage("--kernels", "nonsense", "--no-tune", folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "nonsense" in one_sentence(run.stderr)


def test_a_lock_that_cannot_be_had_costs_a_note(few: Path, tmp_path: Path) -> None:
    lock = tmp_path / "none" / "lock"
    run = streamgage(*QUICK, folder=tmp_path, engine=few, STREAMGAGE_LOCK=str(lock))
    assert run.returncode == 0
    assert json.loads(run.stdout)["kernels"]
    assert f"the lock {lock} cannot be used (No such file or directory)" in run.stderr


def test_none_names_no_lock(few: Path, tmp_path: Path) -> None:
    run = streamgage(*QUICK, folder=tmp_path, engine=few, STREAMGAGE_LOCK="none")
    assert run.returncode == 0
    assert "lock " not in run.stderr
    assert not (tmp_path / "lock").exists()

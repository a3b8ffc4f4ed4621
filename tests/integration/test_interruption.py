"""A run that is stopped keeps, shows and marks what it measured until then."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import WAIT_SECONDS, start_streamgage, streamgage

LONG = (
    *("--thorough", "--no-tune", "--size", "16MiB"),
    *("--format", "json", "--records", "run.jsonl"),
)


def has_shown_sample(file: Path) -> bool:
    """Whether the records hold a timed sample of what is shown, not only of a check's variant."""
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    records = [json.loads(line) for line in lines]
    shown = {each["id"] for each in records if each.get("purpose") == "rate"}
    return any(
        each["record"] == "sample" and each["role"] == "timed" and each["variant"] in shown
        for each in records
    )


def started(folder: Path, engine: Path) -> subprocess.Popen[str]:
    """A long run that has taken its first timed sample of what is shown."""
    run = start_streamgage(*LONG, folder=folder, engine=engine)
    wait_until(lambda: has_shown_sample(folder / "run.jsonl"), run)
    return run


def wait_until(true: Callable[[], bool], run: subprocess.Popen[str] | None = None) -> None:
    """Wait for a while; fail where it does not come true, or where ``run`` ends before."""
    end = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < end
        assert run is None or run.poll() is None
        time.sleep(0.02)


def engine_of(run: subprocess.Popen[str]) -> int:
    """Process number of the engine that the program started."""
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    assert len(children) == 1
    return int(children[0])


def codes(document: str) -> list[str]:
    return [finding["code"] for finding in json.loads(document)["findings"]]


@pytest.mark.parametrize(
    "ending",
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
@pytest.mark.parametrize("to_the_group", [False, True], ids=["to the program", "from a terminal"])
def test_a_signal_ends_the_run_after_its_sample(
    engine: Path, tmp_path: Path, ending: tuple[signal.Signals, int, str], to_the_group: bool
) -> None:
    number, status, reason = ending
    run = started(tmp_path, engine)
    if to_the_group:
        os.killpg(run.pid, number)
    else:
        run.send_signal(number)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == status, said
    document = json.loads(out)
    assert "unfinished" in codes(out)
    assert any(kernel["n"] > 0 for kernel in document["kernels"])
    assert document["quote"] is None
    assert "Traceback" not in said
    last = json.loads((tmp_path / "run.jsonl").read_bytes().splitlines()[-1])
    assert (last["record"], last["reason"]) == ("end", reason)


def test_a_signal_ends_the_search_for_shapes(
    engine: Path, tmp_path: Path, above_the_caches: int
) -> None:
    options = ["--thorough", "--retune", "--threads", "1", "--size", str(above_the_caches)]
    run = start_streamgage(
        *options, "--format", "json", "--records", "run.jsonl", folder=tmp_path, engine=engine
    )
    file = tmp_path / "run.jsonl"
    wait_until(lambda: file.exists() and b'"record":"kernel"' in file.read_bytes(), run)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130, said
    assert json.loads(out)["quote"] is None and "unfinished" in codes(out)
    records = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert (records[-1]["record"], records[-1]["reason"]) == ("end", "interrupted")
    assert [record for record in records if record["record"] == "sample"] == []


def test_an_engine_killed_outright_leaves_its_samples(engine: Path, tmp_path: Path) -> None:
    run = started(tmp_path, engine)
    os.kill(engine_of(run), signal.SIGKILL)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 1
    assert "unfinished" in codes(out)
    assert "streamgage-engine died: it was ended by SIGKILL" in said
    again = streamgage("show", "run.jsonl", "--format", "json", folder=tmp_path)
    assert again.stdout == out


def test_a_front_killed_outright_leaves_its_samples_and_no_engine(
    engine: Path, tmp_path: Path
) -> None:
    run = started(tmp_path, engine)
    child = engine_of(run)
    run.kill()
    run.communicate(timeout=WAIT_SECONDS)
    wait_until(lambda: state_of(child) in "ZX")  # the kernel asks it to end
    again = streamgage("show", "run.jsonl", "--format", "json", folder=tmp_path)
    assert again.returncode == 0
    assert "unfinished" in codes(again.stdout)
    last = json.loads((tmp_path / "run.jsonl").read_bytes().splitlines()[-1])
    assert (last["record"], last["reason"]) == ("end", "terminated")


def test_a_run_that_was_stopped_for_a_while_says_that_it_stood_still(
    engine: Path, tmp_path: Path
) -> None:
    run = started(tmp_path, engine)
    group = os.getpgid(engine_of(run))
    assert group != os.getpgid(run.pid)  # the front goes on and takes no harm
    os.killpg(group, signal.SIGSTOP)
    time.sleep(1.5)  # what is half a second long at least is a stop
    os.killpg(group, signal.SIGCONT)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130, said
    assert "paused" in codes(out)
    last = json.loads((tmp_path / "run.jsonl").read_bytes().splitlines()[-1])
    assert last["paused_seconds"] >= 0.5


def test_a_run_that_was_not_stopped_did_not_stand_still_and_has_the_priority_of_its_shell(
    engine: Path, tmp_path: Path
) -> None:
    for _ in range(10):
        (tmp_path / "run.jsonl").unlink(missing_ok=True)
        run = started(tmp_path, engine)
        run.send_signal(signal.SIGCONT)  # as a shell sends it to what runs already
        os.kill(engine_of(run), signal.SIGCONT)
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=WAIT_SECONDS)
        if "paused" not in codes(out):
            break  # else its threads had no CPU for half of the last second, as others had it
    assert "paused" not in codes(out)
    # The front lowers its own, and not that of the engine.
    assert json.loads(out)["machine"]["nice"] == os.getpriority(os.PRIO_PROCESS, 0)


@pytest.mark.parametrize("more", [0, 3])
def test_the_engine_reports_the_priority_that_it_was_started_with(engine: Path, more: int) -> None:
    command = ["nice", "-n", str(more), engine, "--machine"]
    machine = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert machine["nice"] == min(19, os.getpriority(os.PRIO_PROCESS, 0) + more)


def test_ctrl_z_stops_the_engine_too(engine: Path, tmp_path: Path) -> None:
    run = started(tmp_path, engine)
    child = engine_of(run)
    run.send_signal(signal.SIGTSTP)
    wait_until(lambda: state_of(child) == state_of(run.pid) == "T", run)
    run.send_signal(signal.SIGCONT)
    wait_until(lambda: state_of(child) != "T", run)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130


def state_of(process: int) -> str:
    """State letter of a process in /proc, ``X`` where it has gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"

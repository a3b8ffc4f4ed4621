"""The engine leaves what is not its own alone, ends when it is asked to, and says why."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import WAIT_SECONDS, start_streamgage
from test_interruption import has_shown_sample, state_of, wait_until
from test_ranks import both

PLAN = json.dumps({"schema": 1, "kernels": ["sum"], "array_bytes": 1 << 20, "sampling": {}})
LATENCY = json.dumps({"schema": 1, "measure": "latency", "chain_bytes": [1 << 14], "rounds": 1})
SLOW_TO_FIND = "pack:1 core:8192 pu:1"
"""hwloc needs minutes for so many cores next to each other."""


def run_engine(
    engine: Path, *arguments: str, plan: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [engine, *arguments], input=plan, env=os.environ | variables, capture_output=True,
        text=True, errors="surrogateescape", timeout=WAIT_SECONDS, check=False,
    )  # fmt: skip


def sentence(run: subprocess.CompletedProcess[str]) -> str:
    """The one sentence that the engine says."""
    (line,) = run.stderr.splitlines()
    assert line.startswith("streamgage-engine: ") and line.endswith(".")
    return line.removeprefix("streamgage-engine: ")


def precious(path: Path) -> None:
    path.write_text("precious\n")


def link(path: Path) -> None:
    precious(path.with_name("other"))
    path.symlink_to("other")


def folder(path: Path) -> None:
    path.mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(path)


def look_of(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    content = path.read_bytes() if path.is_file() else b""
    return (found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, content)


@pytest.mark.parametrize("make", [precious, link, folder, fifo])
@pytest.mark.parametrize(
    ("arguments", "plan"),
    [(["--latency"], ""), ([], ""), (["--plan", "-"], PLAN), (["--plan", "-"], LATENCY)],
    ids=["latency", "node", "plan", "latency plan"],
)
def test_what_is_no_lock_is_refused_and_left_as_it_is(
    engine: Path, tmp_path: Path, make: Callable[[Path], None], arguments: list[str], plan: str
) -> None:
    lock = tmp_path / "lock"
    make(lock)
    before = look_of(lock)
    run = run_engine(engine, *arguments, plan=plan, STREAMGAGE_LOCK=str(lock))
    assert (run.returncode, run.stdout) == (1, "")
    said = sentence(run)
    assert said.startswith(f"{lock} is not a lock of streamgage (it ")
    assert said.endswith(
        ") and was left unchanged; set STREAMGAGE_LOCK to another file, or to none to measure"
        " without a lock."
    )
    assert look_of(lock) == before


@both
@pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")
def test_ranks_leave_what_is_no_lock_as_it_is(engine: Path, tmp_path: Path, launcher: str) -> None:
    lock = tmp_path / "lock"
    precious(lock)
    run = start_streamgage(
        *("measure", "--mpi", "2", "--launcher", launcher, "--allow-oversubscribe", "--quick"),
        *("--size", "1MiB", "--format", "json"),
        folder=tmp_path, engine=engine,
    )  # fmt: skip
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert (run.returncode, out) == (1, ""), said
    assert f"{lock} is not a lock of streamgage (it contains something else)" in said
    assert lock.read_text() == "precious\n"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_search_for_the_topology(
    engine: Path, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    lock = tmp_path / "lock"
    environment = os.environ | {"STREAMGAGE_LOCK": str(lock), "HWLOC_SYNTHETIC": SLOW_TO_FIND}
    run = subprocess.Popen(
        [engine, "--latency"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    wait_until(lambda: lock.exists() and lock.read_bytes() != b"")
    run.send_signal(number)
    assert run.communicate(timeout=WAIT_SECONDS) == (b"", b"")
    assert run.returncode == status


def test_an_engine_behind_a_wrapper_does_not_outlive_a_front_that_is_killed(
    engine: Path, tmp_path: Path
) -> None:
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f'#!/bin/sh\n"{engine}" "$@"\nexit $?\n')
    wrapper.chmod(0o755)
    run = start_streamgage(
        *("measure", "--thorough", "--no-tune", "--size", "16MiB", "--records", "run.jsonl"),
        folder=tmp_path, engine=wrapper,
    )  # fmt: skip
    records = tmp_path / "run.jsonl"
    wait_until(lambda: has_shown_sample(records), run)
    measuring = int((tmp_path / "lock").read_text().split()[0])
    run.kill()
    run.communicate(timeout=WAIT_SECONDS)
    wait_until(lambda: state_of(measuring) in "ZX")
    last = json.loads(records.read_bytes().splitlines()[-1])
    assert (last["record"], last["reason"]) == ("end", "terminated")


def in_shell(
    engine: Path, arguments: str, redirections: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" {arguments} {redirections}', engine],
        env=os.environ | variables, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=WAIT_SECONDS, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
def test_a_sentence_that_cannot_be_said_leaves_the_status(engine: Path, redirection: str) -> None:
    assert in_shell(engine, "--nonsense", redirection).returncode == 2
    assert in_shell(engine, "--plan /nonexistent", redirection).returncode == 2
    assert in_shell(engine, "--machine >/dev/full", redirection).returncode == 1


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
@pytest.mark.parametrize(
    "arguments", ["--help", "--version", "--licenses", "--machine", "--catalogue"]
)
def test_an_answer_that_cannot_be_written_is_a_failure(
    engine: Path, arguments: str, redirection: str
) -> None:
    run = in_shell(engine, arguments, redirection)
    assert run.returncode == 1
    assert "cannot be written: " in sentence(run)


def test_no_file_takes_the_place_of_a_closed_stream(engine: Path, tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    (tmp_path / "plan").write_text(PLAN)
    run = in_shell(engine, f"--plan {tmp_path}/plan", ">&- 2>&-", STREAMGAGE_LOCK=str(lock))
    assert run.returncode == 1
    assert lock.read_bytes() == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--plan", "/\udcff"],
        ["--\udcff"],
        ["--interval", "\udcff"],
        ["--activity", "\udcff"],
        ["--counters", "--replay", "/\udcff\x1b[2J"],
    ],
)
def test_bytes_that_are_no_text_are_shown_escaped(engine: Path, arguments: list[str]) -> None:
    run = run_engine(engine, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert "\\xff" in sentence(run) and "\x1b" not in run.stderr


def test_a_lock_whose_name_is_no_text_is_shown_escaped(engine: Path, tmp_path: Path) -> None:
    lock = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    precious(lock)
    run = run_engine(engine, "--latency", STREAMGAGE_LOCK=str(lock))
    assert run.returncode == 1
    assert sentence(run).startswith(f"{tmp_path}/\\xff is not a lock")


def with_threads(number: int) -> str:
    placement = {"kind": "none", "threads": number}
    return json.dumps({**json.loads(PLAN), "placement": placement})


def small_stack() -> None:
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))


def small_address_space() -> None:
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


@pytest.mark.parametrize(
    ("threads", "limit", "said"),
    [
        (100_000, small_stack, "raise the limit: ulimit -s."),
        (500, small_address_space, "but 499 are needed (Resource temporarily unavailable); ask"),
    ],
)
def test_threads_that_cannot_be_had_are_refused(
    engine: Path, tmp_path: Path, threads: int, limit: Callable[[], None], said: str
) -> None:
    run = subprocess.run(
        [engine, "--plan", "-"], input=with_threads(threads), preexec_fn=limit,
        env=os.environ | {"STREAMGAGE_LOCK": str(tmp_path / "lock")},
        capture_output=True, text=True, timeout=WAIT_SECONDS, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (1, "")
    assert said in sentence(run)


def test_a_machine_larger_than_any_is_refused(engine: Path) -> None:
    run = run_engine(engine, "--machine", HWLOC_SYNTHETIC="pack:1 core:100000 pu:1")
    assert run.returncode == 2
    assert "describe at most 8192" in sentence(run)

"""Kernels that hang, stop, fork and exit are named in one sentence, and leave nothing behind."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_runs import of_kind
from hostile_kernels import HANGS, HOSTILE, HostileKernel
from own_kernel_sources import GOOD
from programs import REPOSITORY, WAIT_SECONDS, start_streamgage
from schemas import validator

from streamgage.plan import OwnKernel, Placement, Plan
from streamgage.records import Sampling

FEW = Sampling(min_samples=2, look_every=2, max_samples=2, budget_seconds=300)
MANY = Sampling(min_samples=100_000, look_every=100, max_samples=100_000, budget_seconds=600)
LONG_SECONDS = 600.0
"""A time-out that no test waits for."""
A_WHILE_SECONDS = 3.0
"""One that a call of a kernel that does no harm keeps to, wherever its CPU is taken for a while."""


@dataclass(frozen=True)
class Surroundings:
    """An environment by which all processes of a test are found, and a lock of its own."""

    mark: str
    lock: Path

    @property
    def variables(self) -> dict[str, str]:
        return {"STREAMGAGE_LOCK": str(self.lock), "STREAMGAGE_TEST_MARK": self.mark}

    def processes(self) -> list[int]:
        """The numbers of what still runs."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if self.mark.encode() in (process / "environ").read_bytes():
                    found.append(int(process.name))
        return found

    def stopped(self) -> int:
        """How many of these are stopped."""
        count = 0
        for process in self.processes():
            with suppress(OSError):
                stat = Path(f"/proc/{process}/stat").read_text("utf-8")
                count += stat.rpartition(")")[2].split()[0] == "T"
        return count

    def assert_nothing_is_left(self) -> None:
        assert self.processes() == []
        if self.lock.exists():
            with self.lock.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.fixture(name="around")
def fixture_around(tmp_path: Path) -> Iterator[Surroundings]:
    around = Surroundings(uuid.uuid4().hex, tmp_path / "lock")
    yield around
    left = around.processes()
    for process in left:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    assert not left


def compiled(folder: Path, name: str, text: str) -> OwnKernel:
    file = folder / f"{name}.c"
    file.write_text(text, "utf-8")
    library = file.with_suffix(".so")
    command = ["cc", "-O1", "-w", "-fPIC", "-shared", f"-I{REPOSITORY / 'library'}"]
    subprocess.run([*command, "-pthread", "-o", library, file], check=True)
    return OwnKernel(path=str(library), code="cc -O1", source=file.name)


def planned(own: list[OwnKernel], **fields: object) -> bytes:
    made = Plan(
        kernels=["copy"],
        stores=["plain"],
        own_kernels=own,
        kernel_timeout_seconds=LONG_SECONDS,
        placement=Placement(kind="none", threads=2),
        array_bytes=1 << 20,
        sampling=FEW,
    )
    return msgspec.json.encode(msgspec.structs.replace(made, **fields))


def run(
    engine: Path,
    plan: bytes,
    around: Surroundings,
    folder: Path,
    preexec_fn: Callable[[], None] | None = None,
) -> tuple[int, list[dict[str, Any]], str]:
    """Status, records and messages; the records go into a file, as those of the front do."""
    with (folder / "records").open("wb") as records:
        done = subprocess.run(
            [engine, "--plan", "-"],
            input=plan,
            stdout=records,
            stderr=subprocess.PIPE,
            env=os.environ | around.variables,
            timeout=WAIT_SECONDS,
            check=False,
            preexec_fn=preexec_fn,
        )
    lines = (folder / "records").read_bytes().splitlines()
    records = [json.loads(line) for line in lines if not line.startswith(b"garbage")]
    for record in records:
        validator("records").validate(record)
    return done.returncode, records, done.stderr.decode()


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: each.name)
def test_a_hostile_kernel_is_named_and_leaves_nothing(
    hostile: HostileKernel, engine: Path, tmp_path: Path, around: Surroundings
) -> None:
    own = compiled(tmp_path, hostile.name, hostile.text)
    limit = 1.0 if hostile.reason == "timeout" else LONG_SECONDS
    plan = planned([own], kernels=[], check_kernels=True, kernel_timeout_seconds=limit)
    status, records, said = run(engine, plan, around, tmp_path)
    around.assert_nothing_is_left()
    assert status == 1, said
    (failure,) = of_kind(records, "kernel-failure")
    assert (failure["reason"], failure["source"]) == (hostile.reason, f"{hostile.name}.c")
    assert hostile.words in failure["message"]
    assert f"streamgage-engine: {failure['message']}" in said.splitlines()


def late(hostile: HostileKernel) -> str:
    """The same kernel, harmless while it is checked, and hostile where arrays are larger."""
    return hostile.text.replace("double *a = call->arrays[0];", "/**/", 1).replace(
        "const double *b = call->arrays[1];",
        "double *a = call->arrays[0]; const double *b = call->arrays[1];"
        " if (call->iterations < 9999) { for (int64_t i = call->begin; i < call->end; ++i)"
        " a[i] = call->scalar * b[i]; return 0.0; }",
        1,
    )


LATE = [each for each in HOSTILE if not each.name.startswith(("starts", "ends"))]


@pytest.mark.parametrize("hostile", LATE, ids=lambda each: each.name)
def test_what_was_measured_before_a_kernel_turns_hostile_is_kept(
    hostile: HostileKernel, engine: Path, tmp_path: Path, around: Surroundings
) -> None:
    limit = A_WHILE_SECONDS if hostile.reason == "timeout" else LONG_SECONDS
    own = compiled(tmp_path, hostile.name, late(hostile))
    plan = planned([own], kernel_timeout_seconds=limit)
    status, records, said = run(engine, plan, around, tmp_path)
    around.assert_nothing_is_left()
    assert status == 1, said
    kinds = [each["record"] for each in records]
    assert kinds[:3] == ["machine", "plan", "placement"] and "kernel-check" in kinds
    (failure,) = of_kind(records, "kernel-failure")
    assert failure["kernel"] == hostile.name


def test_a_good_kernel_is_measured_whatever_signals_its_starter_blocks_and_ignores(
    engine: Path, tmp_path: Path, around: Surroundings
) -> None:
    def deaf() -> None:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            if number < signal.SIGRTMIN:
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

    plan = planned([compiled(tmp_path, "good", GOOD)])
    status, records, said = run(engine, plan, around, tmp_path, preexec_fn=deaf)
    assert status == 0, said
    assert records[-1]["record"] == "end"
    assert all(each["valid"] for each in of_kind(records, "validation"))


def test_other_kernels_of_a_run_with_slow_ones_have_their_time(
    engine: Path, tmp_path: Path, around: Surroundings
) -> None:
    """The limit is for one call: many calls together may take longer."""
    text = GOOD.replace("return 0.0;", "usleep(300000); return 0.0;", 1)
    slow = compiled(tmp_path, "good", "#define _GNU_SOURCE\n#include <unistd.h>\n" + text)
    plan = planned([slow], kernel_timeout_seconds=A_WHILE_SECONDS)
    start = time.monotonic()
    status, records, said = run(engine, plan, around, tmp_path)
    assert time.monotonic() - start > A_WHILE_SECONDS, "it is called at least twenty times"
    assert status == 0, said
    assert records[-1]["record"] == "end"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_measurement_of_a_kernel_that_hangs(
    number: signal.Signals, engine: Path, tmp_path: Path, around: Surroundings
) -> None:
    own = compiled(tmp_path, HANGS.name, late(HANGS))
    plan = planned([own], kernels=[])
    with subprocess.Popen(
        [engine, "--plan", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | around.variables,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(plan)
        process.stdin.close()
        for line in process.stdout:
            if json.loads(line)["record"] == "variant":
                break
        time.sleep(0.5)  # most probably in the kernel by now; the outcome is the same if not
        process.send_signal(number)
        process.stdout.read()
    dies = number == signal.SIGHUP
    assert process.returncode == (-number if dies else 128 + number)


def test_ctrl_c_ends_the_check_of_a_kernel_that_hangs(
    engine: Path, tmp_path: Path, around: Surroundings
) -> None:
    file = tmp_path / "hangs.c"
    file.write_text(HANGS.text, "utf-8")
    front = start_streamgage(
        *("measure", "--kernel-file", file, "--kernel-timeout", LONG_SECONDS, "--no-store"),
        folder=tmp_path,
        engine=engine,
        **around.variables,
    )
    while not (around.lock.exists() and around.lock.read_bytes()):
        assert front.poll() is None
        time.sleep(0.05)
    time.sleep(1)
    os.killpg(front.pid, signal.SIGINT)
    _, said = front.communicate(timeout=WAIT_SECONDS)
    assert front.returncode == 130, said
    assert "Traceback" not in said


def test_ctrl_z_stops_the_process_that_measures(
    engine: Path, tmp_path: Path, around: Surroundings
) -> None:
    file = tmp_path / "good.c"
    file.write_text(GOOD, "utf-8")
    front = start_streamgage(
        *("measure", "--kernel-file", file, "--size", "1MiB", "--thorough", "--no-store"),
        *("--records", "run.jsonl"),
        folder=tmp_path,
        engine=engine,
        **around.variables,
    )
    records = tmp_path / "run.jsonl"
    while not (records.exists() and b'"sample"' in records.read_bytes()):
        assert front.poll() is None
        time.sleep(0.05)
    front.send_signal(signal.SIGTSTP)
    deadline = time.monotonic() + WAIT_SECONDS
    while around.stopped() < 3:  # the front, the process that watches, and the one that measures
        assert time.monotonic() < deadline
        time.sleep(0.05)
    front.send_signal(signal.SIGCONT)
    while around.stopped() > 0:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    front.send_signal(signal.SIGINT)
    _, said = front.communicate(timeout=WAIT_SECONDS)
    assert front.returncode == 130, said

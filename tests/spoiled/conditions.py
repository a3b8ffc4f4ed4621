"""Every way in which the harness spoils a run, each with what must then be said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

from control_groups import control_group, version_of
from judging import CLEAN, QUOTABLE, SPOILED, ExpectedVerdict
from loads import burners, memory_hog, without_huge_pages
from one_run import During, engine_of

_MIB = 1 << 20
_HOG_BYTES = 512 * _MIB
_CACHED_BYTES = 64 << 10
"""Three such arrays lie in any core's second-level cache."""
_STOPPED_SECONDS = 3.0
_SECONDS_BEFORE_STOP = 5.0
_START_SECONDS = 60.0


@dataclass(frozen=True)
class Setup:
    """How the spoiled run is started, and what is done to it meanwhile."""

    arguments: Sequence[str] = ()
    prefix: Sequence[str] = ()
    during: During | None = None


class CannotMakeError(Exception):
    """A condition cannot be made on this machine; the text says what is missing."""


@dataclass(frozen=True)
class Condition:
    """One way to spoil a run.

    ``make`` is given the bytes that STREAM's rule asks of each array here.
    """

    name: str
    expected: ExpectedVerdict
    make: Callable[[int], Iterator[Setup]]

    @contextmanager
    def made(self, rule_bytes: int) -> Iterator[Setup]:
        """The condition, as long as the context lasts. Raises ``CannotMakeError``."""
        with contextmanager(self.make)(rule_bytes) as setup:
            yield setup


CLEAN_RUN = ExpectedVerdict(verdicts=CLEAN)


def _allowed() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def _with(*arguments: str, prefix: Sequence[str] = ()) -> Callable[..., Iterator[Setup]]:
    """A condition that other arguments, or a program in front, are enough for."""

    def make(rule_bytes: int) -> Iterator[Setup]:
        yield Setup(arguments, prefix)

    return make


def _two_on_one(rule_bytes: int) -> Iterator[Setup]:
    cpu = _allowed()[0]
    yield Setup(("--cpus", f"{cpu},{cpu}", "--allow-oversubscribe"))


def _one_burner(rule_bytes: int) -> Iterator[Setup]:
    with burners(_allowed()[:1]):
        yield Setup()


def _all_burners(rule_bytes: int) -> Iterator[Setup]:
    with burners(_allowed()):
        yield Setup()


def _hog(rule_bytes: int) -> Iterator[Setup]:
    with memory_hog(_HOG_BYTES):
        yield Setup()


def _stopped(rule_bytes: int) -> Iterator[Setup]:
    yield Setup(during=stop_for_a_while)


def stop_for_a_while(process: subprocess.Popen[bytes]) -> None:
    """Stop the engine's process group for 3 s in the middle of the run."""
    end = time.monotonic() + _START_SECONDS
    engine = engine_of(process)
    while engine is None and process.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
        engine = engine_of(process)
    time.sleep(_SECONDS_BEFORE_STOP)
    engine = engine_of(process)  # the front may have asked another one of the machine before
    if engine is None:
        raise RuntimeError("The engine ended before it could be stopped.")
    group = os.getpgid(engine)
    os.killpg(group, signal.SIGSTOP)
    try:
        time.sleep(_STOPPED_SECONDS)
    finally:
        os.killpg(group, signal.SIGCONT)


def _below_rule(rule_bytes: int) -> Iterator[Setup]:
    yield Setup(("--size", str(rule_bytes // 2)))


def _one_cpu(rule_bytes: int) -> Iterator[Setup]:
    cpus = _allowed()
    if len(cpus) < 2:
        raise CannotMakeError("this machine has one CPU")
    yield Setup(prefix=("taskset", "--cpu-list", str(cpus[0])))


@contextmanager
def quota_of_half() -> Iterator[Setup]:
    """Half of the CPUs' time, whatever the version of control groups. Raises as ``made``."""
    with contextmanager(_quota(version_of("cpu") or 2))(0) as setup:
        yield setup


def _quota(version: int) -> Callable[[int], Iterator[Setup]]:
    """Half of the CPUs' time, in a control group of that version."""

    def make(rule_bytes: int) -> Iterator[Setup]:
        period = 100_000
        quota = period * len(_allowed()) // 2
        settings = (
            {"cpu.max": f"{quota} {period}"}
            if version == 2
            else {"cpu.cfs_period_us": str(period), "cpu.cfs_quota_us": str(quota)}
        )
        with _group("cpu", version, settings) as prefix:
            yield Setup(prefix=prefix)

    return make


def _memory_cap(version: int) -> Callable[[int], Iterator[Setup]]:
    """Less memory than the arrays of a clean run take."""

    def make(rule_bytes: int) -> Iterator[Setup]:
        limit = rule_bytes + 256 * _MIB  # the second part for the programs themselves
        name = "memory.max" if version == 2 else "memory.limit_in_bytes"
        with _group("memory", version, {name: str(limit)}) as prefix:
            yield Setup(prefix=prefix)

    return make


@contextmanager
def _group(controller: str, version: int, settings: Mapping[str, str]) -> Iterator[Sequence[str]]:
    """What starts a program in a new control group. Raises ``CannotMakeError``."""
    if version_of(controller) != version:
        raise CannotMakeError(f"the controller {controller} is one of version {3 - version} here")
    with ExitStack() as stack:
        try:
            path = stack.enter_context(control_group(controller, settings))
        except OSError as error:
            needs = "root" if isinstance(error, PermissionError) else "a writable /sys/fs/cgroup"
            raise CannotMakeError(
                f"no control group with the controller {controller} can be made"
                f" ({error.strerror or error}); it needs {needs}"
            ) from error
        yield ("sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(path))


CONDITIONS: tuple[Condition, ...] = (
    Condition("unbound", ExpectedVerdict(SPOILED, {"not-bound"}), _with("--cpus", "none")),
    Condition("two threads on one CPU", ExpectedVerdict(SPOILED, {"fewer-cpus"}), _two_on_one),
    Condition("a CPU burner on one CPU", ExpectedVerdict(SPOILED, {"other-load"}), _one_burner),
    Condition("a CPU burner on every CPU", ExpectedVerdict(SPOILED, {"other-load"}), _all_burners),
    Condition("a memory hog", ExpectedVerdict(SPOILED, {"other-load"}), _hog),
    Condition("niced", ExpectedVerdict(SPOILED, {"niced"}), _with(prefix=("nice", "-n", "10"))),
    Condition("stopped for 3 s", ExpectedVerdict(SPOILED, {"paused"}), _stopped),
    Condition("CPU quota, cgroup v2", ExpectedVerdict(SPOILED, {"cpu-quota"}), _quota(2)),
    Condition("CPU quota, cgroup v1", ExpectedVerdict(SPOILED, {"cpu-quota"}), _quota(1)),
    Condition(
        "arrays in the caches",
        ExpectedVerdict(SPOILED, {"below-4x-rule"}, also={"no-huge-pages"}),
        _with("--size", str(_CACHED_BYTES)),
    ),
    Condition("arrays below the 4x rule", ExpectedVerdict(SPOILED, {"below-4x-rule"}), _below_rule),
    Condition(
        "no huge pages",
        ExpectedVerdict(SPOILED, {"no-huge-pages"}),
        _with(prefix=without_huge_pages()),
    ),
    Condition("one allowed CPU", ExpectedVerdict({*SPOILED, QUOTABLE}, {"confined"}), _one_cpu),
    Condition(
        "memory cap, cgroup v2",
        ExpectedVerdict(SPOILED, {"memory-cap"}, also={"below-4x-rule"}),
        _memory_cap(2),
    ),
    Condition(
        "memory cap, cgroup v1",
        ExpectedVerdict(SPOILED, {"memory-cap"}, also={"below-4x-rule"}),
        _memory_cap(1),
    ),
)
"""In the order of the table; ``confined`` alone may be quoted, as the figure of that CPU."""

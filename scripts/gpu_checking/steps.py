"""The steps of a run, each with a limit of its own: none ends the others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gpu_checking.kernels import ROOT
from gpu_checking.recorded import (
    DOCUMENT,
    FINDINGS,
    RECORDS,
    RESULT_SUFFIXES,
    CommandRecord,
    NotTriedError,
    Recorded,
    StepRecord,
    listed_device,
    missing_device,
    write_step,
)

MIB = 1 << 20
_MOST_OUTPUT = 200_000
"""Letters of a command's output that are kept."""
_SECONDS_TO_END = 5.0
"""After SIGTERM, before SIGKILL."""


DRIVERS = {
    "cuda": {"CUDA_VISIBLE_DEVICES": ""},
    "hip": {"HIP_VISIBLE_DEVICES": "-1"},
    "opencl": {"OCL_ICD_VENDORS": "/nowhere"},
}
"""The drivers of the engine, each with variables that hide all of its devices."""


@dataclass(frozen=True)
class Run:
    """What a run was asked for."""

    folder: Path
    device: str
    engine: Path
    size_bytes: int | None = None
    """Of arrays, for a try on what is no GPU; ``None``: as large as the product makes them."""

    @property
    def driver(self) -> str:
        """``cuda``, ``hip`` or ``opencl``."""
        return self.device.partition(":")[0]

    def variables(self) -> dict[str, str]:
        """The environment of all commands. What compilers keep stays in the folder."""
        paths = [str(folder) for folder in (ROOT, ROOT / "scripts", site_folder())]
        return os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            "PYTHONUTF8": "1",
            "STREAMGAGE_ENGINE": str(self.engine),
            "STREAMGAGE_STORE": str(self.folder / "store.db"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "POCL_CACHE_DIR": str(self.folder / "cache" / "pocl"),
            "COLUMNS": "120",
            "NO_COLOR": "1",
        }


def site_folder() -> Path:
    """The packages that ``--pack`` brought along for this Python."""
    return ROOT / f"site-{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True)
class Command:
    """A command line, and variables that it alone has."""

    words: Sequence[str]
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """Commands that run in turn."""

    name: str
    seconds: float
    """At most, all of them together."""
    commands: Callable[[Run], list[Command]]
    for_driver: str | None = None
    """The only driver for which it can be done."""
    needs_device: bool = True
    may_fail: bool = False
    """Whether commands that fail are what the step is to show."""


@dataclass
class Session:
    """Runs steps one after the other, and knows what time is left."""

    run: Run
    end: float
    """By ``time.monotonic``."""
    listed: StepRecord | None = None

    def execute(self, steps: Sequence[Step]) -> None:
        """Run all steps. What one leaves of its time is for those after it."""
        for number, step in enumerate(steps):
            later = sum(other.seconds for other in steps[number:])
            left = max(self.end - time.monotonic(), 0.0)
            limit = min(step.seconds, left * step.seconds / later)
            record = self._record(step, limit)
            write_step(self.run.folder, record)
            if step.name == "listed":
                self.listed = record
            print(f"{step.name}: {record.seconds:.0f} s: {record.trouble or 'done'}", flush=True)

    def _record(self, step: Step, limit: float) -> StepRecord:
        if reason := self._reason_against(step, limit):
            return StepRecord(step.name, limit, 0.0, reason, [], step.may_fail)
        for suffix in RESULT_SUFFIXES:
            (self.run.folder / f"{step.name}{suffix}").unlink(missing_ok=True)
        start = time.monotonic()
        try:
            commands = step.commands(self.run)
        except NotTriedError as error:
            return StepRecord(step.name, limit, 0.0, str(error), [], step.may_fail)
        records = []
        with (self.run.folder / f"{step.name}.txt").open("w", encoding="utf-8") as text:
            for command in commands:
                record = _executed(command, self.run, start + limit - time.monotonic())
                text.write(f"$ {' '.join(command.words)}\n{record.output}\n")
                records.append(record)
                if record.status is None or not (record.status == 0 or step.may_fail):
                    break
        seconds = time.monotonic() - start
        return StepRecord(step.name, limit, seconds, None, records, step.may_fail)

    def _reason_against(self, step: Step, limit: float) -> str | None:
        if step.for_driver not in (None, self.run.driver):
            return f"it is for {step.for_driver} only"
        if step.needs_device:
            assert self.listed is not None, "the devices are listed first"
            if listed_device(self.listed, self.run.device) is None:
                return missing_device(self.listed, self.run.device)
        return None if limit >= 1 else "no time was left for it"


def _executed(command: Command, run: Run, seconds: float) -> CommandRecord:
    """Run a command, and end it and all that it started at its limit."""
    words = [str(word) for word in command.words]
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=run.variables() | command.variables,
            cwd=run.folder,
            start_new_session=True,
        )
    except OSError as error:
        return CommandRecord(words, 127, 0.0, f"{words[0]}: {error.strerror}")
    try:
        output, _ = process.communicate(timeout=max(seconds, 0.1))
        status: int | None = process.returncode
    except subprocess.TimeoutExpired:
        output = _ended(process)
        status = None
    text = output.decode("utf-8", "replace")[-_MOST_OUTPUT:]
    return CommandRecord(words, status, time.monotonic() - start, text)


def _ended(process: subprocess.Popen[bytes]) -> bytes:
    """End a process with its group, and return what it printed."""
    for number, seconds in ((signal.SIGTERM, _SECONDS_TO_END), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=seconds)[0]
    return b""


def write_request(run: Run) -> None:
    """Keep what was asked for, which some claims depend on."""
    request = {"device": run.device, "size_bytes": run.size_bytes}
    (run.folder / "request.json").write_text(json.dumps(request) + "\n", "utf-8")


def _system(_: Run) -> list[Command]:
    """Where things are, before any variable helps."""
    lines = (
        "uname -a",
        "nvidia-smi -L",
        "nvidia-smi -q -d CLOCK,POWER,ECC,MEMORY,PERFORMANCE",
        "rocm-smi --showproductname --showuniqueid",
        "ldconfig -p",
        "ls -d /usr/local/nvidia/lib64 /usr/local/cuda/lib64 /usr/lib/wsl/lib /opt/rocm/lib"
        " /run/opengl-driver/lib",
    )
    names = ["CUDA", "NVIDIA", "ROCR", "ROCM", "HIP", "GPU", "OCL", "LD_LIBRARY_PATH"]
    which = f"if any(word in name for word in {names})"
    code = f"import os; print({{name: text for name, text in os.environ.items() {which}}})"
    return [
        *(Command(line.split()) for line in lines),
        Command([sys.executable, "-c", code]),
        Command([sys.executable, "--version"]),
    ]


def _probe(name: str, mib: int = 1024, **variables: str) -> Callable[[Run], list[Command]]:
    """A probe of ``probes.py`` with arrays of that size, or smaller ones in a small memory."""

    def commands(run: Run) -> list[Command]:
        size = run.size_bytes or mib * MIB
        words = [sys.executable, "-m", "gpu_checking.probes", name, "--engine", str(run.engine)]
        words += ["--number", run.device.partition(":")[2], "--bytes", str(size)]
        words += ["--output", str(run.folder / f"{name}{FINDINGS}")]
        if run.size_bytes is not None:
            words += ["--elements", "4032"]
        # One cache for all probes: the first one finds it empty.
        cache = {"CUDA_CACHE_PATH": str(run.folder / "cache" / "probes")}
        return [Command(words, cache | variables)]

    return commands


def _streamgage(run: Run, *words: str) -> list[str]:
    return [sys.executable, "-m", "streamgage", *words, "--device", run.device]


def _product(
    name: str, *words: str, records: bool = False, size: str | None = None
) -> Callable[[Run], list[Command]]:
    """A command of streamgage as users start it, and what it shows them.

    ``size``: the option that makes it small where the run is. Such a run is also a quick one.
    """

    def commands(run: Run) -> list[Command]:
        line = _streamgage(run, *words)
        line += ["--format", "json", "--output", str(run.folder / f"{name}{DOCUMENT}")]
        if records:
            line += ["--records", str(run.folder / f"{name}{RECORDS}")]
        if run.size_bytes is not None and size is not None:
            line += [size, str(run.size_bytes), *({"--quick"} - set(words))]
        cache = {"CUDA_CACHE_PATH": str(run.folder / "cache" / "product")}
        shown = [sys.executable, "-m", "streamgage", "show", "last", "--details"]
        return [Command(line, cache), Command(shown)]

    return commands


def _large(run: Run) -> list[Command]:
    """Four times the size that the product chose, or what the memory allows."""
    usual = Recorded(run.folder).document("measure_warm")
    size = 4 * usual["setup"]["array_bytes"]
    if memory := usual["device"]["memory_bytes"]:
        size = min(size, memory // 6)
    words = ("measure", "--quick", "--kernels", "copy,triad", "--size", str(size))
    return _product("measure_large", *words, records=True)(run)


def _own_kernel(run: Run) -> list[Command]:
    """The example kernel for that driver."""
    suffix = "cl" if run.driver == "opencl" else "cu"
    file = ROOT / "examples" / "kernels" / f"triad.{suffix}"
    words = ("measure", "--quick", "--kernels", "triad", "--kernel-file", str(file))
    return _product("own_kernel", *words, size="--size")(run)


def _refusals(run: Run) -> list[Command]:
    """No such device, no room, no device at all: each must be refused in one sentence."""
    measure = [sys.executable, "-m", "streamgage", "measure", "--no-store", "--device"]
    short = ["--quick", "--no-tune", "--kernels", "copy"]  # what is not refused ends soon
    return [
        Command([*measure, f"{run.driver}:99", *short]),
        Command([*measure, run.device, *short, "--size", "100000GiB"]),
        Command([*measure, run.device, *short], DRIVERS[run.driver]),
    ]


def _without_jit(run: Run) -> list[Command]:
    """NVRTC does what the driver may not."""
    words = ("measure", "--quick", "--no-tune", "--kernels", "copy")
    first, _ = _product("without_jit", *words, size="--size")(run)
    return [Command(first.words, first.variables | {"CUDA_DISABLE_PTX_JIT": "1"})]


STEPS = (
    Step("system", 15, _system, needs_device=False, may_fail=True),
    Step(
        "listed",
        30,
        lambda run: [Command([str(run.engine), "--devices", "all"])],
        needs_device=False,
    ),
    Step("facts", 15, _probe("facts"), for_driver="cuda"),
    Step("compiler", 60, _probe("compiler"), for_driver="cuda"),
    Step("results", 100, _probe("results"), for_driver="cuda"),
    Step("clock", 20, _probe("clock"), for_driver="cuda"),
    Step("sizes", 30, _probe("sizes", 4096), for_driver="cuda"),
    Step("shapes", 90, _probe("shapes"), for_driver="cuda"),
    Step("hints", 15, _probe("hints"), for_driver="cuda"),
    Step("launches", 15, _probe("launches"), for_driver="cuda"),
    Step("chain", 40, _probe("chain"), for_driver="cuda"),
    Step("warm", 25, _probe("warm"), for_driver="cuda"),
    Step("copies", 20, _probe("copies"), for_driver="cuda"),
    Step("measure_cold", 75, _product("measure_cold", "measure", records=True, size="--size")),
    Step("measure_warm", 60, _product("measure_warm", "measure", records=True, size="--size")),
    Step("measure_large", 40, _large),
    Step(
        "measure_float",
        30,
        _product(
            "measure_float", "measure", "--quick", "--type", "float", records=True, size="--size"
        ),
    ),
    Step("check", 25, _product("check", "check", "--glance")),
    Step("links", 30, _product("links", "links", "--quick", size="--size")),
    Step("latency", 40, _product("latency", "latency", "--quick", records=True, size="--to")),
    Step("ladder", 45, _product("ladder", "ladder", "--quick", size="--to")),
    Step("own_kernel", 25, _own_kernel),
    Step("without_jit", 20, _without_jit, for_driver="cuda", may_fail=True),
    Step("refusals", 30, _refusals, needs_device=False, may_fail=True),
)


def chosen(names: Sequence[str]) -> list[Step]:
    """The steps of these names in their order, and the listing of devices; all without names."""
    return [step for step in STEPS if not names or step.name in ("listed", *names)]

"""Kernels of a user's own, as the engine's own records tell of them."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_runs import of_kind, refusal, run_engine
from programs import REPOSITORY
from schemas import validator

from streamgage.plan import OwnKernel, Plan
from streamgage.records import AnyRecord, Sampling

FEW = Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=300)
PROBES = REPOSITORY / "engine" / "kernels" / "own" / "probes"


def compiled(folder: Path, source: str, *defects: str) -> OwnKernel:
    """A kernel of the engine's own tests, with those defects."""
    path = folder / f"{'-'.join((Path(source).stem, *defects))}.so"
    macros = [f"-D{each}" for each in defects]
    command = ["cc", "-O2", "-fPIC", "-shared", f"-I{REPOSITORY / 'library'}", *macros]
    subprocess.run([*command, "-o", path, PROBES / source], check=True)
    return OwnKernel(path=str(path), code="cc -O2", source=source)


def lines_of(engine: Path, plan: Plan) -> tuple[int, list[dict[str, Any]]]:
    """The exit status and the records of a run that may fail, each as the schema has it."""
    run = run_engine(engine, msgspec.json.encode(plan))
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    for record in lines:
        validator("records").validate(record)
    msgspec.convert(lines, list[AnyRecord])
    return run.returncode, lines


def test_an_own_kernel_is_measured_beside_the_catalogues(engine: Path, tmp_path: Path) -> None:
    own = [compiled(tmp_path, source) for source in ("triad.c", "stencil.c", "counts.c")]
    plan = Plan(kernels=["triad"], own_kernels=own, array_bytes=1 << 20, sampling=FEW)
    status, lines = lines_of(engine, plan)
    assert status == 0
    assert [each["kernel"] for each in of_kind(lines, "kernel-check")] == [
        *("own-triad", "stencil", "counts")
    ]
    (planned,) = of_kind(lines, "plan")
    assert planned["own_kernels"][0] == {"name": "own-triad", "source": "triad.c", "code": "cc -O2"}
    names = {each["id"]: each["kernel"] for each in of_kind(lines, "variant")}
    valid = {names[each["variant"]]: each["valid"] for each in of_kind(lines, "validation")}
    assert valid == {"triad": True, "own-triad": True, "stencil": True, "counts": None}
    timed = [
        each["variant"]
        for each in of_kind(lines, "sample")
        if each["role"] in ("timed", "disturbed")
    ]
    assert all(timed.count(each) >= 5 for each in names)


@pytest.mark.parametrize(
    ("defect", "reason"),
    [
        *(("LATE_CRASH", "crash"), ("LATE_ENDLESS", "timeout"), ("EXIT", "crash")),
        *(("ENDLESS", "timeout"), ("THREADS", "access")),
    ],
)
def test_a_kernel_that_dies_leaves_every_record_before_and_one_of_its_death(
    engine: Path, tmp_path: Path, defect: str, reason: str
) -> None:
    plan = Plan(
        kernels=["copy"],
        own_kernels=[compiled(tmp_path, "triad.c", defect)],
        kernel_timeout_seconds=3.0 if reason == "timeout" else 60.0,
        array_bytes=1 << 20,
        sampling=FEW,
    )
    status, lines = lines_of(engine, plan)
    assert status == 1
    assert [each["record"] for each in lines[:3]] == ["machine", "plan", "placement"]
    assert lines[-1]["record"] == "kernel-failure"
    assert (lines[-1]["kernel"], lines[-1]["reason"]) == ("own-triad", reason)


def test_what_a_kernel_prints_is_not_among_the_records(engine: Path, tmp_path: Path) -> None:
    own = [compiled(tmp_path, "triad.c", "PRINTS")]
    plan = Plan(kernels=["copy"], own_kernels=own, array_bytes=1 << 20, sampling=FEW)
    run = run_engine(engine, msgspec.json.encode(plan))
    assert run.returncode == 0
    assert b"nownow" in run.stderr
    for line in run.stdout.splitlines():
        validator("records").validate(json.loads(line))


@pytest.mark.parametrize("check_kernels", [False, True])
def test_a_signal_ends_the_check_of_a_slow_kernel(
    engine: Path, tmp_path: Path, check_kernels: bool
) -> None:
    own = [compiled(tmp_path, "triad.c", "SLOW")]
    plan = Plan(
        kernels=[],
        own_kernels=own,
        check_kernels=check_kernels,
        array_bytes=1 << 20,
        sampling=FEW,
    )
    with subprocess.Popen(
        [engine, "--plan", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(msgspec.json.encode(plan))
        process.stdin.close()
        for line in process.stdout:
            if json.loads(line)["record"] == "placement":
                break
        process.send_signal(signal.SIGINT)
        rest = [json.loads(line) for line in process.stdout]
    assert process.returncode == 130
    assert [each["record"] for each in rest] == ["end"]


def test_checking_alone_tells_of_every_kernel(engine: Path, tmp_path: Path) -> None:
    own = [compiled(tmp_path, "stencil.c"), compiled(tmp_path, "triad.c", "RANGE")]
    own.append(compiled(tmp_path, "triad.c", "UNDECLARED"))
    plan = Plan(kernels=[], own_kernels=own, check_kernels=True, array_bytes=1 << 20, sampling=FEW)
    status, lines = lines_of(engine, plan)
    assert status == 1
    assert [each["kernel"] for each in of_kind(lines, "kernel-check")] == ["stencil"]
    failed = [(each["kernel"], each["reason"]) for each in of_kind(lines, "kernel-failure")]
    assert failed == [(None, "declaration"), ("own-triad", "outside")]
    assert of_kind(lines, "sample") == []


def test_what_needs_own_kernels_is_refused_without_them(engine: Path) -> None:
    said = refusal(engine, Plan(kernels=["copy"], check_kernels=True, sampling=FEW))
    assert said == "check_kernels needs own_kernels, but the plan has none."

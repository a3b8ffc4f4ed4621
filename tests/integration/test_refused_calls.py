"""The engine where a container's filter refuses system calls: a result or a sentence."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest
from refused_calls import ASKED_CALLS, BLOCKED_CALLS, run_refused
from schemas import validator

SHORT = ("--json", "--seconds", "0.3", "--size", "4MiB", "--kernels", "triad")
ERRORS = (errno.EPERM, errno.ENOSYS)
"""What filters give: Docker's profile the first, and sandboxes that lack a call the second."""


def test_the_filter_refuses() -> None:
    run = run_refused(["/bin/uname"], "uname")
    assert run.returncode != 0
    assert "Operation not permitted" in run.stderr


@pytest.mark.parametrize("call", [*BLOCKED_CALLS, *ASKED_CALLS])
def test_a_refused_call_has_a_result_or_a_sentence(engine: Path, call: str) -> None:
    for error in ERRORS:
        for arguments in (("--machine",), SHORT):
            run = run_refused([engine, *arguments], call, error=error)
            if run.returncode == 0:
                assert json.loads(run.stdout)["record"] in ("machine", "node")
                continue
            assert run.returncode in (1, 2), (call, error, arguments, run)
            (sentence,) = run.stderr.splitlines()
            assert sentence.startswith("streamgage-engine: ")


def test_all_that_containers_block_are_not_needed(engine: Path) -> None:
    for error in ERRORS:
        run = run_refused([engine, *SHORT], *BLOCKED_CALLS, error=error)
        assert (run.returncode, run.stderr) == (0, "")
        validator("node").validate(json.loads(run.stdout))


@pytest.mark.parametrize("error", ERRORS)
def test_without_the_affinity_mask_the_machine_is_the_same(engine: Path, error: int) -> None:
    whole = json.loads(run_refused([engine, "--machine"], "userfaultfd").stdout)
    run = run_refused([engine, "--machine"], "sched_getaffinity", error=error)
    assert (run.returncode, run.stderr) == (0, "")
    machine = json.loads(run.stdout)
    for field in ("cores", "packages", "hardware_threads", "online_cpus", "allowed_cpus"):
        assert machine[field] == whole[field]


@pytest.mark.parametrize(
    ("variable", "value", "status"),
    [
        ("HWLOC_SYNTHETIC", "pack:2 core:2 pu:1", 0),
        ("HWLOC_FSROOT", "/usr", 2),
        ("HWLOC_CPUID_PATH", "/", 2),
    ],
)
def test_another_topology_is_used_or_refused(
    engine: Path, variable: str, value: str, status: int
) -> None:
    run = run_refused([engine, "--machine"], "sched_getaffinity", **{variable: value})
    assert run.returncode == status
    if status == 0:
        assert json.loads(run.stdout)["hardware_threads"] == 4
    else:
        assert len(run.stderr.splitlines()) == 1
        assert variable in run.stderr
        assert "sched_getaffinity" in run.stderr

"""`scripts/gpu_check` where there is no driver: it says what is missing, and decides nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from driver_probes import leave_out
from gpu_checking.claims import CLAIMS
from gpu_checking.pack import NAME, pack
from gpu_checking.recorded import Recorded
from gpu_checking.steps import STEPS
from programs import REPOSITORY, WAIT_SECONDS


def gpu_check(
    *words: str | Path, libraries: Path, root: Path = REPOSITORY
) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    return subprocess.run(
        [sys.executable, root / "scripts" / "gpu_check", *words],
        env=os.environ | {"LD_LIBRARY_PATH": str(libraries)},
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


def without_driver(folder: Path, driver: str) -> Path:
    """A folder of libraries that are none."""
    libraries = folder / "libraries"
    libraries.mkdir()
    leave_out(libraries, driver)
    return libraries


def test_without_a_driver_each_step_says_what_is_missing(engine: Path, tmp_path: Path) -> None:
    libraries, folder = without_driver(tmp_path, "cuda"), tmp_path / "found"
    run = gpu_check(folder, "--engine", engine, libraries=libraries)
    assert run.returncode == 3, run.stdout + run.stderr
    steps = Recorded(folder).steps
    assert [*steps] == [step.name for step in STEPS]
    missing = {steps[step.name].trouble for step in STEPS if step.needs_device}
    assert missing == {"there is no CUDA driver on this system"}
    claims = json.loads((folder / "summary.json").read_text("utf-8"))["claims"]
    verdicts = {claim["name"]: claim["verdict"] for claim in claims}
    assert verdicts.pop("refusals") == "holds"
    assert set(verdicts.values()) == {"not tried"}
    text = (folder / "summary.txt").read_text("utf-8")
    assert len(text.splitlines()) == len(CLAIMS) + 1
    again = gpu_check("--read", folder, libraries=libraries)
    assert (again.returncode, again.stdout) == (3, text)
    refused = gpu_check(folder, "--engine", engine, libraries=libraries)
    assert (refused.returncode, "has results" in refused.stderr) == (2, True)


def test_what_was_packed_runs_from_its_own_folder(engine: Path, tmp_path: Path) -> None:
    libraries = without_driver(tmp_path, "hip")
    pack(tmp_path / "packed.tar.gz", engine, pythons=[])
    subprocess.run(["tar", "xf", "packed.tar.gz"], cwd=tmp_path, check=True)
    root = tmp_path / NAME
    words = ("--device", "hip:0", "--steps", "refusals")
    run = gpu_check(tmp_path / "found", *words, libraries=libraries, root=root)
    assert run.returncode == 3, run.stdout + run.stderr
    recorded = Recorded(tmp_path / "found")
    assert recorded.step("listed").commands[0].words[0] == str(root / "build/streamgage-engine")
    for command in recorded.step("refusals").commands:
        assert (command.status, "there is no HIP" in command.output) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--steps", "nothing"), "there is no step nothing"),
        (("--device", "vulkan:0"), "there is no driver of vulkan:0"),
        (("--engine", "/nowhere"), "there is no engine /nowhere: run scripts/portable engine"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    engine: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    run = gpu_check(tmp_path / "found", "--engine", engine, *words, libraries=tmp_path)
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert line.startswith(f"gpu_check: {said}")
    assert not (tmp_path / "found").exists()

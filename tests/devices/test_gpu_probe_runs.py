"""The probes of `scripts/gpu_check` on a driver for tests that stands for CUDA's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from driver_probes import build_drivers
from gpu_checking.embedded import modules_of
from gpu_checking.findings import (
    Compilation,
    Finding,
    GpuFacts,
    LadderRate,
    ProvenLaunches,
    ShapeRate,
    WrongResult,
    read_findings,
)
from gpu_checking.probes import HINTS, OFFSET_CHAIN, hinted
from programs import REPOSITORY, WAIT_SECONDS, real_engine

FEW = "_(copy|ring_triad|dot)_(double_2|float_4)_1$"
"""Kernels whose results are compared; the driver for tests compiles each by itself."""


@pytest.fixture(scope="session", name="drivers")
def fixture_drivers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drivers")
    build_drivers(folder)
    return folder


def probed(
    name: str, folder: Path, drivers: Path, trouble: str = ""
) -> tuple[subprocess.CompletedProcess[str], list[Finding]]:
    """Run a probe on the GPU of the driver for tests, which fails as ``trouble`` asks."""
    output = folder / f"{name}.jsonl"
    words = ["--engine", str(real_engine()), "--elements", "4032", "--bytes", str(1 << 18)]
    run = subprocess.run(
        [
            *(sys.executable, "-m", "gpu_checking.probes", name, *words),
            *("--match", FEW, "--output", str(output)),
        ],
        env=os.environ
        | {
            "PYTHONPATH": str(REPOSITORY / "scripts"),
            "LD_LIBRARY_PATH": str(drivers),
            "STREAMGAGE_TEST_GPU": trouble,
        },
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    return run, [*read_findings(output)]


def test_the_driver_is_asked_for_its_gpu_and_compiles_every_text(
    tmp_path: Path, drivers: Path
) -> None:
    _, (facts,) = probed("facts", tmp_path, drivers)
    assert isinstance(facts, GpuFacts)
    assert (facts.name, facts.major, facts.bus_bits) == ("Test GPU", 9, 5120)
    _, compiled = probed("compiler", tmp_path, drivers)
    assert {text.code for text in compiled if isinstance(text, Compilation)} == {0}
    assert len(compiled) == 49


def test_every_element_of_every_launch_is_compared(tmp_path: Path, drivers: Path) -> None:
    run, findings = probed("results", tmp_path, drivers)
    assert run.returncode == 0, run.stdout + run.stderr
    assert [type(finding) for finding in findings] == [ProvenLaunches, ProvenLaunches]
    for finding in findings:
        assert isinstance(finding, ProvenLaunches)
        assert finding.launches > 20


@pytest.mark.parametrize(
    ("trouble", "wrong"), [("wrong=4031", {"copy", "triad"}), ("sums=wrong", {"dot"})]
)
def test_one_wrong_element_and_one_wrong_sum_are_found(
    tmp_path: Path, drivers: Path, trouble: str, wrong: set[str]
) -> None:
    _, findings = probed("results", tmp_path, drivers, trouble)
    faults = [finding for finding in findings if isinstance(finding, WrongResult)]
    kernels = {fault.entry.split("_")[-4] for fault in faults}
    assert kernels == wrong
    counted = [finding for finding in findings if isinstance(finding, ProvenLaunches)]
    assert sum(counts.wrong for counts in counted) == len(faults)


def test_rates_are_written_as_they_are_measured(tmp_path: Path, drivers: Path) -> None:
    run, findings = probed("launches", tmp_path, drivers)
    assert run.returncode == 0, run.stdout + run.stderr
    passes = {finding.passes_inside for finding in findings if isinstance(finding, LadderRate)}
    assert passes == {1, 21}
    run, findings = probed("sizes", tmp_path, drivers)
    assert run.returncode == 0, run.stdout + run.stderr
    rates = [finding for finding in findings if isinstance(finding, ShapeRate)]
    assert {(rate.kernel, rate.launches) for rate in rates} == {
        (kernel, launches) for kernel in ("copy", "triad") for launches in (1, 32)
    }


def test_a_driver_that_fails_is_one_sentence(tmp_path: Path, drivers: Path) -> None:
    run, findings = probed("facts", tmp_path, drivers, "cuInit=100")
    assert (run.returncode, findings) == (1, [])
    assert run.stdout == "gpu_check: cuInit fails with error 100 of CUDA\n"


PTXAS = shutil.which("ptxas", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")
"""NVIDIA's assembler, where CUDA's toolkit is."""


def test_ptx_that_only_the_probes_have_is_assembled(tmp_path: Path) -> None:
    texts = {"chain by offsets": OFFSET_CHAIN}
    for kernel in ("copy", "triad"):
        name = f"streamgage_{kernel}_double_2_4"
        text = next(module.text for module in modules_of(real_engine()) if name in module.names)
        for hint in HINTS:
            texts[f"{kernel} with {hint}"] = hinted(text, hint)
            assert texts[f"{kernel} with {hint}"] != text
    for name, text in texts.items():
        if PTXAS is not None:
            run = subprocess.run(
                [PTXAS, "-arch=sm_90", "-", "-o", tmp_path / "code"],
                input=text,
                capture_output=True,
                text=True,
                check=False,
            )
            assert run.returncode == 0, f"{name}: {run.stderr}"

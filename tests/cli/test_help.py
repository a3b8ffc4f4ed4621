from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from programs import streamgage


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--help"], ["measure", "show", "interpret", "--version", "streamgage alone"]),
        (["-h"], ["measure", "show"]),
        (
            ["measure", "--help"],
            ["--kernels", "--stores", "--type", "--threads", "--cpus", "--size"],
        ),
        (["measure", "--help"], ["--quick", "--thorough", "--seed", "--format", "-o", "--records"]),
        (["measure", "--help"], ["--isa", "--shape", "--retune", "--no-tune", "--explain"]),
        (
            ["interpret", "--help"],
            ["FILE", "--peak", "--llc", "--cores", "--threads", "--array-bytes"],
        ),
        (["show", "--help"], ["FILE", "--format", "-o", "--verbose", "--explain"]),
    ],
)
def test_help_names_what_there_is(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    shown = streamgage(*arguments, folder=tmp_path)
    assert shown.returncode == 0
    assert shown.stderr == ""
    for word in words:
        assert word in shown.stdout


def test_version(tmp_path: Path) -> None:
    shown = streamgage("--version", folder=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith("streamgage ")


@pytest.mark.parametrize("module", ["rich.console", "numpy", "scipy", "matplotlib"])
def test_help_imports_nothing_heavy(module: str) -> None:
    code = (
        "import sys\nfrom streamgage.cli.program import _run\n"
        f"_run(['--help'])\nsys.exit({module!r} in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert run.returncode == 0

"""Ranks load the MPI that the launcher is of, wherever that is installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from programs import REPOSITORY
from rank_runs import ended, recorded_lines, start_ranks, wait_for_ranks

MPIS = REPOSITORY / "build" / "mpi"
"""Each in a folder, as ``scripts/bootstrap check`` installs them."""

pytestmark = pytest.mark.needs(
    *(str(MPIS / name / "bin" / "mpiexec") for name in ("mpich", "openmpi"))
)


def loaded_mpis(pid: int) -> set[str]:
    """Files of the MPI libraries that a process has loaded."""
    maps = Path(f"/proc/{pid}/maps").read_text("utf-8").splitlines()
    files = {Path(line.split()[-1]) for line in maps if "/libmpi" in line}
    return {str(file) for file in files}


@pytest.mark.parametrize(
    ("launcher", "named", "loaded"),
    [
        ("openmpi", None, "libmpi.so.40"),
        ("mpich", None, "libmpi.so.12"),
        # The interface that MPI 5 defines for all libraries.
        ("mpich", "libmpi_abi.so.1", "libmpi_abi.so.1"),
    ],
)
def test_ranks_measure_with_the_library_next_to_the_launcher(
    launcher: str, named: str | None, loaded: str, tmp_path: Path, engine: Path
) -> None:
    installed = MPIS / launcher
    variables = {"PATH": f"{installed}/bin{os.pathsep}{os.environ['PATH']}"}
    if named is not None:
        variables["STREAMGAGE_MPI_LIBRARY"] = str(installed / "lib" / named)
    process = start_ranks(
        *(2, launcher, "--allow-oversubscribe", "--quick"),
        folder=tmp_path,
        engine=engine,
        **variables,
    )
    of_ranks = [loaded_mpis(rank["pid"]) for rank in wait_for_ranks(process, tmp_path)]
    run = ended(process)
    assert run.returncode == 0, run.stderr
    assert of_ranks == [{str((installed / "lib" / loaded).resolve())}] * 2
    records = recorded_lines(tmp_path)
    assert records[-1]["reason"] == "complete"
    (placement,) = (each for each in records if each["record"] == "placement")
    version, _, file = placement["mpi"].rpartition(" (")
    assert "MPI" in version
    assert Path(file.removesuffix(")")).name == loaded

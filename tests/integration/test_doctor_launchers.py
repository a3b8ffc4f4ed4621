"""The doctor under real launchers: what they narrow, and that what it names lifts it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from doctor_runs import check, cores_of, doctor, own_cpus

OPEN_MPI = ["mpiexec.openmpi", "-n", "1"]
MPICH = ["mpiexec.mpich", "-n", "1"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SEVERAL_CORES = cores_of(own_cpus()) > 1
pytestmark = pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")
LIFTING = ["--bind-to none", "--map-by socket:pe=", "--bind-to numa --map-by core"]


def under(launcher: list[str], folder: Path, engine: Path, options: str = "") -> dict[str, Any]:
    document, _ = doctor(*launcher, *shlex.split(options), folder=folder, engine=engine, **AS_ROOT)
    return document


def options_of(remedy: str) -> str:
    """The options of ``mpiexec OPTIONS ...``."""
    words = shlex.split(remedy)
    assert (words[0], words[-1]) == ("mpiexec", "...")
    return shlex.join(words[1:-1])


def test_open_mpi_confines_one_rank_to_one_core(engine: Path, tmp_path: Path) -> None:
    document = under(OPEN_MPI, tmp_path, engine)
    launcher, binding = check(document, "launcher"), check(document, "binding")
    assert "started by Open MPI (1 rank)" in launcher["seen"]
    if SEVERAL_CORES:
        assert (launcher["state"], binding["state"]) == ("spoils", "spoils")
        assert "Open MPI restricts the CPUs" in binding["seen"]
        assert [options_of(each) for each in launcher["remedies"]] != []
    else:
        assert launcher["state"] == "passed"


@pytest.mark.parametrize("beginning", LIFTING)
def test_each_option_that_is_named_lifts_it(engine: Path, tmp_path: Path, beginning: str) -> None:
    confined = check(under(OPEN_MPI, tmp_path, engine), "launcher")
    named = [options_of(each) for each in confined["remedies"]]
    assert len(named) == (len(LIFTING) if SEVERAL_CORES else 0)
    for options in named:
        if options.startswith(beginning):
            document = under(OPEN_MPI, tmp_path, engine, options)
            assert check(document, "launcher")["state"] in ("passed", "advice")
            assert check(document, "binding")["state"] in ("passed", "advice")


def test_mpich_narrows_nothing_unless_asked_to(engine: Path, tmp_path: Path) -> None:
    document = under(MPICH, tmp_path, engine)
    assert check(document, "launcher")["state"] == "passed"
    assert "started by MPICH (1 rank)" in check(document, "launcher")["seen"]


def test_what_is_named_lifts_the_binding_that_mpich_was_asked_for(
    engine: Path, tmp_path: Path
) -> None:
    bound = check(under(MPICH, tmp_path, engine, "-bind-to core"), "launcher")
    assert bound["state"] == ("spoils" if SEVERAL_CORES else "passed")
    for remedy in bound["remedies"]:
        document = under(MPICH, tmp_path, engine, options_of(remedy))
        assert check(document, "launcher")["state"] == "passed"

"""``streamgage scale`` on this machine: threads, and ranks of both kinds of MPI."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from programs import streamgage

SMALL = ("--size", "8MB", "--quick", "--rounds", "2", "--format", "json")
"""Figures mean nothing here: tests may share the machine."""


def scaled(folder: Path, engine: Path, *options: str) -> dict[str, Any]:
    run = streamgage("scale", *options, *SMALL, folder=folder, engine=engine)
    assert run.returncode == 0, run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    return document


ALLOWED = sorted(os.sched_getaffinity(0))
"""The tests need two CPUs; plain lists of numbers count these."""


def cores_of(cpus: Sequence[int]) -> int:
    """Different cores of these CPUs, by the system's own files."""
    topology = [Path(f"/sys/devices/system/cpu/cpu{cpu}/topology") for cpu in cpus]
    parts = ("physical_package_id", "core_id")
    return len({tuple((each / part).read_text() for part in parts) for each in topology})


def cpus_of(place: dict[str, Any]) -> list[int]:
    return [int(cpu) for cpu in place["cpus"].replace("-", ",").split(",")]


def place_at(document: dict[str, Any], placement: str, n: int) -> dict[str, Any]:
    points = next(each["points"] for each in document["placements"] if each["name"] == placement)
    place: dict[str, Any] = next(each for each in points if each["n"] == n)
    return place


def test_threads_are_where_their_placement_puts_them(tmp_path: Path, engine: Path) -> None:
    document = scaled(tmp_path, engine, "2", "--cpus", "compact;1,0;none;omp-spread;cores")
    names = [each["name"] for each in document["placements"]]
    assert names == ["compact", "1,0", "none", "omp-spread", "cores"]
    assert cpus_of(place_at(document, "compact", 1)) == ALLOWED[:1]
    assert cpus_of(place_at(document, "1,0", 1)) == ALLOWED[1:2]
    assert set(cpus_of(place_at(document, "1,0", 2))) == set(ALLOWED[:2])
    for placement in ("compact", "1,0", "cores"):
        place = place_at(document, placement, 2)
        assert (place["bound"], sum(place["per_node"].values())) == (True, 2)
        assert place["cores"] == cores_of(cpus_of(place))
    spread = place_at(document, "omp-spread", 2)
    assert spread["cores"] == min(2, cores_of(ALLOWED))
    assert place_at(document, "none", 2)["bound"] is False
    for curve in document["curves"]:
        one, two = curve["points"]
        assert one["speedup"]["value"] == 1.0
        assert two["efficiency"]["value"] == pytest.approx(two["speedup"]["value"] / 2)
        # A round in which others had the CPUs all the time counts for nothing.
        assert 1 <= one["rounds"] <= 2
        assert 1 <= two["rounds"] <= 2
    assert document["array_bytes"] == 8_000_000


@pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")
@pytest.mark.parametrize("launcher", ["openmpi", "mpich"])
def test_ranks_scale_as_threads_do(launcher: str, tmp_path: Path, engine: Path) -> None:
    options = ["2", "--mpi", "--launcher", launcher, "--cpus", "compact,launcher"]
    document = scaled(tmp_path, engine, *options)
    assert (document["workers"], document["launcher"]) == ("ranks", launcher)
    placed = place_at(document, "compact", 2)
    assert placed["bound"] is True and placed["cores"] == min(2, cores_of(ALLOWED))
    # Open MPI binds one or two ranks to a core each, with all its threads; MPICH binds nothing.
    to_one_cpu = launcher == "openmpi" and cores_of(ALLOWED) == len(ALLOWED)
    assert place_at(document, "launcher", 2)["bound"] is to_one_cpu
    assert {each["failure"] for each in document["runs"]} == {None}
    assert all(each["points"][1]["gbps"]["value"] > 0 for each in document["curves"])


@pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")
def test_compilers_workers_and_placements_are_curves_of_one_picture(
    tmp_path: Path, engine: Path
) -> None:
    """The main figure of PETSc's study: bandwidth, speedup and efficiency of each."""
    by_launcher = {"openmpi": "openmpi:--bind-to core", "mpich": "mpich:-bind-to core"}
    options = ["2", "--both", "--compilers", "own;gcc -O1"]
    options += ["--cpus", ";".join(["compact", *by_launcher.values()])]
    document = scaled(tmp_path, engine, *options)
    ways = {"threads": ["compact"], "ranks": ["compact", *by_launcher.values()]}
    found = [(each["compiler"], each["workers"], each["way"]) for each in document["placements"]]
    assert found == [
        (compiler, workers, way)
        for compiler in (None, "gcc -O1")
        for workers, its in ways.items()
        for way in its
    ]
    launchers = {each["way"]: each["launcher"] for each in document["placements"]}
    assert {name: launchers[way] for name, way in by_launcher.items()} == {
        name: name for name in by_launcher
    }
    assert {each["failure"] for each in document["runs"]} == {None}
    assert len(document["curves"]) == len(found)
    assert all(each["points"][1]["speedup"]["value"] > 0 for each in document["curves"])
    for way in by_launcher.values():  # bound, and where the launcher was asked to
        place = place_at(document, f"gcc -O1, ranks, {way}", 2)
        assert place["bound"] is (cores_of(ALLOWED) == len(ALLOWED))
        assert place["cores"] == min(2, cores_of(ALLOWED))


@pytest.mark.needs("mpiexec.mpich")
def test_several_threads_a_rank_share_its_cpus(tmp_path: Path, engine: Path) -> None:
    options = ["1", "--mpi", "--threads", "2", "--launcher", "mpich", "--cpus", "compact"]
    document = scaled(tmp_path, engine, *options)
    place = place_at(document, "compact", 1)
    assert (place["bound"], sum(place["per_node"].values())) == (True, 2)
    assert place["cores"] == min(2, cores_of(ALLOWED))
    assert document["threads_per_worker"] == 2

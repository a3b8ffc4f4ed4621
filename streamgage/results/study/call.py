"""Calls a program with n workers on the same CPUs as STREAM."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamgage.process.launch import Job, choose_launcher, prepared
from streamgage.process.launch.started_by import LOCAL_RANKS
from streamgage.process.ranks import Ranks
from streamgage.results.scale.placements import LAUNCHER, OF_OPENMP, Way
from streamgage.results.study.applications.case import Case

_PLACE_RANK = Path(__file__).parent / "applications" / "place_rank.py"


@contextmanager
def call_of(
    n: int, case: Case, ranks: Ranks | None, way: Way, log: Path
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The command for ``n`` workers with its environment variables.

    Workers are placed as STREAM's are. ``ranks``: ``None`` if the workers are OpenMP threads.
    """
    if ranks is None:
        yield case.template.fill(n, (), log), _of_threads(n, way)
        return
    launcher = choose_launcher(way.launcher or ranks.launcher)
    line = launcher.command_line(_job(n, ranks, way, n if case.first_has_all else 1))
    with prepared(line, {}) as call:
        yield case.template.fill(n, call.arguments, log), dict(call.environment)


def _of_threads(n: int, way: Way) -> dict[str, str]:
    """The variables of OpenMP that place ``n`` threads, with one place per CPU."""
    if way.name in OF_OPENMP:
        return {"OMP_NUM_THREADS": str(n), **OF_OPENMP[way.name]}
    if way.kind != "cpus":
        return {"OMP_NUM_THREADS": str(n), "OMP_PROC_BIND": "false"}
    places = ",".join(f"{{{cpu}}}" for cpu in way.cpus[:n])
    return {"OMP_NUM_THREADS": str(n), "OMP_PLACES": places, "OMP_PROC_BIND": "true"}


def _job(n: int, ranks: Ranks, way: Way, first: int) -> Job:
    """Ranks that bind themselves to the CPUs of ``way``, or are left as they are.

    ``first``: the number of threads of the first rank, while the others wait.
    """
    placer: tuple[str, ...] = ()
    variables = {"OMP_NUM_THREADS": str(ranks.threads)}
    if way.kind == "cpus" or first > ranks.threads:
        cpus = ",".join(map(str, way.cpus)) if way.kind == "cpus" else "-"
        words = [str(_PLACE_RANK), cpus, str(ranks.threads), str(first), ",".join(LOCAL_RANKS)]
        placer = (sys.executable, "-I", *words)
        variables = {}
    return Job(
        ranks=n,
        program=placer,
        threads=ranks.threads,
        hosts=ranks.hosts,
        launcher_binds=way.name == LAUNCHER or way.launcher is not None,
        options=way.options,
        variables=variables,
    )

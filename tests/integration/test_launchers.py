"""The launchers themselves, with a program that needs no MPI."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from streamgage.errors import UsageError
from streamgage.process.launch import Job, LauncherName, choose_launcher, prepared

pytestmark = pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")
WAIT_SECONDS = 300
"""Only so that a hanging test ends."""

SAYS = (
    "import os; at = sorted(os.sched_getaffinity(0));"
    "os.write(1, f\"{os.environ['STREAMGAGE_TRIED']} {len(at)}\\n\".encode())"
)
"""In one piece: launchers mix what ranks say at once."""


@pytest.mark.parametrize("name", [LauncherName.OPENMPI, LauncherName.MPICH])
def test_a_launcher_starts_ranks_that_may_use_every_cpu_with_the_variables(
    name: LauncherName,
) -> None:
    job = Job(
        ranks=3,
        program=(sys.executable, "-c", SAYS),
        oversubscribe=True,
        variables={"STREAMGAGE_TRIED": "two words"},
    )
    with prepared(choose_launcher(name).command_line(job)) as call:
        done = subprocess.run(
            call.arguments,
            env=call.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WAIT_SECONDS,
            check=False,
        )
    cpus = len(os.sched_getaffinity(0))
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == [f"two words {cpus}"] * 3


def test_the_launcher_that_is_found_by_itself_is_one_of_those_that_are_here() -> None:
    outside = {key: value for key, value in os.environ.items() if key != "SLURM_JOB_ID"}
    chosen = choose_launcher(LauncherName.AUTO, environment=outside)
    assert chosen.name in (LauncherName.OPENMPI, LauncherName.MPICH)
    only = choose_launcher(LauncherName.AUTO, among=[LauncherName.MPICH], environment=outside)
    assert only.name is LauncherName.MPICH


def test_a_launcher_that_is_not_here_is_told_with_what_was_looked_for() -> None:
    with pytest.raises(UsageError, match=r"No launcher of slurm is on the PATH \(looked for: srun"):
        choose_launcher(LauncherName.SLURM, environment={"PATH": "/nonexistent"})

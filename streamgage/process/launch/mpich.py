"""Hydra, the ``mpiexec`` of MPICH, MVAPICH and Intel MPI (tried with MPICH 4.0).

It binds nothing by default and allows more ranks than cores.
"""

from __future__ import annotations

from streamgage.process.launch.job import CommandLine, Job

NAME = "mpich"
VERSION_SAYS = ("HYDRA", "Intel(R) MPI")


def command_line(job: Job, launcher: str) -> CommandLine:
    """The call of ``launcher`` that runs ``job``."""
    arguments = [launcher, "-n", str(job.ranks)]
    if job.hosts:
        arguments += ["-hosts", ",".join(f"{each.host}:{each.ranks}" for each in job.shares())]
    for name, value in job.variables.items():
        arguments += ["-genv", name, value]
    return CommandLine((*arguments, *job.program))

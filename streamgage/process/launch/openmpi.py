"""Open MPI's ``mpiexec`` (ORTE and PRRTE; tried with 4.1).

By default it binds one or two ranks to a core each and more to NUMA domains, so that all threads of
a rank share one core; ranks here bind their threads themselves, hence ``--bind-to none``. For root
it wants two variables, and for more ranks than cores ``--oversubscribe``.
"""

from __future__ import annotations

from streamgage.process.launch.job import CommandLine, Job

NAME = "openmpi"
ROOT_VARIABLES = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
VERSION_SAYS = ("Open MPI", "OpenRTE", "PRRTE")


def command_line(job: Job, launcher: str) -> CommandLine:
    """The call of ``launcher`` that runs ``job``."""
    arguments = [launcher, "-n", str(job.ranks)]
    if not job.launcher_binds:
        arguments += ["--bind-to", "none"]
    if job.oversubscribe:
        arguments.append("--oversubscribe")
    if job.hosts:
        arguments += ["--map-by", "slot"]
        arguments += ["--host", ",".join(f"{each.host}:{each.ranks}" for each in job.shares())]
    for name, value in job.variables.items():
        arguments += ["-x", f"{name}={value}"]
    return CommandLine((*arguments, *job.program))

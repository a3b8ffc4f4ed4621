"""Slurm's ``srun``, inside an allocation or by itself.

``--cpu-bind=none`` lets ranks bind their threads within what the job's cgroup allows;
``--cpus-per-task`` reserves cores for them. Shares that differ from host to host need the
distribution ``arbitrary``, which takes a name a rank from the file that ``SLURM_HOSTFILE`` names
(srun's manual).
"""

from __future__ import annotations

from streamgage.process.launch.job import CommandLine, Job

NAME = "slurm"
VERSION_SAYS = ("slurm",)


def command_line(job: Job, launcher: str) -> CommandLine:
    """The call of ``launcher`` that runs ``job``."""
    arguments = [launcher, f"--ntasks={job.ranks}"]
    if not job.launcher_binds:
        arguments.append("--cpu-bind=none")
    if job.threads > 1:
        arguments.append(f"--cpus-per-task={job.threads}")
    if job.oversubscribe:
        arguments.append("--overcommit")
    files = {}
    if shares := job.shares():
        names = ",".join(each.host for each in shares)
        arguments += [f"--nodes={len(shares)}", f"--nodelist={names}"]
        if len({each.ranks for each in shares}) == 1:
            arguments.append(f"--ntasks-per-node={shares[0].ranks}")
        else:
            arguments.append("--distribution=arbitrary")
            files["SLURM_HOSTFILE"] = "".join(f"{each.host}\n" * each.ranks for each in shares)
    # srun hands its own environment on to the ranks.
    return CommandLine((*arguments, *job.program), job.variables, files)

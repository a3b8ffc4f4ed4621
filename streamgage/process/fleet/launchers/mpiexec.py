"""Any ``mpiexec``, used only as a launcher: the engine that it starts is not an MPI program."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.errors import UsageError
from streamgage.process.fleet.launcher import Available, Call, Launcher, Task
from streamgage.process.fleet.on_node import shell_words
from streamgage.process.launch import Host, Job, mpi_called

_PROGRAMS = ("mpiexec", "mpirun", "mpiexec.hydra")


def nodes(_options: Sequence[str]) -> Available:
    """Return no nodes: mpiexec does not know them."""
    raise UsageError("mpiexec does not know the nodes: name them with --nodes.")


def launch(task: Task) -> tuple[Call, ...]:
    """Make one call for all nodes."""
    words = shell_words(task.there or str(task.engine), task.arguments)
    line = mpi_called(_PROGRAMS).command_line(
        Job(
            len(task.nodes),
            tuple(words),
            hosts=tuple(Host(each, 1) for each in task.nodes),
            options=task.options,
        )
    )
    return (Call(line.arguments, task.nodes, variables=line.variables),)


MPIEXEC = Launcher(
    "mpiexec",
    _PROGRAMS,
    "load the module of MPI, or choose another --launcher",
    nodes,
    launch,
    copies=False,
    divisible=True,
)

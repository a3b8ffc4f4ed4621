"""Slurm by a job for each node: busy nodes are measured when they become free.

Each job writes to a file of its own, in a folder next to the file of lines.
"""

from __future__ import annotations

import sys

from streamgage.process.fleet import jobs_of_nodes
from streamgage.process.fleet.launcher import Call, Launcher, Task, labelled
from streamgage.process.fleet.launchers.slurm import (
    allocation,
    never_available,
    nodes_in_turn,
)
from streamgage.process.fleet.node_names import folded
from streamgage.process.fleet.on_node import shell_line


def launch(task: Task) -> tuple[Call, ...]:
    """Start one program that submits the jobs and waits for them."""
    folder = task.folder.resolve() / f".streamgage-{task.token}.lines"
    engine = task.there or str(task.engine.resolve())
    submit = [
        # Everything but the node, which stands last.
        *[each for each in allocation("sbatch", task, task.nodes[:1]) if "--nodelist" not in each],
        *("--parsable", f"--output={folder}/%j-%N", "--no-requeue"),
        *(*task.options, f"--wrap={shell_line(engine, task.arguments)}"),
    ]
    command = (sys.executable, "-m", jobs_of_nodes.__name__, str(folder), *submit)
    return (Call(command, task.nodes, variables={jobs_of_nodes.NODES: folded(task.nodes)}),)


SBATCH = Launcher(
    "sbatch",
    ("sbatch",),
    "load Slurm's module, or choose another --launcher",
    nodes_in_turn,
    launch,
    labelled,
    unavailable=never_available,
    copies=False,
)

"""PBS (OpenPBS, PBS Professional and Torque): ``pbsdsh`` in a job, a call for each node.

A node is named by its line in the file of nodes, which both dialects of pbsdsh know as ``-n``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.process.fleet.launcher import Available, Call, Launcher, Task
from streamgage.process.fleet.node_names import parse_nodes
from streamgage.process.fleet.on_node import shell_words

_VARIABLE = "PBS_NODEFILE"


def _lines() -> list[str]:
    """The lines of the job's file of nodes, with repeated names. Raises ``UsageError``."""
    name = os.environ.get(_VARIABLE)
    if not name:
        raise UsageError("pbsdsh only works in a PBS job: start this in one (qsub -I ...).")
    try:
        return Path(name).read_text("utf-8", "replace").split()
    except OSError as error:
        raise UsageError(
            f"The file of nodes {name} of this job cannot be read: {error.strerror}."
        ) from error


def nodes(_options: Sequence[str]) -> Available:
    """List the nodes of this job."""
    return Available(parse_nodes(f"${_VARIABLE}", " ".join(dict.fromkeys(_lines()))))


def launch(task: Task) -> tuple[Call, ...]:
    """Make a call for each node. Raises ``UsageError`` for one that is not in this job."""
    places: dict[str, int] = {}
    for place, node in enumerate(_lines()):
        places.setdefault(node, place)
    if strange := [each for each in task.nodes if each not in places]:
        raise UsageError(f"{strange[0]} is not in this job of PBS: name nodes of ${_VARIABLE}.")
    words = shell_words(task.there or str(task.engine), task.arguments)
    return tuple(
        Call(("pbsdsh", "-n", str(places[node]), *task.options, "--", *words), (node,))
        for node in task.nodes
    )


PBS = Launcher(
    "pbs",
    ("pbsdsh",),
    "start it in a job of PBS, or choose another --launcher",
    nodes,
    launch,
    most_at_once=64,
    copies=False,
)

"""Flux: one job over all nodes, by the commands of flux-core 0.50 and newer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from streamgage.process.fleet.launcher import Available, Call, Launcher, Task, nodes_said
from streamgage.process.fleet.node_names import folded
from streamgage.process.fleet.on_node import shell_words


def nodes(_options: Sequence[str]) -> Available:
    """List the free nodes of this instance of Flux."""
    return nodes_said(
        ["flux", "resource", "list", "-n", "-s", "free", "-o", "{nodelist}"],
        "Flux has no free node: wait for one, or name nodes with --nodes.",
    )


def launch(task: Task) -> tuple[Call, ...]:
    """Make one call for all nodes. Affinity is off, because the engine binds its threads itself."""
    number = len(task.nodes)
    command = [
        *("flux", "run", f"--nodes={number}", f"--ntasks={number}", "--exclusive"),
        *("-o", "cpu-affinity=off", "-o", "exit-timeout=none"),
        *(f"--time-limit={math.ceil(task.seconds)}s", f"--requires=host:{folded(task.nodes)}"),
        *task.options,
        *shell_words(task.there or str(task.engine), task.arguments),
    ]
    return (Call(tuple(command), task.nodes),)


FLUX = Launcher(
    "flux",
    ("flux",),
    "start it in an instance of Flux, or choose another --launcher",
    nodes,
    launch,
    copies=False,
    divisible=True,
)

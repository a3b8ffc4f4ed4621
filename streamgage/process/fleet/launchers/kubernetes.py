"""Kubernetes: one indexed Job with a pod on each node, by the cluster's own client library."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from streamgage.errors import UsageError
from streamgage.process.fleet import pods_of_nodes
from streamgage.process.fleet.launcher import Available, Call, Launcher, Task, nodes_said
from streamgage.process.fleet.node_names import folded
from streamgage.process.fleet.on_node import shell_words
from streamgage.process.installation import require


def nodes(_options: Sequence[str]) -> Available:
    """List the nodes that are ready and accept pods."""
    require("--launcher kubernetes", "kubernetes")
    return nodes_said(
        [sys.executable, "-m", pods_of_nodes.__name__, "nodes"],
        "Kubernetes has no node that is ready and accepts pods: name nodes with --nodes.",
    )


def launch(task: Task) -> tuple[Call, ...]:
    """Start one program that makes the job and follows its pods. Raises ``UsageError``."""
    require("--launcher kubernetes", "kubernetes")
    if task.image is None:
        raise UsageError(
            "--launcher kubernetes needs --image: a container image that has streamgage-engine."
        )
    if task.options:
        raise UsageError("--launcher kubernetes takes no --launcher-options: leave them out.")
    request = pods_of_nodes.JobRequest(
        name=f"streamgage-{task.token}",
        nodes=folded(task.nodes),
        image=task.image,
        command=shell_words(task.there or "streamgage-engine", task.arguments),
        seconds=int(task.seconds),
    )
    command = (sys.executable, "-m", pods_of_nodes.__name__, "run")
    return (Call(command, task.nodes, variables={pods_of_nodes.ASKED: request.encoded()}),)


KUBERNETES = Launcher("kubernetes", (), "", nodes, launch, copies=False)

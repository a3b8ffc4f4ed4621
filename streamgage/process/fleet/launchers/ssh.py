"""Connects to each node by ssh, several at a time, and sends the engine over the connection."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.errors import UsageError
from streamgage.process.fleet.launcher import Available, Call, Launcher, Task
from streamgage.process.fleet.on_node import shell_line


def nodes(_options: Sequence[str]) -> Available:
    """Return no nodes: ssh does not know them."""
    raise UsageError("ssh does not know the nodes: name them with --nodes.")


def launch(task: Task) -> tuple[Call, ...]:
    """Return one ssh command for each node."""
    copied = task.there is None
    line = shell_line(task.there or task.copy, task.arguments, removed=copied, from_stdin=copied)
    options = ("-oBatchMode=yes", "-oConnectTimeout=20", *task.options)
    stdin = task.engine if copied else None
    return tuple(Call(("ssh", *options, node, line), (node,), stdin=stdin) for node in task.nodes)


SSH = Launcher(
    "ssh",
    ("ssh",),
    "install OpenSSH, or choose another --launcher",
    nodes,
    launch,
    most_at_once=64,
)

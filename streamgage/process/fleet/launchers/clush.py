"""ClusterShell's ``clush``: ssh to many nodes, as a tree if the site has configured one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from streamgage.process.fleet.launcher import (
    Available,
    Call,
    Failure,
    Launcher,
    Task,
    labelled,
    nodes_said,
)
from streamgage.process.fleet.node_names import folded
from streamgage.process.fleet.on_node import shell_line

_STATUS = re.compile(r"clush: (?P<nodes>\S+)(?: \(\d+\))?: exited with exit code \d+")


def nodes(_options: Sequence[str]) -> Available:
    """List the site's group of all nodes."""
    return nodes_said(
        ["nodeset", "--expand", "@all"],
        "The groups of ClusterShell have no node in @all: name nodes with --nodes.",
    )


def launch(task: Task) -> tuple[Call, ...]:
    """Make one call for all nodes, after a command that copies the engine to them."""
    names = folded(task.nodes)
    seconds = str(math.ceil(task.seconds))
    of_all = ["clush", "--nostdin", "--color=never", "-u", seconds, *task.options, "-w", names]
    copied = task.there is None
    line = shell_line(task.there or task.copy, task.arguments, removed=copied)
    copy = (*of_all, "--quiet", "--copy", str(task.engine), "--dest", task.copy)
    return (Call((*of_all, line), task.nodes, before=(copy,) if copied else ()),)


def collect(line: str) -> Iterator[Failure]:
    """Read failures of nodes from what ssh printed; clush's own line about the end adds nothing."""
    if not _STATUS.fullmatch(line):
        yield from labelled(line)


CLUSH = Launcher(
    "clush",
    ("clush",),
    "install ClusterShell, or choose another --launcher",
    nodes,
    launch,
    collect,
)

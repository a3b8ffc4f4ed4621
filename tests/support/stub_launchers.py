"""Launchers that start everything here: short programs that stand in for real ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from streamgage.process.fleet.launcher import Available, Call, Launcher, Task
from streamgage.process.fleet.on_node import shell_line, shell_words
from streamgage.records.node import NodeFigure, NodeLine, as_line

NODE_ENGINE = """\
#!/bin/sh
printf '{"record":"node","host":"%s","time":"%s","figures":[{"kernel":"triad","gbps":%s}]}\\n' \
 "${STREAMGAGE_NODE:-$(uname -n)}" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${RATE:-40.5}"
"""
"""An engine that says at once what a node could reach."""


def node_engine(folder: Path, before: str = "") -> Path:
    """Write this engine to a file; ``before`` is shell that it runs first."""
    path = folder / "node-engine"
    head, _, rest = NODE_ENGINE.partition("\n")
    path.write_text(f"{head}\n{before}\n{rest}")
    path.chmod(0o755)
    return path


def node_line(host: str, time: str, gbps: float = 40.5) -> bytes:
    """The line that the engine prints for a node."""
    figures = [NodeFigure(kernel="triad", gbps=gbps)]
    return as_line(NodeLine(host=host, time=time, figures=figures))


def local(nodes: Sequence[str] = ()) -> Launcher:
    """A call for each node, all of which are this machine."""

    def launch(task: Task) -> list[Call]:
        words = tuple(shell_words(str(task.engine), task.arguments))
        return [Call(words, (each,), variables={"STREAMGAGE_NODE": each}) for each in task.nodes]

    return Launcher("local", (), "", lambda _: Available(tuple(nodes)), launch)


def at_once(refused: Sequence[str] = (), *, deadly: Sequence[str] = ()) -> Launcher:
    """One call for all nodes: it fails where one is ``refused``, and ends where one is ``deadly``.

    All nodes before a deadly one in the list answer.
    """

    def launch(task: Task) -> list[Call]:
        lines = []
        if found := [each for each in task.nodes if each in refused]:
            lines += [f"echo 'all: error: {found[0]} is down' >&2", "exit 1"]
        for each in task.nodes:
            if each in deadly:
                lines.append("kill -9 $$")
            line = shell_line(str(task.engine), task.arguments)
            lines.append(f"STREAMGAGE_NODE={each} {line}")
        return [Call(("sh", "-c", "\n".join(lines)), task.nodes)]

    return Launcher("at-once", (), "", lambda _: Available(()), launch, divisible=True)


def printing(file: Path) -> Launcher:
    """One call for all nodes, which prints a file."""

    def launch(task: Task) -> list[Call]:
        return [Call(("cat", str(file)), task.nodes)]

    return Launcher("printing", (), "", lambda _: Available(()), launch)


def stub_program(folder: Path, name: str, body: str) -> None:
    """Write a shell program ``name`` to ``folder``, for the path."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def path_with(folder: Path) -> str:
    """A path on which the programs of ``folder`` are found first."""
    return f"{folder}{os.pathsep}{os.environ['PATH']}"

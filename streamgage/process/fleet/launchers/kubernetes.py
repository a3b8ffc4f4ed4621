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

_KNOWN = ("namespace", "pull-secret", "cpu", "gpu", "gpu-name", "tolerate")


def nodes(options: Sequence[str]) -> Available:
    """List the nodes that are ready and accept pods, with the taints that the options tolerate."""
    require("--launcher kubernetes", "kubernetes")
    tolerated = read_options(options).get("tolerate", [])
    return nodes_said(
        [sys.executable, "-m", pods_of_nodes.__name__, "nodes", *tolerated],
        "Kubernetes has no node that is ready and accepts pods: name nodes with --nodes.",
    )


def read_options(options: Sequence[str]) -> dict[str, list[str]]:
    """Read ``--name=value`` options. Raises ``UsageError`` for one that is not known."""
    found: dict[str, list[str]] = {}
    for each in options:
        name, equals, value = each.removeprefix("--").partition("=")
        if not each.startswith("--") or name not in _KNOWN or not equals or not value:
            known = ", ".join(f"--{known}=VALUE" for known in _KNOWN)
            raise UsageError(f"{each!r} is no option of --launcher kubernetes: use {known}.")
        found.setdefault(name, []).append(value)
    return found


def launch(task: Task) -> tuple[Call, ...]:
    """Start one program that makes the job and follows its pods. Raises ``UsageError``."""
    require("--launcher kubernetes", "kubernetes")
    if task.image is None:
        raise UsageError(
            "--launcher kubernetes needs --image: a container image that has streamgage-engine."
        )
    options = read_options(task.options)

    def last(name: str) -> str | None:
        return options[name][-1] if name in options else None

    gpu = last("gpu")
    if gpu is not None and not (gpu.isdecimal() and int(gpu)):
        raise UsageError(
            f"--gpu={gpu} of --launcher-options is not a number of GPUs: write --gpu=4."
        )
    request = pods_of_nodes.JobRequest(
        name=f"streamgage-{task.token}",
        nodes=folded(task.nodes),
        image=task.image,
        command=shell_words(task.there or "streamgage-engine", task.arguments),
        seconds=int(task.seconds),
        namespace=last("namespace"),
        pull_secret=last("pull-secret"),
        cpu=last("cpu"),
        gpu=None if gpu is None else int(gpu),
        gpu_name=last("gpu-name") or "nvidia.com/gpu",
        tolerate=options.get("tolerate", []),
    )
    command = (sys.executable, "-m", pods_of_nodes.__name__, "run")
    return (Call(command, task.nodes, variables={pods_of_nodes.ASKED: request.encoded()}),)


KUBERNETES = Launcher("kubernetes", (), "", nodes, launch, copies=False)

"""Slurm by one ``srun`` over all nodes, in this job or in an allocation of its own.

``sbcast`` copies the engine to all nodes, and lines come back through srun's own tree. With
``--no-kill`` the other nodes go on if one fails.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from streamgage.process.fleet.launcher import Call, Failure, Launcher, Task, nodes_said
from streamgage.process.fleet.node_names import folded, parse_nodes
from streamgage.process.fleet.on_node import shell_words

IDLE = "Slurm has no idle node: wait for one, or name nodes with --nodes."
_OF_A_TASK = re.compile(r"srun: error: (?P<nodes>\S+): tasks? [^:]+: (?P<text>.+)")
_OF_A_NODE = re.compile(r"(?:srun|salloc): error: Node failure on (?P<nodes>\S+)")
_STARTED = re.compile(
    r"srun: error: Task launch for \S+ failed on node (?P<nodes>\S+): (?P<text>.+)"
)


def nodes(options: Sequence[str]) -> tuple[str, ...]:
    """List the nodes of this job, or the idle ones of the partition that the options name."""
    if listed := os.environ.get("SLURM_JOB_NODELIST"):
        return parse_nodes("SLURM_JOB_NODELIST", listed)
    return nodes_said(
        ["sinfo", "--noheader", "--Node", "--states=idle", "--format=%N", *_partition(options)],
        IDLE,
    )


def _partition(options: Sequence[str]) -> list[str]:
    """Return the options that ``sinfo`` shares with ``srun`` and ``sbatch``."""
    found = []
    for each, following in zip_longest(options, options[1:], fillvalue=""):
        if each in ("-p", "--partition", "-M", "--clusters"):
            found += [each, following]
        elif re.match(r"-[pM].|--(?:partition|clusters)=", each):
            found.append(each)
    return found


def launch(task: Task) -> tuple[Call, ...]:
    """Make one call for all nodes."""
    within = "SLURM_JOB_ID" in os.environ
    number = len(task.nodes)
    step = [
        *("srun", "--no-kill", "--kill-on-bad-exit=0", "--wait=0", "--cpu-bind=none", "--mpi=none"),
        *(f"--nodes={number}", f"--ntasks={number}", "--ntasks-per-node=1"),
        f"--nodelist={folded(task.nodes)}",
    ]
    if within:
        step += ["--overlap", *task.options]
    engine = task.there or task.copy
    step += shell_words(engine, task.arguments, removed=task.there is None)
    line = f"exec {shlex.join(step)}"
    if task.there is None:
        line = f"sbcast --force {shlex.quote(str(task.engine))} {shlex.quote(engine)} && {line}"
    command = ["sh", "-c", line]
    if not within:
        command = [*allocation("salloc", task, task.nodes), "--no-kill", *task.options, *command]
    return (Call(tuple(command), task.nodes),)


def allocation(program: str, task: Task, nodes: tuple[str, ...]) -> list[str]:
    """Return the options that ask Slurm for whole nodes until the deadline."""
    return [
        *(program, f"--job-name=streamgage-{task.token}", "--exclusive", "--mem=0"),
        *(f"--nodes={len(nodes)}", f"--nodelist={folded(nodes)}", "--ntasks-per-node=1"),
        f"--time={max(1, math.ceil(task.seconds / 60))}",
    ]


def collect(line: str) -> Iterator[Failure]:
    """Yield the failed nodes in a line such as ``srun: error: n[1-2]: tasks 0-1: Killed``."""
    for form in (_OF_A_TASK, _OF_A_NODE, _STARTED):
        if found := form.fullmatch(line):
            text = found.groupdict().get("text") or "the node failed"
            for node in parse_nodes("srun", found["nodes"]):
                yield Failure(node, text, "not-started" if form is _STARTED else "died")


SLURM = Launcher(
    "slurm",
    ("srun",),
    "load Slurm's module, or choose another --launcher",
    nodes,
    launch,
    collect,
    divisible=True,
)

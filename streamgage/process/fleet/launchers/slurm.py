"""Slurm by one ``srun`` over all nodes, in this job or in an allocation of its own.

``sbcast`` copies the engine to all nodes, and lines come back through srun's own tree. With
``--no-kill`` the other nodes go on if one fails.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from streamgage.errors import UsageError
from streamgage.process.fleet.launcher import Available, Call, Failure, Launcher, Task, output_of
from streamgage.process.fleet.node_names import folded, parse_nodes
from streamgage.process.fleet.on_node import shell_words

_FLAGS = {
    "*": "not responding",
    "~": "powered off",
    "#": "powering up",
    "!": "about to power down",
    "%": "powering down",
    "$": "in maintenance",
    "@": "about to reboot",
    "^": "rebooting",
    "-": "planned for another job",
}
"""What the letter after a node's state says (sinfo(1), "Node state codes")."""
_BUSY = ("allocated", "mixed", "completing", "planned")
"""The states of nodes that become free by themselves."""
_NO_REASON = ("", "none", "n/a")
_MOST_REASONS = 4
_LEAST_SECONDS, _MOST_SECONDS = 5, 60
_OF_A_TASK = re.compile(r"srun: error: (?P<nodes>\S+): tasks? [^:]+: (?P<text>.+)")
_OF_A_NODE = re.compile(r"(?:srun|salloc): error: Node failure on (?P<nodes>\S+)")
_STARTED = re.compile(
    r"srun: error: Task launch for \S+ failed on node (?P<nodes>\S+): (?P<text>.+)"
)


def nodes(options: Sequence[str]) -> Available:
    """List the nodes of this job, or the idle ones of the partition that the options name."""
    return _listed(options, waits=False)


def nodes_in_turn(options: Sequence[str]) -> Available:
    """List the nodes of this job, or those that are idle or become so by themselves."""
    return _listed(options, waits=True)


def _listed(options: Sequence[str], *, waits: bool) -> Available:
    if listed := os.environ.get("SLURM_JOB_NODELIST"):
        return Available(parse_nodes("SLURM_JOB_NODELIST", listed))
    states = _states(options, waits=waits)
    found = tuple(node for node, why in states.items() if why is None)
    if not found:
        counted = Counter(filter(None, states.values()))
        whys = "; ".join(f"{number} {why}" for why, number in counted.most_common(_MOST_REASONS))
        raise UsageError(
            f"Slurm gives no node now ({whys}): wait for one, or use --launcher sbatch, which waits"
            " for busy nodes."
        )
    return Available(found, {node: why for node, why in states.items() if why is not None})


def unavailable(options: Sequence[str]) -> dict[str, str]:
    """Why Slurm does not give some nodes now, by the node. A job has its nodes already."""
    if "SLURM_JOB_NODELIST" in os.environ:
        return {}
    return {node: why for node, why in _states(options).items() if why is not None}


def never_available(options: Sequence[str]) -> dict[str, str]:
    """Why Slurm does not give some nodes, even to a job that waits for them."""
    found = _states(options, waits=True)
    return {node: why for node, why in found.items() if why is not None}


def drained_nodes() -> list[tuple[str, str]]:
    """The nodes that are drained, each with the reason."""
    command = ["sinfo", "--noheader", "--Node", "--states=drain", "--format=%N|%E"]
    rows = (line.strip().partition("|") for line in output_of(command).splitlines())
    return [(node, why) for node, _, why in rows]


def _states(options: Sequence[str], *, waits: bool = False) -> dict[str, str | None]:
    """Why Slurm does not give each node, with the reason of whoever drained it.

    ``None``: it is idle, or with ``waits`` it will be.
    """
    command = ["sinfo", "--noheader", "--Node", "--format=%N|%T|%E", *_partition(options)]
    reserved = any(each.startswith("--reservation") for each in options)
    found: dict[str, str | None] = {}
    for line in output_of(command).splitlines():
        node, _, rest = line.strip().partition("|")
        state, _, reason = rest.partition("|")
        if not node:
            continue
        known = state.rstrip("*~#!%$@^-")
        flags = state[len(known) :]
        free = known == "idle" or (reserved and known in ("reserved", "maint"))
        if (free and not flags.strip("$" if reserved else "")) or (
            waits and (known in _BUSY or flags == "-")
        ):
            found[node] = None
            continue
        words = ", ".join([known, *(_FLAGS[flag] for flag in flags)])
        said = "" if reason.strip().lower() in _NO_REASON else f": {reason.strip()}"
        found[node] = f"{words} in Slurm{said}"
    return found


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
        # It gives up where another job was faster: the other nodes are then asked for without it.
        patience = min(max(_LEAST_SECONDS, task.seconds / 5), _MOST_SECONDS)
        most = f"--immediate={math.ceil(patience)}"
        allocated = allocation("salloc", task, task.nodes)
        command = [*allocated, "--no-kill", most, *task.options, *command]
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
    unavailable=unavailable,
    divisible=True,
)

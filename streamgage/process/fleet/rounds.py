"""Measures a fleet in rounds: every node once, then only the suspect nodes, in more detail."""

from __future__ import annotations

import secrets
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

import msgspec

from streamgage.process.fleet.launcher import Launcher, Task
from streamgage.process.fleet.line_file import LineFile
from streamgage.process.fleet.node_names import folded
from streamgage.process.fleet.run import Counts, Round, measure_nodes
from streamgage.process.process import ENGINE
from streamgage.records.node import FleetLine, FleetRun, NodeLine, SilentNode

Suspects = Callable[[int, Sequence[FleetLine], Sequence[str]], Sequence[str]]
"""A function of a round's number, all lines so far, and the round's nodes. It returns the nodes
that another round is to measure again."""


class FleetProgress(Protocol):
    """Shows the progress of a run."""

    def begin(self, number: int, nodes: Sequence[str]) -> None:
        """Round ``number``, from 1, starts with these nodes."""

    def watch(self, counts: Counts) -> None:
        """Show the progress of a round."""

    def note(self, sentence: str) -> None:
        """Report a sentence to the user."""


@dataclass(frozen=True)
class FleetPlan:
    """The task, its nodes and its rounds."""

    launcher: Launcher
    task: Task
    rounds: Sequence[tuple[str, ...]]
    """The arguments of the engine in each further round, which measures the suspects of then."""
    all_nodes: tuple[str, ...]
    """All nodes, including those that answered in an earlier run."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Nodes that nobody asked for, with the reason why their scheduler does not give them."""


@dataclass
class FleetOutcome:
    """The lines of all rounds, and the signal that stopped them, if one did."""

    lines: list[FleetLine] = field(default_factory=list)
    stopped: signal.Signals | None = None


def new_token() -> str:
    """Make the token in the names of a run's files and jobs."""
    return secrets.token_hex(4)


def measure_fleet(
    plan: FleetPlan,
    file: LineFile,
    suspects: Suspects,
    earlier: Sequence[NodeLine],
    shown: FleetProgress,
) -> FleetOutcome:
    """Measure all nodes, then in further rounds those that ``suspects`` names.

    ``earlier`` has lines of an earlier run, of nodes that are not measured now. Raises
    ``UsageError`` if the launcher refuses the task, ``StreamgageError`` if the file cannot be
    written.
    """
    start = time.monotonic()
    task = plan.task
    run = FleetRun(
        nodes=folded(plan.all_nodes),
        launcher=plan.launcher.name,
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        deadline=task.seconds,
        command=" ".join([ENGINE, *task.arguments])[:256],
    )
    file.write(run)
    outcome = FleetOutcome([run, *earlier])
    for node, why in plan.left_out.items():
        silent = SilentNode(host=node, why="not-available", reason=why)
        file.write(silent)
        outcome.lines.append(silent)
    nodes = task.nodes
    for number, arguments in enumerate((task.arguments, *plan.rounds), 1):
        shown.begin(number, nodes)
        wanted = replace(task, nodes=nodes, arguments=arguments, token=new_token())
        found = measure_nodes(plan.launcher, wanted, file, shown.watch, shown.note, attempt=number)
        outcome.lines += _lines(found)
        outcome.stopped = found.stopped
        if found.stopped or number > len(plan.rounds):
            break
        nodes = tuple(suspects(number, outcome.lines, nodes))
        if not nodes:
            break
    last = msgspec.structs.replace(run, seconds=round(time.monotonic() - start, 1))
    file.write(last)
    outcome.lines.append(last)
    return outcome


def _lines(found: Round) -> list[NodeLine | SilentNode]:
    lines = [line for units in found.lines.values() for line in units.values()]
    return [*lines, *found.silent.values()]

"""Measures a fleet in rounds: every node once, then only the suspect nodes, in more detail."""

from __future__ import annotations

import secrets
import signal
import time
from collections.abc import Callable, Sequence
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
"""Takes the number of a round, all lines until then, and the nodes of the round: those among them
that another round is to confirm or clear."""


class Shown(Protocol):
    """Shows how far a run is."""

    def begin(self, number: int, nodes: Sequence[str]) -> None:
        """Round ``number``, from 1, starts with these nodes."""

    def watch(self, counts: Counts) -> None:
        """Show how far a round is."""

    def note(self, sentence: str) -> None:
        """Report a sentence to the user."""


@dataclass(frozen=True)
class Plan:
    """The task, its nodes and its rounds."""

    launcher: Launcher
    task: Task
    rounds: Sequence[tuple[str, ...]]
    """More rounds, each with the arguments of the engine, over those that are suspect then."""
    asked: tuple[str, ...]
    """All nodes, including those that answered in an earlier run."""


@dataclass
class Outcome:
    """The outcome of all rounds."""

    lines: list[FleetLine] = field(default_factory=list)
    stopped: signal.Signals | None = None


def new_token() -> str:
    """Make the token in the names of a run's files and jobs."""
    return secrets.token_hex(4)


def measure_fleet(
    plan: Plan,
    file: LineFile,
    suspects: Suspects,
    earlier: Sequence[NodeLine],
    shown: Shown,
) -> Outcome:
    """Measure the nodes, and those that ``suspects`` names again, each round at once.

    ``earlier``: what an earlier run got of nodes that are not measured now. Raises ``UsageError``
    if the launcher cannot be called so, ``StreamgageError`` if the file takes no line.
    """
    start = time.monotonic()
    task = plan.task
    run = FleetRun(
        nodes=folded(plan.asked),
        launcher=plan.launcher.name,
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        deadline=task.seconds,
        command=" ".join([ENGINE, *task.arguments])[:256],
    )
    file.write(run)
    outcome = Outcome([run, *earlier])
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
    return [*found.lines.values(), *found.silent.values()]

"""Measures a fleet, with the launcher, the nodes, the deadline and the file that options choose."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypedDict

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Default, Form
from streamgage.options.values import (
    Duration,
    NewFile,
    Number,
    PathLike,
    as_path,
    choose,
    duration_of,
    whole_number,
    words_of,
)
from streamgage.process.engine import find_engine
from streamgage.process.fleet.launcher import Task
from streamgage.process.fleet.launchers import FleetLauncher, find_launcher
from streamgage.process.fleet.line_file import (
    EarlierRun,
    LineFile,
    earlier_file,
    new_file,
    read_earlier,
)
from streamgage.process.fleet.node_names import MOST_NODES, folded, read_nodes
from streamgage.process.fleet.rounds import (
    FleetOutcome,
    FleetPlan,
    Suspects,
    measure_fleet,
    new_token,
)
from streamgage.process.fleet.run import Counts
from streamgage.records.node import NodeLine, SilentNode
from streamgage.records.reader import Note
from streamgage.show.bar import Bar
from streamgage.units import count, format_duration, shortened

_SECONDS = "--seconds"
_STANDARD, _EXAMINATION = "10", "20"
"""The engine's value for this option if the user gives none."""
_EXAMINE = "--examine"
"""The engine's option to measure each NUMA domain and core separately."""
_SECONDS_BETWEEN_SENTENCES = 30.0
_MOST_REASONS = 4
_MOST_NAMES = 200
"""The most characters of node names in a sentence."""


class FleetOptions(TypedDict, total=False):
    """Options that choose the nodes and the launcher.

    Args:
        launcher: How to reach the nodes; default: the launcher of the surrounding job, else Slurm.
            sbatch submits a job for each node.
        nodes: Nodes such as 'n[1-4],m7', or a file that lists them; default: those that are idle.
        sample: Measure only this many of the nodes, drawn at random.
        deadline: How long to wait for the nodes in each round.
        lines: File to which the line of each node is written as it comes; default:
            fleet-TIME.jsonl.
        resume: Continue an earlier run from its file of lines: measure the nodes that have no
            answer.
        again: Measure suspect nodes again at once, for longer.
        launcher_options: More options of the launcher, such as '-p debug'.
        there: Path of the engine on the nodes; default: the same path as here; ssh, clush and Slurm
            copy the engine.
        image: With kubernetes: container image that has the engine.
    """

    launcher: Annotated[FleetLauncher | str, Default("auto")]
    nodes: Annotated[PathLike | None, Form("NODES|FILE")]
    sample: Number | None
    deadline: Annotated[Duration, Default("5m")]
    lines: NewFile | None
    resume: PathLike | None
    again: Annotated[bool | None, Default(None)]
    launcher_options: Annotated[str | None, Form("'OPTION..'")]
    there: Annotated[str | None, Form("PATH")]
    image: Annotated[str | None, Form("IMAGE")]


@dataclass(frozen=True)
class FleetSetup:
    """The validated options of a fleet measurement."""

    plan: FleetPlan
    path: Path
    earlier: EarlierRun | None
    """The earlier run that is continued; ``None``: a new run."""

    @contextmanager
    def file(self) -> Iterator[LineFile]:
        """Open the file of lines. Raises ``UsageError`` if that fails."""
        opened = new_file if self.earlier is None else earlier_file
        with opened(self.path) as file:
            yield file

    def answered(self) -> list[NodeLine]:
        """The nodes that answered in the earlier run."""
        lines = () if self.earlier is None else self.earlier.lines
        return [each for each in lines if isinstance(each, NodeLine)]


def fleet_setup(options: FleetOptions, engine_options: Sequence[str], note: Note) -> FleetSetup:
    """Validate the options. Raises ``UsageError`` for one that cannot be met."""
    launcher = find_launcher(choose(FleetLauncher, "--launcher", str(options["launcher"])))
    resume = as_path("--resume", options["resume"])
    if resume is not None and options["lines"] is not None:
        raise UsageError("--resume appends to the file that it names: leave --lines out.")
    seconds = duration_of("--deadline", options["deadline"])
    sample = whole_number("--sample", options["sample"], 1, MOST_NODES)
    launcher_options = words_of(options["launcher_options"])
    earlier = None if resume is None else read_earlier(resume, note)
    left_out: Mapping[str, str] = {}
    named = options["nodes"]
    if named is not None:
        wanted = read_nodes("--nodes", str(named))
    elif earlier is not None:
        wanted = earlier.nodes
    else:
        available = launcher.nodes(launcher_options)
        wanted, left_out = available.nodes, available.left_out
    if earlier is not None:
        got = {each.host for each in earlier.lines if isinstance(each, NodeLine)}
        nodes = tuple(each for each in wanted if each not in got)
        if not nodes:
            raise UsageError(
                f"All nodes of {resume} have answered: judge them with"
                f" {advice('fleet judge', resume)}."
            )
    else:
        nodes = wanted
    if sample is not None:
        if sample > len(nodes):
            raise UsageError(
                f"--sample {sample} is more than the {count(len(nodes), 'node')} available: ask"
                " for fewer, or leave it out."
            )
        chosen = set(random.sample(range(len(nodes)), sample))
        nodes = tuple(each for place, each in enumerate(nodes) if place in chosen)
        wanted = nodes if earlier is None else wanted
    path = resume or as_path("--lines", options["lines"]) or _named_by_time()
    engine = find_engine().resolve()
    there = options["there"]
    again = options["again"] is not False
    task = Task(
        nodes=nodes,
        engine=engine,
        arguments=_arguments(engine_options, _STANDARD),
        seconds=seconds or 0.0,
        token=new_token(),
        there=there,
        options=tuple(launcher_options),
        image=options["image"],
        folder=path.parent,
    )
    launcher.launch(task)  # it refuses now what it cannot do
    if not launcher.copies and there is None and options["image"] is None:
        note(
            f"{launcher.name} cannot copy the engine to the nodes: put {engine} on every node, or"
            " give its path there with --there."
        )
    more = (task.arguments, (*_arguments(engine_options, _EXAMINATION), _EXAMINE)) if again else ()
    return FleetSetup(FleetPlan(launcher, task, more, wanted, left_out), path, earlier)


def _arguments(engine_options: Sequence[str], seconds: str) -> tuple[str, ...]:
    """The arguments of the engine, which accepts each option once."""
    has_seconds = any(each.partition("=")[0] == _SECONDS for each in engine_options)
    return ("--json", *(() if has_seconds else (_SECONDS, seconds)), *engine_options)


def run_fleet(setup: FleetSetup, suspects: Suspects, notes: Notes) -> FleetOutcome:
    """Measure and show the progress. Raises ``UsageError`` and ``StreamgageError``."""
    with setup.file() as file, notes.bar() as bar:
        shown = _ProgressDisplay(bar, notes)
        return measure_fleet(setup.plan, file, suspects, setup.answered(), shown)


def silence_of(silent: Iterable[SilentNode]) -> Iterator[str]:
    """Yield a sentence for each reason, the most frequent first, and one for the rest."""
    groups: dict[str, list[str]] = {}
    for each in silent:
        groups.setdefault(each.reason or each.why, []).append(each.host)
    ordered = sorted(groups.items(), key=lambda each: -len(each[1]))
    for reason, hosts in ordered[:_MOST_REASONS]:
        yield f"No result from {shortened_nodes(hosts)}: {reason.rstrip('.')}."
    if rest := [host for _, hosts in ordered[_MOST_REASONS:] for host in hosts]:
        yield f"No result from {shortened_nodes(rest)}, for other reasons, which are in the file."


def shortened_nodes(hosts: Sequence[str]) -> str:
    """The names as ``n[1-4,17] (5 nodes)``, shortened to fit into a sentence."""
    text = shortened(folded(hosts), _MOST_NAMES)
    return text if len(hosts) == 1 else f"{text} ({len(hosts):,} nodes)"


class _ProgressDisplay:
    """Shows the progress of a round on a bar, or without one in occasional sentences."""

    def __init__(self, bar: Bar, note: Note) -> None:
        self._bar = bar
        self.note = note
        self._said = time.monotonic()

    def begin(self, number: int, nodes: Sequence[str]) -> None:
        """Show that a round starts."""
        if number > 1:
            what = "again" if number == 2 else "longer"
            self.note(f"{count(len(nodes), 'suspect')} measured {what}.")

    def watch(self, counts: Counts) -> None:
        """Show the counts."""
        left = f"at most {format_duration(max(counts.left, 1.0))} left"
        rest = f"{counts.running:,} running, {counts.waiting:,} silent, {counts.failed:,} failed"
        answered = f"{counts.answered:,} of {counts.total:,} answered"
        done = float(counts.answered + counts.failed)
        self._bar.show(answered, completed=done, total=float(counts.total), left=f"{rest}; {left}")
        now = time.monotonic()
        if not self._bar.drawn and now - self._said > _SECONDS_BETWEEN_SENTENCES:
            self._said = now
            self.note(f"{answered}, {rest}; {left}.")


def _named_by_time() -> Path:
    """A file that is not there yet, as runs may start in the same second."""
    stem = f"fleet-{datetime.now():%Y%m%d-%H%M%S}"
    names = (f"{stem}{more}.jsonl" for more in ("", *(f"-{number}" for number in range(2, 100))))
    return next((path for path in map(Path, names) if not path.exists()), Path(f"{stem}.jsonl"))

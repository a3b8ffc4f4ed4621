"""Repeat: many short runs, each a fresh process, bound and unbound in turn."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from streamgage.cpu_list import count_cpus
from streamgage.errors import FAILED
from streamgage.process.engine import describe_machine, find_engine
from streamgage.records import Machine, Sampling
from streamgage.records.reader import Note
from streamgage.records.spool_folder import new_folder
from streamgage.results.measure.experiment import Preset, Request, make_plan
from streamgage.results.repeat.document import Repeat
from streamgage.results.repeat.judge import UNBOUND, judge_repeat
from streamgage.results.series import Condition, Turn, run_in_turn, turns

CORES = "cores"
KERNELS = ("copy", "scale", "add", "triad")
STANDARD = Preset(
    KERNELS, Sampling(min_samples=10, look_every=10, max_samples=10, budget_seconds=10), 0
)
"""As many passes as STREAM makes."""
QUICK = Preset(KERNELS, Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=3), 0)


@dataclass(frozen=True)
class Repeated:
    """The answer, how the series ended, and where the records are (``None``: nowhere)."""

    answer: Repeat
    exit_status: int
    folder: Path | None


def conditions(request: Request, placements: list[str]) -> list[Condition]:
    """A condition a placement. Raises ``UsageError`` where one cannot be read.

    Free threads are as many as one a core, so that nothing but the binding differs.
    """
    asked = request
    if request.threads is None and UNBOUND in placements and len(placements) > 1:
        asked = replace(request, threads=_cores(describe_machine(find_engine())))
    return [
        Condition(name, make_plan(replace(asked if name == UNBOUND else request, cpus=_cpus(name))))
        for name in placements
    ]


def _cpus(placement: str) -> str | None:
    """The placement as ``measure --cpus`` takes it."""
    return None if placement == CORES else placement


def _cores(machine: Machine) -> int:
    """Cores that this process may use."""
    if machine.allowed_cpus == machine.online_cpus:
        return machine.cores
    return max(1, count_cpus(machine.allowed_cpus) // machine.threads_per_core)


def repeat(
    compared: list[Condition],
    rounds: int,
    *,
    seed: int | None,
    before: Callable[[Turn], None],
    note: Note,
    wait: bool = True,
    last: bool = True,
) -> Repeated:
    """Run every condition ``rounds`` times, in mixed order; ``before`` is called for each run.

    A run that fails goes to ``note`` and is left out, and the exit status is 1; a signal ends the
    series, and what was measured until then is in the answer. ``last``: whether its last run
    is that of this process, too; see ``stream_records``.
    """
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    order = list(turns(compared, rounds, chosen))
    folder = new_folder("repeat", note)
    done = run_in_turn(order, folder=folder, before=before, note=note, wait=wait, last=last)
    names = [each.name for each in compared]
    answer = judge_repeat(done.runs, names, rounds=rounds, seed=chosen)
    failed = any(each.failure for each in done.runs)
    status = done.stopped if done.stopped is not None else FAILED if failed else 0
    return Repeated(answer, status, folder)

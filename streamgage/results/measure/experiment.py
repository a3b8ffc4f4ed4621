"""Measure: one run of the kernels on this machine, from the plan to the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from streamgage.analysis.outside import taken_by_others
from streamgage.analysis.user_facts import UserFacts
from streamgage.plan import Plan, Tuning
from streamgage.process.engine import describe_machine, find_engine
from streamgage.process.one_run import run_once
from streamgage.process.ranks import Ranks
from streamgage.records import AnyRecord, ElementType, KernelFailure, Machine, Sampling
from streamgage.records.reader import Note
from streamgage.records.run import Run
from streamgage.records.spool import Spool, spool_in_memory
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.tiers import tiers_of
from streamgage.results.measure.tunings import (
    Conditions,
    conditions_of,
    identity_of,
    keep_tunings,
    known_shapes,
    read_entries,
    tuning_folder,
)
from streamgage.results.measure.unknown_caches import are_unknown, with_measured_caches
from streamgage.results.preset import Preset
from streamgage.results.result import MeasuredRun
from streamgage.units import format_share

EPOCH_BLOCKS = 3
"""Blocks between two allocations: seven epochs in the fewest samples, enough for an interval over
them by order statistics. Where blocks take so long that few fit into the budget, the engine
allocates after fewer of them (``engine/measure/blocks.cpp``)."""

STANDARD = Preset(
    (
        *("init", "sum", "copy", "scale", "update"),
        *("add", "triad", "daxpy", "striad", "sdaxpy", "bracket"),
    ),
    Sampling(budget_seconds=27, epoch_blocks=EPOCH_BLOCKS),
    tuning_seconds=20,
    tiers=tiers_of,
)
QUICK = Preset(
    ("sum", "copy", "update", "triad", "daxpy", "sdaxpy"),
    Sampling(
        min_samples=20,
        look_every=10,
        max_samples=300,
        budget_seconds=7,
        epoch_blocks=EPOCH_BLOCKS,
    ),
    tuning_seconds=6,
    tiers=tiers_of,
)
THOROUGH = Preset(
    (
        *("init", "sum", "dot", "copy", "scale", "update"),
        *("add", "triad", "daxpy", "striad", "sdaxpy", "bracket"),
    ),
    Sampling(
        min_samples=50,
        look_every=10,
        max_samples=300,
        budget_seconds=300,
        epoch_blocks=EPOCH_BLOCKS,
    ),
    tuning_seconds=60,
    tiers=tiers_of,
)


def plan_on_device(
    preset: Preset,
    device: str,
    *,
    kernels: Sequence[str] | None,
    tuned: bool,
    type: ElementType,
    array_bytes: int | None,
    last_level_cache_bytes: int | None,
    seed: int | None,
) -> Plan:
    """The plan of a preset on a device: all is measured together, in shapes that the run finds."""
    return Plan(
        device=device,
        kernels=list(preset.kernels if kernels is None else kernels),
        tuning=Tuning(budget_seconds=preset.tuning_seconds) if tuned else None,
        type=type,
        array_bytes=array_bytes,
        last_level_cache_bytes=last_level_cache_bytes,
        seed=seed,
        sampling=preset.sampling,
        pages="4k",
    )


@dataclass(frozen=True)
class Shapes:
    """What is known of the shapes on this machine, and where it is kept (``None``: nowhere)."""

    machine: Machine
    conditions: Conditions
    folder: Path | None

    def keep(self, run: Run, note: Note) -> None:
        """Keep what was found; nothing is lost if it cannot be kept but time.

        What was raced while others had the CPUs may be the wrong shape, and is forgotten.
        """
        taken = taken_by_others(run) or 0.0
        if taken > MUCH_LOAD and any(each.source == "raced" for each in run.tunings):
            note(
                f"Other programs or the hypervisor took {format_share(taken)} of the CPUs' time:"
                " the shapes found are not stored, and the next run searches again."
            )
        elif self.folder is not None:
            keep_tunings(self.machine, self.conditions, run.tunings, self.folder, note)


def recall_shapes(
    plan: Plan, *, again: bool, busy: bool = False, note: Note
) -> tuple[Plan, Shapes | None]:
    """``plan`` with the shapes that are known; ``again``: as if none were.

    ``None`` in place of the shapes where the plan asks for none, and where others are ``busy`` on
    this machine: a race would find the shape that they disturbed least.
    """
    if plan.tuning is None:
        return plan, None
    if busy:
        note(
            "The machine is busy, so streamgage does not search for faster shapes and measures the"
            " default ones."
        )
        return msgspec.structs.replace(plan, tuning=None), None
    machine = describe_machine(find_engine())
    shapes = Shapes(machine, conditions_of(plan, machine), tuning_folder())
    if again or shapes.folder is None:
        return plan, shapes
    known = known_shapes(read_entries(identity_of(machine), shapes.folder, note), shapes.conditions)
    tuning = msgspec.structs.replace(plan.tuning, known=known)
    return msgspec.structs.replace(plan, tuning=tuning), shapes


def size_by_caches(plan: Plan, *, wait: bool, note: Note) -> Plan:
    """``plan`` with the size of caches that the machine does not report, measured first."""
    machine = describe_machine(find_engine())
    if not are_unknown(plan, machine):
        return plan

    def run(brief: Plan) -> Run:
        return run_once(
            brief, spool=spool_in_memory(), watch=lambda _: None, note=note, wait=wait, last=False
        ).run

    return with_measured_caches(plan, machine, run, note)


def measure(
    plan: Plan,
    *,
    spool: Spool,
    watch: Callable[[AnyRecord], None],
    note: Note,
    shapes: Shapes | None = None,
    given: UserFacts = UserFacts(),  # noqa: B008 - it cannot change
    wait: bool = True,
    ranks: Ranks | None = None,
    last: bool = True,
    left_out: Sequence[KernelFailure] = (),
) -> MeasuredRun[Measure]:
    """Run ``plan``, by MPI ``ranks`` where they are asked for; ``watch`` sees each record.

    While another measurement runs on this machine this one waits, or without ``wait`` fails.

    The records go to ``spool``, and shapes that were raced to ``shapes``; ``given`` is what the
    user says of the machine, and ``left_out`` are kernels of the user's own that failed before. An
    engine that fails or is stopped gives a result with what was measured until then;
    ``UsageError`` is raised where the engine does not take the plan. ``last`` is that of
    ``stream_records``.
    """
    one = run_once(
        plan,
        spool=spool,
        watch=watch,
        note=note,
        wait=wait,
        last=last,
        ranks=ranks,
        first=left_out,
    )
    if shapes is not None:
        shapes.keep(one.run, note)
    started = one.failure is None or bool(one.run.samples)
    return MeasuredRun(judge_measure(one.run, given) if started else None, one)

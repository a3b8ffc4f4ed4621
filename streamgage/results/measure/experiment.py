"""Measure: one run of the kernels on this machine, from the request to the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from streamgage.analysis.outside import MUCH, taken_by_others
from streamgage.analysis.shapes import parse_shape
from streamgage.analysis.traffic.bracket import evidence_for
from streamgage.analysis.user_facts import Given
from streamgage.cpu_list import is_plain_list, parse_cpu_list, parse_node_list
from streamgage.errors import UsageError
from streamgage.plan import Placement, Plan, Tuning
from streamgage.process.engine import describe_machine, find_engine
from streamgage.process.one_run import OneRun, run_once
from streamgage.process.ranks import Ranks
from streamgage.records import AnyRecord, ElementType, KernelFailure, Machine, Sampling
from streamgage.records.reader import Note
from streamgage.records.run import Run
from streamgage.records.spool import Spool, spool_in_memory
from streamgage.results.array_setup import USUAL, ArraySetup, require_alignment
from streamgage.results.measure.judge import Answer, answer
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
from streamgage.units import format_share, parse_size


@dataclass(frozen=True)
class Preset:
    """What is measured, and for how long, where nothing else is asked."""

    kernels: tuple[str, ...]
    sampling: Sampling
    tuning_seconds: float
    """At most, for the search of shapes, where the machine is a new one."""
    in_tiers: bool = False
    """Whether what is read first is measured first, and the budget is that of the whole run."""


EPOCH_BLOCKS = 3
"""Blocks between two allocations: seven epochs in the fewest samples, enough for an interval over
them by order statistics. Where blocks take so long that few fit into the budget, the engine
allocates after fewer of them (``engine/measure/blocks.cpp``)."""

STANDARD = Preset(
    (
        *("init", "sum", "copy", "scale", "update"),
        *("add", "triad", "daxpy", "striad", "sdaxpy", "bracket"),
    ),
    Sampling(
        min_samples=20,
        look_every=10,
        max_samples=300,
        budget_seconds=27,
        epoch_blocks=EPOCH_BLOCKS,
    ),
    tuning_seconds=20,
    in_tiers=True,
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
    in_tiers=True,
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
    in_tiers=True,
)


@dataclass(frozen=True)
class Request:
    """What the user asked for, as text where it is a list or a size; ``None``: not said."""

    kernels: str | None = None
    beside: tuple[str, ...] | None = None
    """Built-in kernels to measure with the user's own kernels where the user named none; ``None``:
    there are no kernels of the user's own."""
    stores: str | None = None
    element_type: ElementType = "double"
    threads: int | None = None
    cpus: str | None = None
    oversubscribe: bool = False
    """A CPU may be given to more than one thread."""
    by_ranks: bool = False
    """MPI ranks measure; they may share CPUs where the user named none."""
    size: str | None = None
    last_level_cache_bytes: int | None = None
    """Of all caches that STREAM's rule counts, where the user corrects the machine."""
    memory_nodes: str | None = None
    arrays: ArraySetup = USUAL
    isa: str | None = None
    shape: str | None = None
    tune: Literal["once", "again", "never"] = "once"
    """Whether shapes are sought: where none is known, in any case, or not at all."""
    preset: Preset = STANDARD
    seed: int | None = None
    peak_gbps: float | None = None
    checks: bool = True
    """Whether to measure also what interpretation needs: checks, kernels of known traffic, and
    memory counters."""


@dataclass(frozen=True)
class Outcome:
    """A measurement that has ended; ``answer`` is ``None`` where nothing was measured."""

    answer: Answer | None
    one: OneRun


def make_plan(request: Request) -> Plan:
    """The plan of a request. Raises ``UsageError`` where a part of it cannot be read."""
    kernels = _kernels(request)
    stores = _names(request.stores, "--stores")
    require_alignment(request.arrays, request.element_type)
    if request.beside is not None and request.arrays != USUAL:
        raise UsageError(
            "--align and --init are for the arrays of built-in kernels: leave them out with"
            " --kernel-file."
        )
    return Plan(
        kernels=kernels,
        evidence=evidence_for(kernels) if request.checks else [],
        stores=stores,
        isas=_names(request.isa, "--isa"),
        shape=None if request.shape is None else parse_shape(request.shape),
        tuning=_tuning(request),
        type=request.element_type,
        init=request.arrays.init,
        alignment_bytes=request.arrays.alignment_bytes,
        placement=_placement(request),
        array_bytes=None if request.size is None else parse_size(request.size),
        last_level_cache_bytes=request.last_level_cache_bytes,
        memory_nodes=(
            None if request.memory_nodes is None else parse_node_list(request.memory_nodes)
        ),
        seed=request.seed,
        sampling=request.preset.sampling,
        tiers=tiers_of(kernels, stores) if request.preset.in_tiers else [],
        counters=request.checks,
        peak_bytes_per_second=None if request.peak_gbps is None else request.peak_gbps * 1e9,
        checks=request.checks,
    )


def _kernels(request: Request) -> list[str]:
    """Of the catalogue; none with ``--kernels ''``, where there are own ones."""
    if request.beside is not None and request.kernels is not None and not request.kernels.strip():
        return []
    named = _names(request.kernels, "--kernels")
    usual = request.preset.kernels if request.beside is None else request.beside
    return list(usual) if named is None else named


def _tuning(request: Request) -> Tuning | None:
    if request.shape is not None and request.tune == "again":
        raise UsageError("--shape and --retune exclude each other: leave one of them out.")
    if request.shape is not None or request.tune == "never":
        return None
    asked = request.tune == "again"
    return Tuning(
        budget_seconds=request.preset.tuning_seconds, first=asked or not request.preset.in_tiers
    )


def _names(text: str | None, option: str) -> list[str] | None:
    """``a,b`` as a list, each name once; the engine says which names there are."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UsageError(
            f"{option} {text!r} has an empty name: write names with commas between, such as a,b."
        )
    return list(dict.fromkeys(names))


def _placement(request: Request) -> Placement:
    named = request.cpus is not None and request.cpus.strip().lower() != "none"
    if request.oversubscribe and not named and not request.by_ranks:
        raise UsageError(
            "--allow-oversubscribe goes with --cpus: name the CPUs that threads are to share."
        )
    if request.cpus is None:
        return Placement(kind="cores", threads=request.threads)
    if not named:
        return Placement(kind="none", threads=request.threads)
    if request.oversubscribe or not is_plain_list(request.cpus):
        return Placement(
            kind="cpus",
            expression=request.cpus,
            oversubscribe=request.oversubscribe,
            threads=request.threads,
        )
    cpus = parse_cpu_list(request.cpus)
    if request.threads not in (None, len(cpus)):
        raise UsageError(
            f"--threads {request.threads} does not go with --cpus {request.cpus}, which names"
            f" {len(cpus)}: leave --threads out, or name as many CPUs as threads."
        )
    return Placement(kind="cpus", expression=request.cpus, threads=len(cpus))


@dataclass(frozen=True)
class Shapes:
    """What is known of the shapes on this machine, and where it is kept (``None``: nowhere)."""

    machine: Machine
    conditions: Conditions
    folder: Path | None

    def keep(self, run: Run, note: Note) -> None:
        """Keep what was found; nothing is lost where it cannot be kept but time.

        What was raced while others had the CPUs may be the wrong shape, and is forgotten.
        """
        taken = taken_by_others(run) or 0.0
        if taken > MUCH and any(each.source == "raced" for each in run.tunings):
            note(
                f"Other programs or the hypervisor took {format_share(taken)} of the CPUs' time:"
                " the shapes found are not kept, and the next run looks for them again."
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
        note("On a busy machine no quicker shapes are looked for: the default ones are measured.")
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
    given: Given = Given(),  # noqa: B008 - it cannot change
    wait: bool = True,
    ranks: Ranks | None = None,
    last: bool = True,
    left_out: Sequence[KernelFailure] = (),
) -> Outcome:
    """Run ``plan``, by MPI ``ranks`` where they are asked for; ``watch`` sees each record.

    While another measurement runs on this machine this one waits, or without ``wait`` fails.

    The records go to ``spool``, and shapes that were raced to ``shapes``; ``given`` is what the
    user says of the machine, and ``left_out`` are kernels of the user's own that failed before. An
    engine that fails or is stopped gives an outcome with what was measured until then;
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
    return Outcome(answer(one.run, given) if started else None, one)

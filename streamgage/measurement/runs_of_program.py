"""The options of all modes of ``program``, and runs of a program and the engine's loops in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, TypedDict, TypeVar

from streamgage.analysis.cores import COMPACT
from streamgage.analysis.user_pattern import UserPattern
from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.measurement.measurement import (
    Measurement,
    OrderOptions,
    Rounds,
    RunOptions,
    rounds_of,
)
from streamgage.options.declaration import Default, Form
from streamgage.options.values import (
    KERNEL,
    Counts,
    Cpus,
    Number,
    Seconds,
    Size,
    bytes_of,
    choose,
    names_of,
    seconds_within,
)
from streamgage.process.ranks import Ranks
from streamgage.results.placement import one_placement
from streamgage.results.preset import Preset, make_plan
from streamgage.results.program.document import Program
from streamgage.results.scale.counts import counts_of
from streamgage.results.scale.plan import ScaleRequest
from streamgage.results.series import MeasuredSeries
from streamgage.results.study.applications.times import Source
from streamgage.results.study.document import Study
from streamgage.show.progress import RunsWatcher

D = TypeVar("D", Study, Program)
_ROUNDS = 6
_TIMEOUT = 3600.0
_LONGEST_TIMEOUT = 86_400.0 * 7


class TimeOptions(TypedDict, total=False):
    """Options for the times of a program.

    Args:
        time: Where its times come from: PETSc's log as CSV, JSON lines, or the clock. auto: the
            times in {log}, else the clock.
        time_regex: A regular expression that matches the output once; its first group is the
            program's time, without its start and end.
        check_regex: A run counts only if this matches what the program prints.
    """

    time: Annotated[Source | str, Default("auto")]
    time_regex: Annotated[str | None, Form("RE")]
    check_regex: Annotated[str | None, Form("RE")]


class RunsOptions(TypedDict, total=False):
    """Options for the runs of a program.

    Args:
        threads: Numbers of threads, e.g. 8 or 1,2,4; default: up to one per core. One number with
            {mpiexec} (threads per rank), --ratio and --against (of a probe of the memory).
        kernel: The kernel with its mix of reads and writes: sum (only reads), triad (2 reads, 1
            write), copy (1 and 1), ...; default: all three, for the scaling triad.
        cpus: How to place threads or ranks: compact (default), scatter, smt, none, omp-close,
            omp-spread, launcher, a placement expression, or options of a launcher
            ('openmpi:--bind-to core'). With --ratio and --against CPUs for a probe's threads;
            default: one per core.
        size: Size of each array of the loops; default: 4x the last-level caches, of a probe 128MiB.
        timeout: How long one run of the program may take, in seconds (3600).
        rounds: Run everything this many times; default: 6, with --ratio 10, with --against as
            needed.
    """

    threads: Counts | None
    kernel: Annotated[str | None, KERNEL]
    cpus: Cpus | None
    size: Size | None
    timeout: Seconds | None
    rounds: Number | None


def times_of(
    options: TimeOptions,
) -> tuple[Source, UserPattern | None, UserPattern | None]:
    """Where times come from, what matches them, and what a good run prints.

    Raises ``UsageError`` for an unreadable value.
    """
    check = _pattern("--check-regex", options["check_regex"], "'all [0-9]+ checks passed'")
    if check is not None and check.matches("", most=1):
        raise UsageError(
            f"--check-regex {check.text!r} also matches nothing, so every run would pass: write"
            " what only a good run prints."
        )
    source = choose(Source, "--time", options["time"])
    time = _pattern("--time-regex", options["time_regex"], "'took ([0-9.]+) s'")
    return source, time, check


def _pattern(option: str, text: str | None, example: str) -> UserPattern | None:
    return None if text is None else UserPattern(option, text, example)


def loops_of(
    options: RunsOptions,
    preset: Preset,
    kernels: Sequence[str],
    stores: Sequence[str],
    *,
    counts: Counts | None,
    ranks: Ranks | None = None,
) -> ScaleRequest:
    """Plan the loops next to a program: ``kernels`` if no kernel is named.

    Raises ``UsageError`` for wrong options.
    """
    if options["kernel"] is not None and "," in options["kernel"]:
        raise UsageError("--kernel takes one kernel, with the mix of the program.")
    cpus = options["cpus"]
    return ScaleRequest(
        plan=make_plan(
            preset,
            kernels=names_of("--kernel", options["kernel"]) or list(kernels),
            stores=list(stores),
            array_bytes=bytes_of("--size", options["size"]),
        ),
        named=True,
        counts=None if counts is None else counts_of(counts),
        placements=(COMPACT if cpus is None else one_placement(cpus),),
        ranks=ranks,
    )


class MeasuredOptions(RunsOptions, OrderOptions, RunOptions, total=False):
    """Options of the modes that measure and store their result."""


def how_often(options: MeasuredOptions) -> Rounds:
    """Return the rounds of these options. Raises ``UsageError`` for an unreadable number."""
    rounds = options["rounds"]
    return rounds_of(_ROUNDS if rounds is None else rounds, options)


def measure_in_turn(
    measurement: Measurement, how: Rounds, measure: Callable[..., MeasuredSeries[D]]
) -> SeriesRun[D]:
    """Measure a program and the loops in turn, and store the result.

    ``measure`` gets the number of rounds, and by name the ``RunsWay``. Raises ``UsageError``,
    ``NothingMeasuredError`` if the machine did not become idle, and ``MeasurementInterrupt`` if it
    was stopped.
    """
    with measurement.notes.bar() as shown:
        measurement.look()
        watcher = RunsWatcher(shown)
        done = measure(
            how.number,
            seed=how.seed,
            before=lambda step: watcher.starting(step.number, step.total, step.name),
            note=measurement.notes,
            wait=measurement.wait,
            label=measurement.label,
            runs=measurement.destination.runs,
        )
    return measurement.returned(SeriesRun, done)


def timeout_of(options: RunsOptions) -> float:
    """Return the seconds that a run may take. Raises ``UsageError`` for an unreadable value."""
    given = options["timeout"]
    return _TIMEOUT if given is None else seconds_within("--timeout", given, 0.01, _LONGEST_TIMEOUT)

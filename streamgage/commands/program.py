"""Say whether a program is at the memory's limit, how near it is, and what would help."""

from __future__ import annotations

import re
from typing import Annotated, Unpack

from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.measurement.measurement import Measurement, OrderOptions, RunOptions, rounds_of
from streamgage.measurement.program import (
    case_with_rate,
    counted,
    require_one,
    run_program,
    step_of_model,
)
from streamgage.measurement.stream import COMPACT, seconds_of
from streamgage.options.declaration import Default, Form, command
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.values import (
    KERNEL,
    NAME,
    Command,
    Counts,
    Number,
    PathLike,
    Size,
    as_path,
    bytes_of,
    whole_number,
    words_of,
)
from streamgage.programs.traffic.own_rates import Pattern
from streamgage.records.reader import Note
from streamgage.results.placement import placement_names
from streamgage.results.preset import make_plan
from streamgage.results.program import KIND
from streamgage.results.program.document import Moved, Program, Step
from streamgage.results.program.experiment import ON_THE_BUS, OWN_COUNT, READS, STANDARD, STORES
from streamgage.results.scale.counts import counts_of
from streamgage.results.scale.plan import ScaleRequest
from streamgage.results.study.applications import parse_template
from streamgage.results.study.applications.case import Case
from streamgage.results.study.experiment import StudyRequest, prepare

ROUNDS = 6
_LARGEST_RATE = 1e12
_LONGEST_CONTEXT = 1 << 30

ANSWERS = Question.PROGRAM
EVERYDAY = ("bytes", "rate", "counters", "bytes_per_step", "model", "reached")
EXAMPLES = (
    (
        "streamgage program --bytes 8.05GB --kernel triad -- ./program",
        "Show how near ./program is to the memory's limit; a run moves 8.05 GB.",
    ),
    (
        "streamgage program --rate '([0-9.]+ GB/s)' --threads 1,2 -- ./program",
        "Take the rate that it prints, with one and with two threads.",
    ),
    (
        "streamgage program --bytes-per-step 4.1GB --reached 5.2",
        "Show how many steps of 4.1 GB the memory gives, and how near 5.2/s are.",
    ),
    (
        "streamgage program --model model.gguf --reached 9.8",
        "Show how many tokens a second a model can reach, and how near 9.8 are.",
    ),
)


class Options(OrderOptions, RunOptions, total=False):
    """Options that ``program`` shares with other commands."""


@command(drawn(KIND))
def program(
    command: Command | None = None,
    *,
    threads: Counts | None = None,
    bytes: Size | None = None,
    rate: Annotated[str | None, Form("REGEX")] = None,
    counters: bool = False,
    bytes_per_step: Size | None = None,
    model: PathLike | None = None,
    context: Number | None = None,
    reached: Annotated[float | str | None, Form("N")] = None,
    kernel: Annotated[str | None, KERNEL] = None,
    time_regex: Annotated[str | None, Form("RE")] = None,
    binding: Annotated[str, NAME, Default(COMPACT)] = COMPACT,
    size: Size | None = None,
    timeout: Annotated[Number | None, Form("S")] = None,
    rounds: Number = ROUNDS,
    **options: Unpack[Options],
) -> SeriesRun[Program]:
    """Say how near a program is to the limit of the memory.

    The program and loops of known traffic run in turn, with as many threads on the same CPUs.

    Args:
        command: The program with its arguments. {n} stands for the number of threads, which
            OMP_NUM_THREADS has, too. In Python a list, or a string as on a command line.
        threads: Numbers of threads, e.g. 8 or 1,2,4; default: up to one per core.
        bytes: What one run of the program moves, such as 8.05GB.
        rate: Use the rate that it prints: a regular expression whose parentheses hold it, such as
            '([0-9.]+ GB/s)'; with --bytes-per-step, the steps per second.
        counters: Count what crosses the memory bus in one run, where the machine can.
        bytes_per_step: What one step of the program reads, or reads and writes. No program need
            run; the answer is the steps per second that the memory gives at most.
        model: A language model, a GGUF file or a folder of safetensors: the answer is the tokens
            per second that the memory gives at most. Only headers are read.
        context: With --model: how many tokens are in the context before each new one.
        reached: The steps or tokens per second that you have, to see how near that is.
        kernel: The kernel with the program's mix of reads and writes: sum (only reads), triad (2
            reads, 1 write), copy (1 and 1), ...; default: unknown, so all three are measured.
        time_regex: A regular expression that matches the output once; its first group is the
            program's time, without its start and end.
        binding: How to place threads: compact, scatter, smt, none, omp-close, omp-spread, or a
            placement expression.
        size: Size of each array of these loops; default: 4x the last-level caches.
        timeout: How many seconds one run of the program may take (3600).
        rounds: Run everything this many times.
        **OrderOptions
        **RunOptions

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: nothing could be measured, or counted. Runs that fail are gaps, and
            ``exit_status`` is then 1.
        MeasurementInterrupt: it was stopped; ``run`` has what was measured before.
    """
    words = words_of(command)
    of_run = bytes_of("--bytes", bytes)
    of_step = bytes_of("--bytes-per-step", bytes_per_step)
    file = as_path("--model", model)
    require_one(
        {"--bytes": of_run, "--bytes-per-step": of_step, "--model": file, "--counters": counters}
    )
    require_one({"--bytes": of_run, "--rate": rate, "--counters": counters})
    if not words and of_step is None and file is None:
        raise UsageError(
            "No program is named: write it after --, such as streamgage program --bytes 8GB --"
            " ./program; or give --bytes-per-step or --model alone."
        )
    of_program = {"--bytes": of_run, "--rate": rate, "--counters": counters or None}
    of_program |= {"--time-regex": time_regex, "--timeout": timeout}
    alone = [name for name, value in of_program.items() if value is not None]
    if not words and alone:
        raise UsageError(f"{alone[0]} is about a program: write it after --, or leave that out.")
    measurement = Measurement(options)
    how = rounds_of(rounds, options)
    tokens = whole_number("--context", context, 1, _LONGEST_CONTEXT)
    step = None
    if of_step is not None:
        step = Step(name="step", bytes=of_step, model=None, parts=[], reached=_reached(reached))
    elif file is not None:
        step = step_of_model(file, tokens or 0, _reached(reached))
    elif reached is not None:
        raise UsageError("--reached is about steps: give --bytes-per-step or --model, too.")
    if tokens is not None and file is None:
        raise UsageError("--context is about a language model: give --model, too.")
    cases: tuple[Case, ...] = ()
    if words:
        template = parse_template(words)
        if template.has_ranks:
            raise UsageError(
                "program starts threads, not MPI ranks: leave {mpiexec} out; streamgage study"
                " compares ranks."
            )
        pattern = None if rate is None else Pattern(rate, "--rate")
        cases = (case_with_rate(template, _regex(time_regex), pattern),)
    if kernel is not None and "," in kernel:
        raise UsageError("--kernel takes one kernel, with the mix of the program.")
    usual = READS if step is not None else ON_THE_BUS if counters else OWN_COUNT
    names = placement_names(binding, "--binding")
    if len(names) != 1:
        raise UsageError("--binding takes one placement: run it once for each.")
    scale = ScaleRequest(
        plan=make_plan(
            STANDARD,
            kernels=usual if kernel is None else [kernel],
            stores=STORES,
            array_bytes=bytes_of("--size", size),
        ),
        named=True,
        counts=None if threads is None else counts_of(threads),
        bindings=(names[0],),
    )
    plan = prepare(StudyRequest(cases, scale, seconds_of(timeout)))

    def moves(note: Note) -> Moved | None:
        if counters:
            return counted(plan, note)
        if of_run is not None:
            return Moved(known_by="given", bytes=of_run, source=None)
        if rate is not None:
            return Moved(known_by="printed", bytes=None, source=None)
        return None

    return run_program(plan, moves, how, measurement, kernel=kernel, step=step)


def _regex(text: str | None) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"--time-regex {text!r} is not a regular expression: {error}.") from error


def _reached(given: float | str | None) -> float | None:
    if given is None:
        return None
    try:
        found = float(given)
    except ValueError as error:
        raise UsageError(f"--reached {given!r} is not a number of steps per second.") from error
    if not 0 < found < _LARGEST_RATE:
        raise UsageError(f"--reached {given} is not a number of steps per second above 0.")
    return found

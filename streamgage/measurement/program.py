"""From the options of ``program`` to its result: how near a program is to the memory's limit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypedDict, Unpack

from streamgage.advice import advice
from streamgage.analysis.statistics.intervals import median
from streamgage.api.series import SeriesRun
from streamgage.errors import StreamgageError, UsageError
from streamgage.measurement.measurement import Measurement
from streamgage.measurement.runs_of_program import (
    MeasuredOptions,
    TimeOptions,
    how_often,
    loops_of,
    measure_in_turn,
    timeout_of,
    times_of,
)
from streamgage.options.declaration import Form
from streamgage.options.values import (
    Number,
    PathLike,
    Size,
    as_path,
    bytes_of,
    whole_number,
)
from streamgage.programs.model.model import reads_of_model
from streamgage.programs.traffic import watch
from streamgage.programs.traffic.own_rates import Line, Pattern
from streamgage.records.reader import Note
from streamgage.results.program.document import Moved, Program, Step, StepPart
from streamgage.results.program.experiment import (
    ON_THE_BUS,
    OWN_COUNT,
    READS,
    STANDARD,
    STORES,
    ProgramRequest,
    measure_program,
)
from streamgage.results.series import MeasuredSeries
from streamgage.results.study.applications import parse_template
from streamgage.results.study.applications.case import Case, ProgramReport, case_of
from streamgage.results.study.applications.times import Reading, TimesError
from streamgage.results.study.call import call_of
from streamgage.results.study.experiment import RunsWay, StudyPlan, StudyRequest, prepare

_LARGEST_RATE = 1e12
_LONGEST_CONTEXT = 1 << 30
_INTERVAL = 0.1
"""Seconds of an interval in which counters are read."""


class MovesOptions(TypedDict, total=False):
    """Options for what a program moves.

    Args:
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
    """

    bytes: Size | None
    rate: Annotated[str | None, Form("REGEX")]
    counters: bool
    bytes_per_step: Size | None
    model: PathLike | None
    context: Number | None
    reached: Annotated[float | str | None, Form("N")]


class LimitOptions(MovesOptions, TimeOptions, MeasuredOptions, total=False):
    """Options of this mode."""


def measure_limit(words: Sequence[str], options: LimitOptions) -> SeriesRun[Program]:
    """Measure the program, if ``words`` name one, and the machine in turn, and store the result.

    Raises ``UsageError``, ``StreamgageError``, and ``MeasurementInterrupt`` if it was stopped.
    """
    moves = _moves(words, options)
    measurement = Measurement(options)
    how = how_often(options)
    step = _step(options)
    cases = [_case(words, options)] if words else []
    usual = READS if step is not None else ON_THE_BUS if options["counters"] else OWN_COUNT
    loops = loops_of(options, STANDARD, usual, STORES, counts=options["threads"])
    plan = prepare(StudyRequest(tuple(cases), loops, timeout_of(options)))

    def measure(rounds: int, **way: Unpack[RunsWay]) -> MeasuredSeries[Program]:
        moved = counted(plan, way["note"]) if options["counters"] else moves
        request = ProgramRequest(plan, moved, options["kernel"], step)
        return measure_program(request, rounds, **way)

    return measure_in_turn(measurement, how, measure)


def _moves(words: Sequence[str], options: LimitOptions) -> Moved | None:
    """What the program moves, as far as the options say it.

    Raises ``UsageError`` if two of them do, or if nothing is named that could move anything.
    """
    of_run = bytes_of("--bytes", options["bytes"])
    said: dict[str, object] = {"--bytes": of_run, "--counters": options["counters"]}
    steps = {"--bytes-per-step": options["bytes_per_step"], "--model": options["model"]}
    rate = {"--rate": options["rate"]}
    _require_one({**said, **steps})
    _require_one({**said, **rate})
    if not words:
        if not any(steps.values()):
            raise UsageError(
                "No program is named: write it after --, such as streamgage program --bytes 8GB --"
                " ./program; or give --bytes-per-step or --model alone."
            )
        times = {"--time-regex": options["time_regex"], "--check-regex": options["check_regex"]}
        of_program = {**said, **rate, **times, "--timeout": options["timeout"]}
        alone = [name for name, value in of_program.items() if value]
        if alone:
            raise UsageError(
                f"{alone[0]} is about a program: write it after --, or leave that out."
            )
    if of_run is not None:
        return Moved(known_by="given", bytes=of_run, source=None)
    return None if options["rate"] is None else Moved(known_by="printed", bytes=None, source=None)


def _require_one(named: Mapping[str, object]) -> None:
    """Raise ``UsageError`` if two options say what the program moves."""
    given = [name for name, value in named.items() if value]
    if len(given) > 1:
        raise UsageError(
            f"{given[0]} and {given[1]} both say what the program moves: leave one of them out."
        )


def _case(words: Sequence[str], options: LimitOptions) -> Case:
    """The case of the program, whose reports also have the rate that it prints."""
    case = case_of(parse_template(words), *times_of(options))
    if options["rate"] is None:
        return case
    return with_rate(case, Pattern(options["rate"], "--rate"))


def with_rate(case: Case, rate: Pattern) -> Case:
    """The case with reports that also have the rate that the program prints."""

    def read(reading: Reading) -> ProgramReport:
        return replace(case.read(reading), rate=printed_rate(reading.printed, rate))

    return replace(case, read=read)


def printed_rate(text: str, pattern: Pattern) -> float:
    """The median of the rates that the lines have. Raises ``TimesError`` if there is none."""
    rates = [each.bytes_per_second for each in pattern.rates(list(map(Line, text.splitlines())))]
    found = median(sorted(rates)) if rates else 0.0
    if not found > 0:
        raise TimesError("--rate matches no rate above 0 in what the program printed.")
    return found


def counted(plan: StudyPlan, note: Note) -> Moved:
    """Run the program once with the most threads, and count what crosses the memory bus.

    Raises ``StreamgageError`` if nothing here can count it, or if the program fails.
    """
    (case,) = plan.request.cases
    request = watch.WatchRequest(watch.make_plan(_INTERVAL, None, None))
    n = max(plan.scales.counts)
    with (
        call_of(n, case, None, plan.way, Path(os.devnull)) as (command, variables),
        closing(open(os.devnull, "wb")) as nowhere,  # noqa: PTH123 - no path of the user
    ):
        named = ["env", *(f"{name}={value}" for name, value in variables.items()), *command]
        seen = watch.watch_command(request, named, note, output=nowhere.fileno())
    if seen.traffic is None:
        raise StreamgageError(
            "--counters: no counter of memory traffic can be read here, and nothing was measured:"
            f" {advice('doctor', '--counters')} says why. Leave it out; --bytes or --rate say what"
            " the program moves."
        )
    if seen.exit_status:
        raise StreamgageError(
            f"The program ended with status {seen.exit_status} while its traffic was counted: make"
            " it succeed first."
        )
    if seen.traffic.source_trust.refused:
        raise StreamgageError(
            f"--counters: what {seen.traffic.source} counts is not trusted:"
            f" {seen.traffic.source_trust.text} Leave it out; --bytes or --rate say what the"
            " program moves."
        )
    total = seen.traffic.whole.bytes_total
    if not total:
        raise StreamgageError(
            "--counters: the program was too short to count its traffic: give it more to do."
        )
    known = seen.traffic.source_trust.state == "calibrated"
    doubt = "" if known else ", not compared with known traffic here"
    return Moved(known_by="counters", bytes=int(total), source=f"{seen.traffic.source}{doubt}")


def _step(options: LimitOptions) -> Step | None:
    """A step of the program, or a token of a model by its headers.

    Raises ``UsageError``, also for options that need a step.
    """
    reached = _reached(options["reached"])
    tokens = whole_number("--context", options["context"], 1, _LONGEST_CONTEXT)
    file = as_path("--model", options["model"])
    moved = bytes_of("--bytes-per-step", options["bytes_per_step"])
    if tokens is not None and file is None:
        raise UsageError("--context is about a language model: give --model, too.")
    if file is not None:
        reads = reads_of_model(file, tokens or 0)
        parts = [StepPart(name=name, bytes=part) for name, part in reads.parts]
        model = file.resolve().name
        return Step(name="token", bytes=reads.bytes, model=model, parts=parts, reached=reached)
    if moved is not None:
        return Step(name="step", bytes=moved, model=None, parts=[], reached=reached)
    if reached is not None:
        raise UsageError("--reached is about steps: give --bytes-per-step or --model, too.")
    return None


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

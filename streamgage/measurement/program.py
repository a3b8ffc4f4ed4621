"""From the options of ``program`` to its result: what the program moves, and how that is known."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from streamgage.advice import advice
from streamgage.analysis.statistics.intervals import median
from streamgage.api.series import SeriesRun
from streamgage.errors import StreamgageError, UsageError
from streamgage.measurement.measurement import Measurement, Rounds
from streamgage.programs.model.model import reads_of_model
from streamgage.programs.traffic import watch
from streamgage.programs.traffic.own_rates import Line, Pattern
from streamgage.records.reader import Note
from streamgage.results.program.document import Moved, Program, Step, StepPart
from streamgage.results.program.experiment import ProgramRequest, measure_program
from streamgage.results.study.applications.case import Case, ProgramReport, reader_of
from streamgage.results.study.applications.template import Template
from streamgage.results.study.applications.times import Reading, Source, TimesError
from streamgage.results.study.call import call_of
from streamgage.results.study.experiment import StudyPlan
from streamgage.show.progress import RunsWatcher

_INTERVAL = 0.1
"""Seconds of an interval in which counters are read."""


def case_with_rate(template: Template, times: re.Pattern[str] | None, rate: Pattern | None) -> Case:
    """Make the case of the program, whose reports also have the rate that it prints."""
    read = reader_of(Source.AUTO, times, None, wants_log=template.has_log)
    if rate is None:
        return Case(None, template, read)
    pattern = rate

    def read_both(reading: Reading) -> ProgramReport:
        return replace(read(reading), rate=printed_rate(reading.printed, pattern))

    return Case(None, template, read_both)


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


def run_program(
    plan: StudyPlan,
    moves: Callable[[Note], Moved | None],
    how: Rounds,
    measurement: Measurement,
    *,
    kernel: str | None,
    step: Step | None,
) -> SeriesRun[Program]:
    """Measure the program and the machine in turn, and store the result.

    ``moves`` says what the program moves, and may run it for that. Raises ``UsageError``,
    ``StreamgageError``, and ``MeasurementInterrupt`` if it was stopped.
    """
    with measurement.notes.bar() as shown:
        measurement.look()
        request = ProgramRequest(plan, moves(measurement.notes), kernel, step)
        watcher = RunsWatcher(shown)
        done = measure_program(
            request,
            how.number,
            seed=how.seed,
            before=lambda each: watcher.starting(each.number, each.total, each.name),
            note=measurement.notes,
            wait=measurement.wait,
            label=measurement.label,
            runs=measurement.destination.runs,
        )
    return measurement.returned(SeriesRun, done)


def step_of_model(file: Path, context: int, reached: float | None) -> Step:
    """What each token of a model reads, by its headers. Raises ``UsageError``."""
    reads = reads_of_model(file, context)
    return Step(
        name="token",
        bytes=reads.bytes,
        model=file.resolve().name,
        parts=[StepPart(name=name, bytes=moved) for name, moved in reads.parts],
        reached=reached,
    )


def require_one(named: dict[str, object]) -> None:
    """Raise ``UsageError`` if two options say what the program moves."""
    given = [name for name, value in named.items() if value]
    if len(given) > 1:
        raise UsageError(
            f"{given[0]} and {given[1]} both say what the program moves: leave one of them out."
        )

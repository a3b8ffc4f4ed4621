"""Compare a program's scaling with that of bandwidth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Unpack

from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.measurement.measurement import Measurement, OrderOptions, RunOptions, rounds_of
from streamgage.measurement.notes import Notes
from streamgage.measurement.stream import (
    COMPACT,
    ROUNDS,
    RepeatOptions,
    StreamOptions,
    read_study,
    run_study,
    seconds_of,
    stream_of,
)
from streamgage.options.declaration import Form, command
from streamgage.options.drawing import drawn
from streamgage.options.place import OWN
from streamgage.options.question import Question
from streamgage.options.ranks import RankOptions, ranks_of
from streamgage.options.values import (
    MOST_THREADS,
    Command,
    Number,
    PathLike,
    choose,
    whole_number,
    words_of,
)
from streamgage.process.launch import LauncherName
from streamgage.results.ranks import find_ranks
from streamgage.results.study import KIND
from streamgage.results.study.applications import Source, parse_template
from streamgage.results.study.applications.case import case_of, reader_of
from streamgage.results.study.document import Study
from streamgage.results.study.experiment import StudyRequest

ANSWERS = Question.PROGRAM
EXAMPLES = (
    ("streamgage study -- ./program", "Run ./program and STREAM with more and more threads."),
    (
        "streamgage study --n 1,2 --time-regex 'solve: ([0-9.]+) s' -- ./program",
        "Take the program's time from what it prints.",
    ),
    (
        "streamgage study --n 1,2 --check-regex 'converged' -- {mpiexec} ./program",
        "Run it as MPI ranks; count only runs that print 'converged'.",
    ),
)


class Options(StreamOptions, RepeatOptions, OrderOptions, RunOptions, total=False):
    """Options that ``study`` shares with other commands."""


@command(drawn(KIND))
def study(
    command: Annotated[Command | None, Form("-- CMD ARG..", many=True)] = None,
    *,
    time: Source | str = "auto",
    time_regex: Annotated[str | None, Form("RE")] = None,
    check_regex: Annotated[str | None, Form("RE")] = None,
    threads: Number | None = None,
    launcher: LauncherName | str | None = None,
    hosts: PathLike | None = None,
    import_: Annotated[PathLike | None, Form("FOLDER", file=True)] = None,
    **options: Unpack[Options],
) -> SeriesRun[Study]:
    """Compare how a program scales with how bandwidth does.

    Args:
        command: The program with its arguments. {mpiexec} stands for what starts its ranks, {n} for
            the number of ranks or threads, {log} for a file to which it writes its times. In Python
            a list, or a string as on a command line.
        **StreamOptions
        time: Where the program's times come from: PETSc's log as CSV, JSON lines, or the clock.
            auto: the times in {log}, else the clock.
        time_regex: A regular expression that matches the output once; its first group is the
            program's time.
        check_regex: A run counts only if this matches what the program prints.
        threads: With {mpiexec}: threads per rank.
        launcher: With {mpiexec}: the launcher of the ranks.
        hosts: With {mpiexec}: a file with one host per line.
        **RepeatOptions
        **OrderOptions
        **RunOptions
        import_: Run nothing; read a folder. It holds stream-N[-ROUND].jsonl, or .txt with the
            output of another benchmark, and program-N[-ROUND].log, or .txt with what the program
            printed. The result is not stored.

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: no point could be measured. Runs that fail are gaps, and ``exit_status`` is
            then 1.
        MeasurementInterrupt: it was stopped; ``run`` has what was measured before.
    """
    words = words_of(command)
    notes = Notes(options["progress"])
    source = choose(Source, "--time", time)
    pattern = _pattern("--time-regex", time_regex)
    check = _pattern("--check-regex", check_regex)
    if check is not None and check.search(""):
        raise UsageError(
            f"--check-regex {check_regex!r} also matches nothing, so every run would pass: write"
            " what only a good run prints."
        )
    if import_ is not None:
        of_runs = {
            "a command": words or None,
            "--n": options["n"],
            "--size": options["size"],
            "--threads": threads,
            "--launcher": launcher,
            "--hosts": hosts,
            "--timeout": options["timeout"],
            "--seed": options["seed"],
            "--binding": None if options["binding"] == COMPACT else options["binding"],
            "--rounds": None if str(options["rounds"]) == str(ROUNDS) else options["rounds"],
            "--no-wait": options["no_wait"] or None,
            "--wait-idle": options["wait_idle"],
            "--store": None if options["store"] in (None, OWN) else options["store"],
            "--no-store": True if options["store"] is None else None,
        }
        option = next((name for name, value in of_runs.items() if value is not None), None)
        if option is not None:
            raise UsageError(f"--import runs nothing: leave out {option}.")
        read = reader_of(source, pattern, check, wants_log=False)
        return read_study(Path(import_), read, options["kernel"], notes)
    measurement = Measurement(options)
    how = rounds_of(options["rounds"], options)
    template = parse_template(words)
    of_ranks = {"--threads": threads, "--launcher": launcher, "--hosts": hosts}
    alone = [name for name, value in of_ranks.items() if value is not None]
    if alone and not template.has_ranks:
        raise UsageError(
            f"{alone[0]} is for MPI ranks: write {{mpiexec}} before the program, or leave it out."
        )
    ranks = None
    of_each = whole_number("--threads", threads, 1, MOST_THREADS)
    if template.has_ranks:
        started: RankOptions = {"launcher": launcher, "hosts": hosts, "timeout": None}
        ranks = find_ranks(ranks_of(1, started), of_each)
    case = case_of(template, source, pattern, check)
    request = StudyRequest((case,), stream_of(options, ranks), seconds_of(options["timeout"]))
    return run_study(request, how, measurement)


def _pattern(option: str, text: str | None) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"{option} {text!r} is not a regular expression: {error}.") from error

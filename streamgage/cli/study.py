"""``streamgage study``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from streamgage.api.values import MOST_THREADS
from streamgage.applications import Source, parse_template
from streamgage.applications.case import case_of, reader_of
from streamgage.cli.kept import keeping_of
from streamgage.cli.options import (
    CurveFormatOption,
    CurvesOption,
    NoWaitOption,
    SeedOption,
    choose,
    whole_number,
)
from streamgage.cli.rank_options import given_ranks
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.cli.study_parts import (
    COMPACT,
    ROUNDS,
    BindingOption,
    CountsOption,
    KernelOption,
    RoundsOption,
    RunTimeoutOption,
    Shown,
    StreamSizeOption,
    run_study,
    show_imported,
    stream_of,
)
from streamgage.errors import UsageError
from streamgage.launch import LauncherName
from streamgage.studies.ranks import find_ranks

EXAMPLES = (
    ("streamgage study -- ./program", "Start ./program with more and more threads beside STREAM."),
    (
        "streamgage study --n 1,2 --time-regex 'solve: ([0-9.]+) s' -- ./program",
        "Take its time from what it prints.",
    ),
    (
        "streamgage study --n 1,2 --check-regex 'converged' -- {mpiexec} ./program",
        "Start it as MPI ranks, and count only runs that say so.",
    ),
)


def study(
    *,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="-- CMD ARG..",
            help="The program. {mpiexec}: what starts its ranks; {n}: their number, or that of"
            " threads; {log}: a file to which it writes its times.",
        ),
    ] = None,
    counts: CountsOption = None,
    binding: BindingOption = COMPACT,
    time: Annotated[
        str,
        typer.Option(
            metavar="|".join(Source),
            help="Where its times come from: PETSc's log as CSV, JSON lines, or the clock. auto:"
            " what {log} holds, else the clock.",
        ),
    ] = "auto",
    time_regex: Annotated[
        str | None,
        typer.Option(metavar="RE", help="Its time is what the one match's first group says."),
    ] = None,
    check_regex: Annotated[
        str | None,
        typer.Option(metavar="RE", help="A run is good where this matches what it prints."),
    ] = None,
    kernel: KernelOption = "triad",
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="With {mpiexec}: threads of each rank.")
    ] = None,
    size: StreamSizeOption = None,
    launcher: Annotated[
        str | None,
        typer.Option(metavar="|".join(LauncherName), help="With {mpiexec}: what starts the ranks."),
    ] = None,
    hosts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With {mpiexec}: a file that names a host a line."),
    ] = None,
    timeout: RunTimeoutOption = None,
    rounds: RoundsOption = ROUNDS,
    seed: SeedOption = None,
    form: CurveFormatOption = "table",
    output: CurvesOption = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
    imported: Annotated[
        Path | None,
        typer.Option(
            "--import",
            metavar="FOLDER",
            help="Run nothing: read stream-N[-ROUND].jsonl, or .txt of another benchmark, with"
            " program-N[-ROUND].log and .txt for what it printed.",
        ),
    ] = None,
) -> int:
    """Compare how a program scales with how bandwidth does; study petsc: PETSc's solvers."""
    shown = Shown(form, output)
    source = choose(Source, "--time", time)
    pattern = _pattern("--time-regex", time_regex)
    check = _pattern("--check-regex", check_regex)
    if imported is not None:
        of_runs = {
            "a command": command or None,
            "--n": counts,
            "--size": size,
            "--threads": threads,
            "--launcher": launcher,
            "--hosts": hosts,
            "--timeout": timeout,
            "--seed": seed,
            "--binding": None if binding == COMPACT else binding,
            "--rounds": None if rounds == ROUNDS else rounds,
            "--no-wait": no_wait or None,
            "--store": store,
            "--no-store": no_store or None,
        }
        given = next((name for name, value in of_runs.items() if value is not None), None)
        if given is not None:
            raise UsageError(f"--import runs nothing: leave out {given}.")
        read = reader_of(source, pattern, check, wants_log=False)
        return show_imported(imported, read, kernel, shown)
    template = parse_template(command or ())
    of_ranks = {"--threads": threads, "--launcher": launcher, "--hosts": hosts}
    alone = [name for name, value in of_ranks.items() if value is not None]
    if alone and not template.has_ranks:
        raise UsageError(
            f"{alone[0]} is for MPI ranks: write {{mpiexec}} before the program, or leave it out."
        )
    asked = given_ranks(
        "1" if template.has_ranks else None, launcher, hosts, None, oversubscribe=False
    )
    of_each = whole_number("--threads", threads, 1, MOST_THREADS)
    return run_study(
        (case_of(template, source, pattern, check),),
        stream_of(
            kernel, size, counts, binding, None if asked is None else find_ranks(asked, of_each)
        ),
        shown,
        rounds=rounds,
        seed=seed,
        timeout=timeout,
        no_wait=no_wait,
        keeping=keeping_of(store, no_store),
    )


def _pattern(option: str, text: str | None) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"{option} {text!r} is no regular expression: {error}.") from error

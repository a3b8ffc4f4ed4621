"""``streamgage study``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.api.studying import COMPACT
from streamgage.cli.kept import place_of
from streamgage.cli.options import CurveFormatOption, CurvesOption, NoWaitOption, SeedOption
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.cli.study_parts import (
    ROUNDS,
    BindingOption,
    CountsOption,
    KernelOption,
    RoundsOption,
    RunTimeoutOption,
    Shown,
    StreamSizeOption,
    show_study,
)
from streamgage.commands import study as api
from streamgage.process.launch import LauncherName
from streamgage.results.study.applications import Source

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
    kept_in = place_of(store, no_store)
    return show_study(
        shown,
        lambda: api.study(
            command,
            n=counts,
            binding=binding,
            time=time,
            time_regex=time_regex,
            check_regex=check_regex,
            kernel=kernel,
            threads=threads,
            size=size,
            launcher=launcher,
            hosts=hosts,
            timeout=timeout,
            rounds=rounds,
            seed=seed,
            no_wait=no_wait,
            store=kept_in,
            import_=imported,
        ),
    )

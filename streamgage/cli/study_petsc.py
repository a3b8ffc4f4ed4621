"""``streamgage study petsc``."""

from __future__ import annotations

from collections.abc import Sequence
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
from streamgage.commands import study_petsc as api
from streamgage.process.launch import LauncherName
from streamgage.results.study.applications.petsc.server import Mode
from streamgage.results.study.petsc import Assembly

_SERVER = "--server"


def with_mode(arguments: Sequence[str]) -> list[str]:
    """The arguments with a mode behind every ``--server`` that has none."""
    full: list[str] = []
    for number, each in enumerate(arguments):
        full.append(each)
        if each == "--":
            return [*full, *arguments[number + 1 :]]
        after = arguments[number + 1] if number + 1 < len(arguments) else "-"
        if each == _SERVER and after.startswith("-"):
            full.append(api.ALL_MODES)
    return full


EXAMPLES = (
    ("streamgage study petsc", "PETSc's GMRES and GAMG beside STREAM, to one rank a core."),
    (
        "streamgage study petsc --n 1,2 --refine 3 -o solver.svg",
        "A smaller problem at two numbers of ranks, with a picture.",
    ),
    ("streamgage study petsc --n 1,2 -- -ksp_type cg -pc_type jacobi", "With PETSc's own options."),
)


def study_petsc(
    *,
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- OPTION..]", help="PETSc's, such as -ksp_type cg."),
    ] = None,
    which: Annotated[
        str | None,
        typer.Option(
            "--petsc",
            metavar="WHICH",
            help="Version or folder; default: $PETSC_DIR, the system's, `make petsc`'s.",
        ),
    ] = None,
    refine: Annotated[
        str, typer.Option(metavar="R", help="(6 * 2^R + 1)^3 unknowns: 4 are 912,673.")
    ] = "4",
    server: Annotated[
        str | None,
        typer.Option(
            _SERVER,
            metavar=f"[{'|'.join(Mode)}]",
            help="Study the MPI linear solver server, too, with shared memory or by messages;"
            " alone: each that this PETSc has.",
        ),
    ] = None,
    assembly: Annotated[
        str,
        typer.Option(
            metavar="|".join(Assembly),
            help="With --server: the one process fills in the system row by row, or by threads.",
        ),
    ] = "rows",
    counts: CountsOption = None,
    binding: BindingOption = COMPACT,
    kernel: KernelOption = "triad",
    size: StreamSizeOption = None,
    launcher: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(LauncherName),
            help="What starts the ranks; default: that of PETSc's MPI, or Slurm in a job of it.",
        ),
    ] = None,
    hosts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file that names a host a line.")
    ] = None,
    timeout: RunTimeoutOption = None,
    rounds: RoundsOption = ROUNDS,
    seed: SeedOption = None,
    form: CurveFormatOption = "table",
    output: CurvesOption = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Compare how PETSc's solver of a Poisson problem scales with how bandwidth does."""
    shown = Shown(form, output)
    kept_in = place_of(store, no_store)
    return show_study(
        shown,
        lambda: api.study_petsc(
            options,
            petsc=which,
            refine=refine,
            server=server,
            assembly=assembly,
            n=counts,
            binding=binding,
            kernel=kernel,
            size=size,
            launcher=launcher,
            hosts=hosts,
            timeout=timeout,
            rounds=rounds,
            seed=seed,
            no_wait=no_wait,
            store=kept_in,
        ),
    )

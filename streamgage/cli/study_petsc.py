"""``streamgage study petsc``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from streamgage.applications.petsc.cases import MOST_REFINED
from streamgage.applications.petsc.server import Mode
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
    stream_of,
)
from streamgage.launch import LauncherName
from streamgage.studies.petsc import Assembly, PetscRequest, solver_to_study
from streamgage.studies.ranks import find_ranks

ALL_MODES = "all"
"""What ``--server`` alone means."""
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
            full.append(ALL_MODES)
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
    asked = given_ranks("1", launcher, hosts, None, oversubscribe=False)
    assert asked is not None
    modes = None if server in (None, ALL_MODES) else choose(Mode, _SERVER, server or "")
    refined = whole_number("--refine", refine, 0, MOST_REFINED)
    ready = solver_to_study(
        PetscRequest(
            which=which,
            refine=4 if refined is None else refined,
            options=tuple(options or ()),
            server=server is not None,
            mode=modes,
            assembly=choose(Assembly, "--assembly", assembly),
            launcher=asked.launcher,
        )
    )
    asked = given_ranks("1", ready.launcher, hosts, None, oversubscribe=False)
    assert asked is not None
    return run_study(
        ready.cases,
        stream_of(kernel, size, counts, binding, find_ranks(asked, None)),
        shown,
        rounds=rounds,
        seed=seed,
        timeout=timeout,
        no_wait=no_wait,
        keeping=keeping_of(store, no_store),
        solver=ready.solver,
    )

"""Compare the scaling of PETSc's Poisson solver with that of bandwidth."""

from __future__ import annotations

from typing import Annotated, Unpack

from streamgage.api.series import SeriesRun
from streamgage.measurement.measurement import Measurement, OrderOptions, RunOptions, rounds_of
from streamgage.measurement.stream import (
    RepeatOptions,
    StreamOptions,
    run_study,
    seconds_of,
    stream_of,
)
from streamgage.options.declaration import Form, command
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.ranks import RankOptions, ranks_of
from streamgage.options.values import Command, Number, PathLike, choose, whole_number, words_of
from streamgage.process.launch import LauncherName
from streamgage.results.ranks import find_ranks
from streamgage.results.study import KIND
from streamgage.results.study.applications.petsc.cases import MOST_REFINED
from streamgage.results.study.applications.petsc.server import Mode
from streamgage.results.study.document import Study
from streamgage.results.study.experiment import StudyRequest
from streamgage.results.study.petsc import Assembly, PetscRequest, solver_to_study

ALL_MODES = "all"
"""The value of ``--server`` without an argument."""
_REFINE = 4
ANSWERS = Question.PROGRAM
EVERYDAY = ("server",)
EXAMPLES = (
    (
        "streamgage study petsc",
        ("Study PETSc's GMRES and GAMG next to STREAM, up to one rank per core."),
    ),
    (
        "streamgage study petsc --n 1,2 --refine 3 -o solver.svg",
        "A smaller problem with one and two ranks, with a picture.",
    ),
    (
        "streamgage study petsc --n 1,2 -- -ksp_type cg -pc_type jacobi",
        "Study another solver, chosen by PETSc's own options.",
    ),
)


class Options(StreamOptions, RepeatOptions, OrderOptions, RunOptions, total=False):
    """Options that ``study petsc`` shares with other commands."""


@command(drawn(KIND))
def study_petsc(
    options: Annotated[Command | None, Form("[-- OPTION..]", many=True)] = None,
    *,
    petsc: Annotated[PathLike | None, Form("WHICH")] = None,
    refine: Annotated[Number, Form("R")] = _REFINE,
    server: Annotated[Mode | str | bool | None, Form("", alone=ALL_MODES)] = None,
    assembly: Assembly | str = "rows",
    launcher: LauncherName | str | None = None,
    hosts: PathLike | None = None,
    **shared: Unpack[Options],
) -> SeriesRun[Study]:
    """Compare how PETSc's solver scales with how bandwidth does.

    The solver is built the first time.

    Args:
        options: PETSc's options, such as -ksp_type cg. In Python a list, or a string.
        petsc: Version or folder of PETSc; default: that of $PETSC_DIR, of the system, or of `make
            petsc`.
        refine: Size of the problem: (6 * 2^R + 1)^3 unknowns; 4 gives 912,673.
        server: Also study PETSc's MPI linear solver server, with shared memory or with messages;
            without a value: each kind that this PETSc has. In Python ``True`` is each kind.
        assembly: With --server: how the server's one process assembles the system: row by row, or
            with threads.
        **StreamOptions
        launcher: The launcher of the ranks; default: that of PETSc's MPI, or Slurm in a Slurm job.
        hosts: A file with one host per line.
        **RepeatOptions
        **OrderOptions
        **RunOptions

    Raises:
        UsageError: the request cannot be met, or there is no PETSc that fits.
        StreamgageError: the solver cannot be built, or no point could be measured.
        MeasurementInterrupt: it was stopped; ``run`` has what was measured before.
    """
    words = words_of(options)
    measurement = Measurement(shared)
    how = rounds_of(shared["rounds"], shared)
    started: RankOptions = {"launcher": launcher, "hosts": hosts, "timeout": None}
    wanted = (ALL_MODES if server else None) if isinstance(server, bool) else server
    modes = None if wanted in (None, ALL_MODES) else choose(Mode, "--server", wanted or "")
    refined = whole_number("--refine", refine, 0, MOST_REFINED)
    ready = solver_to_study(
        PetscRequest(
            which=None if petsc is None else str(petsc),
            refine=_REFINE if refined is None else refined,
            options=tuple(words),
            server=wanted is not None,
            mode=modes,
            assembly=choose(Assembly, "--assembly", assembly),
            launcher=ranks_of(1, started).launcher,
        )
    )
    ranks = find_ranks(ranks_of(1, {**started, "launcher": ready.launcher}), None)
    request = StudyRequest(
        ready.cases, stream_of(shared, ranks), seconds_of(shared["timeout"]), ready.solver
    )
    return run_study(request, how, measurement)

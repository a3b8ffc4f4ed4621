"""From the options of ``program`` to its result: how a program scales next to bandwidth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypedDict

from streamgage.api.runs import Ending
from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.measurement.measurement import Measurement
from streamgage.measurement.notes import Notes
from streamgage.measurement.runs_of_program import (
    MeasuredOptions,
    TimeOptions,
    how_often,
    loops_of,
    measure_in_turn,
    timeout_of,
    times_of,
)
from streamgage.options.declaration import Default, Form
from streamgage.options.ranks import RankOptions, ranks_of
from streamgage.options.values import (
    MOST_THREADS,
    Counts,
    Number,
    PathLike,
    as_path,
    choose,
    whole_number,
)
from streamgage.process.launch import LauncherName
from streamgage.process.ranks import Ranks
from streamgage.results.kinds import result_of
from streamgage.results.ranks import find_ranks
from streamgage.results.scale import experiment as scale
from streamgage.results.scale.plan import ScaleRequest
from streamgage.results.study.applications import parse_template
from streamgage.results.study.applications.case import ProgramReport, case_of, reader_of
from streamgage.results.study.applications.petsc.cases import (
    MOST_REFINED,
    read_imported,
    read_imported_server,
)
from streamgage.results.study.applications.petsc.server import Mode
from streamgage.results.study.applications.times import Reading
from streamgage.results.study.document import Study
from streamgage.results.study.experiment import StudyRequest, measure_study, prepare
from streamgage.results.study.import_folder import ImportRequest, import_study, is_server
from streamgage.results.study.petsc import Assembly, PetscRequest, solver_to_study

ANY = "any"
"""The value of ``--petsc`` and ``--server`` without an argument."""
_TRIAD = "triad"
_STORES = ("plain",)
_REFINE = 4
_ASSEMBLY = Assembly.ROWS


class RanksOptions(TypedDict, total=False):
    """Options for MPI ranks.

    Args:
        ranks: With {mpiexec} or --petsc: numbers of MPI ranks, e.g. 8 or 1,2,4; default: up to one
            per core.
        launcher: The launcher of the ranks; default: the one found, with --petsc that of its MPI.
        hosts: With ranks: a file with one host per line.
    """

    ranks: Counts | None
    launcher: LauncherName | str | None
    hosts: PathLike | None


class PetscOptions(TypedDict, total=False):
    """Options for PETSc's solver.

    Args:
        refine: With --petsc: size of the problem: (6 * 2^R + 1)^3 unknowns; 4 gives 912,673.
        server: With --petsc: also solve by its MPI linear solver server, with shared memory or with
            messages; without a value: each kind that it has. In Python ``True`` is each kind.
        assembly: With --server: how the server's one process assembles the system: row by row, or
            with threads.
    """

    refine: Annotated[Number, Form("R"), Default(_REFINE)]
    server: Annotated[Mode | str | bool | None, Form("", alone=ANY)]
    assembly: Annotated[Assembly | str, Default(_ASSEMBLY.value)]


class RankedOptions(RanksOptions, MeasuredOptions, total=False):
    """Options of every scaling that is measured."""


class ScalingOptions(RankedOptions, TimeOptions, total=False):
    """Options of a program's scaling."""


class SolverOptions(RankedOptions, PetscOptions, total=False):
    """Options of the scaling of PETSc's solver."""

    petsc: PathLike | bool | None


class ImportOptions(TimeOptions, total=False):
    """Options of a scaling that others measured."""

    import_: PathLike | None
    kernel: str | None
    progress: bool


def measure_scaling(words: Sequence[str], options: ScalingOptions) -> SeriesRun[Study]:
    """Measure STREAM and the program in turn, and store the result.

    Raises ``UsageError``, ``StreamgageError``, and ``MeasurementInterrupt`` if it was stopped.
    """
    times = times_of(options)
    measurement = Measurement(options)
    how = how_often(options)
    template = parse_template(words)
    if template.has_ranks:
        threads = options["threads"]
        if not isinstance(threads, int | str | None):
            raise UsageError("--threads is one number with {mpiexec}: the threads of each rank.")
        stream = _with_ranks(options, whole_number("--threads", threads, 1, MOST_THREADS))
    else:
        stream = _stream(options, options["threads"])
    request = StudyRequest((case_of(template, *times),), stream, timeout_of(options))
    return measure_in_turn(measurement, how, partial(measure_study, prepare(request)))


def measure_petsc(words: Sequence[str], options: SolverOptions) -> SeriesRun[Study]:
    """The same for PETSc's Poisson solver, which gets ``words`` as options, and is built first."""
    measurement = Measurement(options)
    how = how_often(options)
    which, server = options["petsc"], options["server"]
    assembly = choose(Assembly, "--assembly", options["assembly"])
    if assembly is not _ASSEMBLY and not server:
        raise UsageError("--assembly needs --server: add it, or leave --assembly out.")
    refine = whole_number("--refine", options["refine"], 0, MOST_REFINED)
    given = str(server) if server and server is not True and server != ANY else None
    ready = solver_to_study(
        PetscRequest(
            which=None if which in (None, True, ANY) else str(which),
            refine=_REFINE if refine is None else refine,
            options=tuple(words),
            server=bool(server),
            mode=None if given is None else choose(Mode, "--server", given),
            assembly=assembly,
            launcher=ranks_of(1, _started(options)).launcher,
        )
    )
    options = {**options, "launcher": ready.launcher}
    stream = _with_ranks(options, None)
    request = StudyRequest(ready.cases, stream, timeout_of(options), ready.solver)
    return measure_in_turn(measurement, how, partial(measure_study, prepare(request)))


def _started(options: RanksOptions) -> RankOptions:
    return {"launcher": options["launcher"], "hosts": options["hosts"], "timeout": None}


def _with_ranks(options: RankedOptions, threads: int | None) -> ScaleRequest:
    ranks = find_ranks(ranks_of(1, _started(options)), threads)
    return _stream(options, options["ranks"], ranks)


def _stream(
    options: MeasuredOptions, counts: Counts | None, ranks: Ranks | None = None
) -> ScaleRequest:
    return loops_of(options, scale.STANDARD, (_TRIAD,), _STORES, counts=counts, ranks=ranks)


def import_scaling(words: Sequence[str], options: ImportOptions) -> SeriesRun[Study]:
    """Read the files of runs of STREAM and a program, and run nothing. Raises ``UsageError``."""
    if words:
        raise UsageError("--import runs nothing: leave out the command.")
    notes = Notes(options["progress"])
    general = partial(read_imported, reader_of(*times_of(options), wants_log=False))
    folder = as_path("--import", options["import_"]) or Path()

    def readers(name: str) -> Callable[[Reading], ProgramReport]:
        return read_imported_server if is_server(name) else general

    done = import_study(ImportRequest(folder, readers, options["kernel"] or _TRIAD), notes)
    ending = Ending(done.exit_status, notes=tuple(notes.sentences))
    return SeriesRun(result_of(done.document, str(folder)), ending)

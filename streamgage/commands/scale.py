"""Measures how bandwidth grows with the number of threads or ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, TypedDict, Unpack, overload

from streamgage.advice import advice, command_name
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.prediction import FORMATS as PREDICTION_FORMATS
from streamgage.api.prediction import PredictedScaling
from streamgage.api.runs import BaseRun
from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.kernels import Compiler, given_compiler
from streamgage.measurement.kernel_files import KernelOptions, given_kernels, kernels_of
from streamgage.measurement.loops import OWN, built_loops
from streamgage.measurement.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.measurement.notes import Notes
from streamgage.options.arrays import ArrayOptions, array_setup
from streamgage.options.declaration import Default, Display, Mode, command
from streamgage.options.drawing import drawn
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.ranks import RankOptions, given_ranks
from streamgage.options.values import (
    MOST_THREADS,
    Counts,
    Cpus,
    Kernels,
    Names,
    Number,
    Size,
    Stores,
    bytes_of,
    names_of,
    whole_number,
)
from streamgage.process.ranks import Ranks
from streamgage.programs.predict.judge import predicted
from streamgage.results.placement import placements_of
from streamgage.results.preset import make_plan
from streamgage.results.ranks import find_ranks
from streamgage.results.scale import KIND, experiment
from streamgage.results.scale.counts import MOST_WORKERS, counts_of
from streamgage.results.scale.document import Scale
from streamgage.results.scale.plan import ScaleRequest, scales_of_this_machine
from streamgage.store.load import newest_of

ANSWERS = Question.PARTS
EXAMPLES = (
    ("streamgage scale", "Measure from one thread to one per core, with three placements."),
    (
        "streamgage scale 1,2 --cpus compact -o scale.svg",
        "One and two threads in one placement, with a picture and its data.",
    ),
    ("streamgage scale --mpi 2", "One and two MPI ranks instead of threads."),
    (
        "streamgage scale 2 --both --compilers 'gcc -O2;gcc -O3'",
        "Threads and ranks, with the loops built with two sets of flags.",
    ),
    (
        "streamgage scale --predict 2",
        "How a memory-bound program will run with 2 threads, by your newest result.",
    ),
    (
        "streamgage scale --predict 2 --result scale.json --cpus compact",
        "The same from a file, for one of the measured placements.",
    ),
)


class WorkerOptions(TypedDict, total=False):
    """Options that say which workers are measured, and what they run.

    Args:
        cpus: How to place the workers: compact, scatter, cores, smt, domains (each NUMA node by
            itself), none, omp-close, omp-spread, launcher, a placement expression, or the options
            of a launcher, such as 'openmpi:--bind-to core --map-by numa'; separate them with
            semicolons if one has commas in it. Default: compact,scatter,none; for ranks
            compact,scatter,launcher.
        kernels: Kernels to measure; default: triad.
        stores: Store modes: plain, regular, streaming, ...
        size: Size of each array, summed over all workers and equal at every point; default: 4x the
            last-level caches.
        **ArrayOptions
        mpi: Use MPI ranks instead of threads.
        both: Measure threads and MPI ranks, each with the placements that apply to them.
        threads: With --mpi: threads per rank (1).
        compilers: Measure STREAM's plain loops as each of these compilers builds them, with its
            flags, such as 'gcc -O3;clang -O3'; own stands for streamgage's own loops.
        **RankOptions
        **KernelOptions
        quick: Take fewer samples per point.
        rounds: Measure every point this many times.
    """

    cpus: Cpus | None
    kernels: Kernels | None
    stores: Annotated[Stores, Default("plain")]
    size: Size | None
    mpi: bool
    both: bool
    threads: Number | None
    compilers: Names | None
    quick: bool
    rounds: Annotated[Number, Default(3)]


class Options(WorkerOptions, ArrayOptions, RankOptions, KernelOptions, SeriesOptions, total=False):
    """All options of a measurement of ``scale``."""


class PredictOptions(StoreOptions, total=False):
    """Options of a prediction."""

    result: Named | BaseRun[Any] | None
    cpus: Cpus | None
    kernels: Kernels | None


_PREDICTS = Mode(
    "predict",
    "measures nothing",
    Display(PREDICTION_FORMATS),
    own=("result",),
    takes=("cpus", "kernels", "store"),
)


@overload
def scale(
    counts: Counts | None = None, *, predict: None = None, **options: Unpack[Options]
) -> SeriesRun[Scale]: ...
@overload
def scale(*, predict: Number, **options: Unpack[PredictOptions]) -> PredictedScaling: ...
@command(drawn(KIND, modes=(_PREDICTS,)))
def scale(
    counts: Counts | None = None,
    *,
    predict: Number | None = None,
    result: Named | BaseRun[Any] | None = None,
    **options: Unpack[Options],
) -> SeriesRun[Scale] | PredictedScaling:
    """Measure how bandwidth grows with threads or ranks.

    Several placements of the threads are compared. With ``predict`` nothing is measured: the return
    value says how a program that memory limits will scale, by an earlier result.

    Args:
        counts: Numbers of threads or ranks: 8 (from 1 to 8), or a list such as 1,2,4-16:4;
            default: up to one per core.
        **WorkerOptions
        predict: Measure nothing: predict from a stored result how a program that memory limits runs
            with N threads or ranks. --cpus and --kernels then name one curve; default: the
            recommended one.
        result: With --predict: the result of scale to predict from, or what its --format json
            printed; default: the newest stored one. In Python a result of ``scale``, too.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met. With ``predict``: there is no such result, or it has
            no points around that number.
        NothingMeasuredError: every kernel of your own failed.
        StreamgageError: no point could be measured. If only some could not, they are gaps, and
            ``exit_status`` is 1.
        MeasurementInterrupt: it was stopped; ``run`` has the points measured before.
    """
    if predict is not None:
        return _predicted(predict, result, options)
    mpi, both, threads = options["mpi"], options["both"], options["threads"]
    cpus = options["cpus"]
    measurement = Measurement(options)
    how = rounds_of(options["rounds"], options, give_way=options["give_way"])
    files = given_kernels(options)
    if files is not None and (mpi or both):
        raise UsageError(
            "--kernel-file cannot be combined with --mpi: only threads can run your own kernel."
        )
    wanted = _compilers(options["compilers"])
    chosen = names_of("--stores", options["stores"])
    if wanted and (files is not None or chosen != ["plain"]):
        raise UsageError(
            "--compilers measures STREAM's plain loops: leave"
            f" {'--kernel-file' if files is not None else '--stores'} out."
        )
    request = ScaleRequest(
        plan=make_plan(
            experiment.QUICK if options["quick"] else experiment.STANDARD,
            kernels=names_of("--kernels", options["kernels"], or_none=files is not None),
            own=None if files is None else (),
            stores=chosen,
            arrays=array_setup(options),
            array_bytes=bytes_of("--size", options["size"]),
        ),
        named=options["kernels"] is not None,
        counts=None if counts is None else counts_of(counts),
        placements=None if cpus is None else tuple(placements_of(cpus)),
        ranks=_ranks(mpi, threads, options, both=both),
        both=both,
    )
    with (
        kernels_of(files, request.plan, measurement) as own,
        built_loops(wanted, request.plan, measurement) as builds,
    ):
        scales = scales_of_this_machine(replace(request, own=own, builds=builds))
        done = measurement.in_rounds(experiment.scale, scales, how)
    return measurement.returned(SeriesRun, done, failed=bool(own.failures))


def _predicted(
    predict: Number, result: Named | BaseRun[Any] | None, options: Options
) -> PredictedScaling:
    """Predict from an earlier result. Raises ``UsageError``, also for more than one curve."""
    number = whole_number("--predict", predict, 1, MOST_WORKERS)
    cpus = options["cpus"]
    placement = _one("--cpus", None if cpus is None else placements_of(cpus))
    kernel = _one("--kernels", names_of("--kernels", options["kernels"]))
    notes = Notes(options["progress"])
    place = place_of(options["store"])
    loaded = (
        newest_of("scale", place, notes) if result is None else loaded_from(result, place, notes)
    )
    if not isinstance(loaded.document, Scale):
        raise UsageError(
            f"{loaded.name} is a result of {loaded.kind.command}, not of {command_name('scale')}:"
            " name another with --result, or leave --result out to take the newest."
        )
    found = predicted(loaded.document, number or 1, placement=placement, kernel=kernel)
    return PredictedScaling(found, tuple(notes.sentences))


def _one(option: str, names: Sequence[str] | None) -> str | None:
    """The only name, or ``None``. Raises ``UsageError`` if there are several."""
    if names is None:
        return None
    if len(names) > 1:
        raise UsageError(f"{option} names {len(names)}, and --predict follows one curve: name one.")
    return names[0]


def _compilers(names: Names | None) -> tuple[Compiler | None, ...]:
    """Parse the compilers with their flags. Raises ``UsageError``.

    ``None`` means the engine's own loops.
    """
    if names is None:
        return ()
    parts = names.split(";") if isinstance(names, str) else list(names)
    texts = [each.strip() for each in parts]
    if not texts or not all(texts) or len(set(texts)) < len(texts):
        raise UsageError(
            f"--compilers {';'.join(parts)!r} has an empty entry, or one twice: write each once,"
            " such as 'gcc -O3;clang -O3'."
        )
    return tuple(None if each == OWN else given_compiler(each, "--compilers") for each in texts)


def _ranks(mpi: bool, threads: Number | None, options: RankOptions, *, both: bool) -> Ranks | None:
    """How to start the ranks, whatever their number; ``None`` if only threads are measured."""
    if both and mpi:
        raise UsageError("--both already includes ranks: leave --mpi out.")
    if both and threads is not None:
        raise UsageError("--both compares workers of one thread each: leave --threads out.")
    if not mpi and threads is not None:
        raise UsageError(
            f"--threads {threads} is the number per rank and needs --mpi: for threads alone write"
            f" the numbers without an option, such as {advice('scale', threads)}."
        )
    request = given_ranks(1 if mpi or both else None, options)
    if request is None:
        return None
    return find_ranks(request, whole_number("--threads", threads, 1, MOST_THREADS))

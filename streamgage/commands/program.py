"""Show how near a program is to the memory's limit, how it scales, or which is faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Unpack, overload

import msgspec

from streamgage.api import benchmark
from streamgage.api.benchmark import BenchmarkTime
from streamgage.api.series import SeriesRun
from streamgage.measurement.measurement import OrderOptions, RunOptions
from streamgage.measurement.program import LimitOptions, MovesOptions, measure_limit
from streamgage.measurement.ratio import AgainstOptions, BenchmarkOptions, measure_ratio
from streamgage.measurement.runs_of_program import RunsOptions, TimeOptions
from streamgage.measurement.scaling import (
    ANY,
    ImportOptions,
    PetscOptions,
    RanksOptions,
    ScalingOptions,
    SolverOptions,
    import_scaling,
    measure_petsc,
    measure_scaling,
)
from streamgage.options.declaration import Display, Form, Mode, command, declaration_of
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.values import Command, PathLike, words_of
from streamgage.results import program as limit
from streamgage.results import study
from streamgage.results.study.applications.template import MPIEXEC

ANSWERS = Question.PROGRAM
EVERYDAY = (
    *("scaling", "against", "ratio", "petsc"),
    *("bytes", "rate", "counters", "bytes_per_step", "model", "reached"),
)
EXAMPLES = (
    (
        "streamgage program --bytes 8.05GB --kernel triad -- ./program",
        "Show how near ./program is to the memory's limit; a run moves 8.05 GB.",
    ),
    (
        "streamgage program --scaling -- ./program",
        "Show how ./program scales with its threads, next to how bandwidth does.",
    ),
    (
        "streamgage program --rate '([0-9.]+ GB/s)' --threads 1,2 -- ./program",
        "Take the rate that it prints, with one and with two threads.",
    ),
    (
        "streamgage program --ranks 1,2 -- {mpiexec} ./program",
        "Its scaling with one MPI rank and with two.",
    ),
    (
        "streamgage program --against ./old -- ./program",
        "Say which is faster; the exit status is 1 if ./program is slower.",
    ),
    (
        "streamgage program --ratio --format bencher -o bencher.json -- ./program",
        "Its time by the memory's speed, for bencher run --adapter json.",
    ),
    (
        "streamgage program --model model.gguf --reached 9.8",
        "Show how many tokens a second a model can reach, and how near 9.8 are.",
    ),
    (
        "streamgage program --petsc --ranks 1,2 -- -ksp_type cg -pc_type jacobi",
        "The scaling of a solver of PETSc.",
    ),
)
EXIT_STATUSES = {
    "1": "A run failed; with --against: the program is slower than the other one.",
    "3": "With --against: it is not decided which is faster.",
    "4": "With --against: a run failed, or took longer than --timeout.",
    "124": "With --ratio: a run took longer than --timeout.",
    "126, 127": "With --ratio and --against: the program cannot be run; there is no such program.",
    "other": "With --ratio: a run failed; the status is its own, or 128 + n after signal n.",
}


class Options(
    MovesOptions,
    RunsOptions,
    TimeOptions,
    RanksOptions,
    PetscOptions,
    BenchmarkOptions,
    AgainstOptions,
    OrderOptions,
    RunOptions,
    total=False,
):
    """All options but those that say what is asked."""


def _names(*groups: type) -> frozenset[str]:
    return frozenset(name for group in groups for name in group.__annotations__)


_USUAL = _names(LimitOptions)
_RATIO = _names(BenchmarkOptions, RunsOptions) - {"kernel"}
_DRAWN = Display(study.KIND.formats, data="csv", measures=True)
_PRINTED = Display(benchmark.FORMATS)


def _asks_for_ranks(values: Mapping[str, Any]) -> bool:
    return not values.get("petsc") and MPIEXEC in words_of(values.get("command"))


def _taking(takes: frozenset[str], mode: Mode) -> Mode:
    own, usual = takes - _USUAL, takes & _USUAL
    return msgspec.structs.replace(mode, own=tuple(own), takes=("command", *usual))


_Measure = Callable[[Sequence[str], Any], SeriesRun[Any] | BenchmarkTime]
_MODES: dict[Mode, _Measure] = {
    _taking(
        _names(ScalingOptions) - _names(RanksOptions),
        Mode("scaling", "runs the program with several numbers of threads", _DRAWN),
    ): measure_scaling,
    _taking(
        _names(ScalingOptions),
        Mode(MPIEXEC, "starts MPI ranks", _DRAWN, within="scaling", asks=_asks_for_ranks),
    ): measure_scaling,
    _taking(
        _names(SolverOptions) - {"petsc", "threads"}, Mode("petsc", "runs PETSc's solver", _DRAWN)
    ): measure_petsc,
    _taking(
        _names(ImportOptions) - {"import_"},
        Mode("import_", "runs nothing", _DRAWN, within="scaling"),
    ): import_scaling,
    _taking(
        _RATIO, Mode("ratio", "times the program between probes of the memory", _PRINTED)
    ): measure_ratio,
    _taking(
        _RATIO | _names(AgainstOptions),
        Mode("against", "runs two programs between probes of the memory", _PRINTED, within="ratio"),
    ): measure_ratio,
}
"""What else can be asked than the limit, and what answers it."""


@overload
def program(
    command: Command,
    *,
    ratio: Literal[True],
    against: Command | None = None,
    **options: Unpack[Options],
) -> BenchmarkTime: ...
@overload
def program(
    command: Command, *, against: Command, ratio: bool = False, **options: Unpack[Options]
) -> BenchmarkTime: ...
@overload
def program(
    command: Command | None = None,
    *,
    scaling: bool = False,
    petsc: PathLike | bool | None = None,
    import_: PathLike | None = None,
    **options: Unpack[Options],
) -> SeriesRun[Any]: ...
@command(drawn(limit.KIND, modes=tuple(_MODES)))
def program(
    command: Command | None = None,
    *,
    scaling: bool = False,
    against: Annotated[Command | None, Form("'CMD ARGS'")] = None,
    ratio: bool = False,
    petsc: Annotated[PathLike | bool | None, Form("WHICH", alone=ANY)] = None,
    import_: Annotated[PathLike | None, Form("FOLDER", file=True)] = None,
    **options: Unpack[Options],
) -> SeriesRun[Any] | BenchmarkTime:
    """Show how near a program is to the memory's limit.

    The program and loops of known traffic run in turn, with as many threads on the same CPUs. With
    ``ratio`` or ``against`` it returns a ``BenchmarkTime``.

    Args:
        command: The program with its arguments. {n} stands for the number of threads or ranks,
            {mpiexec} for what starts ranks, {log} for a file to which it writes its times; not with
            --ratio and --against. In Python a list, or a string as on a command line.
        scaling: Show how it scales next to how bandwidth does. {mpiexec} before the program asks
            for that with MPI ranks.
        against: Say which is faster, the program or this one, by pairs of runs in random order.
        ratio: Give its time as a ratio to the memory's speed at that moment, for CI.
        petsc: Show how PETSc's Poisson solver scales; after -- stand options of PETSc. WHICH is a
            version or folder; default: $PETSC_DIR, the system's, or that of `make petsc`. In Python
            ``True`` is the default.
        import_: Show the scaling of runs in a folder: program-N[-ROUND].log or .txt, and for STREAM
            stream-N[-ROUND].jsonl or .txt. Nothing runs, and nothing is stored.
        **MovesOptions
        **RunsOptions
        **TimeOptions
        **RanksOptions
        **PetscOptions
        **BenchmarkOptions
        **AgainstOptions
        **OrderOptions
        **RunOptions

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: nothing could be measured, or counted. Runs that fail are gaps, and
            ``exit_status`` is then 1. With ``ratio`` or ``against``: a run failed.
        MeasurementInterrupt: it was stopped; ``run`` has what was measured before.
    """
    asked: dict[str, Any] = {"against": against, "petsc": petsc, "import_": import_}
    mode = declaration_of(program).mode_of(
        {**asked, "scaling": scaling, "ratio": ratio, "command": command}
    )
    measure: _Measure = measure_limit if mode is None else _MODES[mode]
    return measure(words_of(command), {**options, **asked})

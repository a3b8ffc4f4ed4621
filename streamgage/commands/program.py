"""Show how near a program is to the memory's limit, how it scales, or which is faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Unpack, cast

import msgspec

from streamgage.api import benchmark
from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
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
from streamgage.options.declaration import Flag, Form, command, declaration_of
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
    "4": "With --against: a program failed.",
    "124": "With --ratio and --against: a run took longer than --timeout.",
    "126, 127": "With these: the program cannot be run; there is no such program.",
    "other": "With these: a run failed; the status is its own, or 128 + n after signal n.",
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


@dataclass(frozen=True)
class _Mode:
    """What can be asked about a program."""

    asked: str
    """What on a command line asks for it; empty for what is asked by nothing."""
    measure: Callable[[Sequence[str], Any], object]
    takes: frozenset[str]
    """The options that go with it."""
    formats: Sequence[str] = study.KIND.formats
    part_of: _Mode | None = None
    """The mode of which it is a special case, so that both may be asked for."""


_LIMIT = _Mode("", measure_limit, _names(LimitOptions), limit.KIND.formats)
_SCALING = _Mode("--scaling", measure_scaling, _names(ScalingOptions) - _names(RanksOptions))
_RANKS = replace(_SCALING, asked=MPIEXEC, takes=_names(ScalingOptions), part_of=_SCALING)
_PETSC = _Mode("--petsc", measure_petsc, _names(SolverOptions) - {"threads"})
_IMPORT = _Mode("--import", import_scaling, _names(ImportOptions), part_of=_SCALING)
_RATIO = _Mode(
    "--ratio",
    measure_ratio,
    _names(BenchmarkOptions, RunsOptions) - {"kernel"},
    benchmark.FORMATS,
)
_AGAINST = replace(
    _RATIO, asked="--against", takes=_RATIO.takes | _names(AgainstOptions), part_of=_RATIO
)
_MODES = (_LIMIT, _SCALING, _RANKS, _PETSC, _IMPORT, _RATIO, _AGAINST)
_ASKED = {
    "scaling": _SCALING,
    "petsc": _PETSC,
    "import_": _IMPORT,
    "ratio": _RATIO,
    "against": _AGAINST,
}
"""The options that ask for something."""


def _mode_of(options: Mapping[str, Any]) -> _Mode:
    """What is asked. Raises ``UsageError`` if two different things are."""
    asked = [mode for name, mode in _ASKED.items() if options.get(name) not in (None, False)]
    if _PETSC not in asked and MPIEXEC in words_of(options.get("command")):
        asked.append(_RANKS)
    asked = [mode for mode in asked if all(each.part_of is not mode for each in asked)]
    if len(asked) > 1:
        raise UsageError(
            f"{asked[0].asked} and {asked[1].asked} ask for different things: leave one of them"
            " out."
        )
    return asked[0] if asked else _LIMIT


def _refuse_others(mode: _Mode, options: Mapping[str, object]) -> None:
    """Raise ``UsageError`` for an option that does not go with the mode."""
    for name, value in options.items():
        option = declaration_of(program).options[name]
        if name in mode.takes or name == "progress" or str(value) == str(option.default):
            continue
        flag = option.found(Flag)
        shown = option.shown if flag is None or value is not None else flag.name
        if name in _LIMIT.takes:
            raise UsageError(f"{shown} does not go with {mode.asked}: leave one of them out.")
        raise _of_others(shown, [each for each in _MODES if name in each.takes])


def _of_others(shown: str, modes: Sequence[_Mode]) -> UsageError:
    *others, last = [each.asked for each in modes]
    asked = f"{', '.join(others)} or {last}: add one of them" if others else f"{last}: add that"
    return UsageError(f"{shown} is for {asked}, or leave {shown} out.")


def _check(form: str, _file: Path | None, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Raise ``UsageError`` for a format that the mode does not have."""
    if form not in _mode_of(values).formats:
        raise _of_others(f"--format {form}", [each for each in _MODES if form in each.formats])
    return {}


def _is_plain(values: Mapping[str, Any]) -> bool:
    return _mode_of(values) in (_RATIO, _AGAINST)


_FORMATS = (*study.KIND.formats, *benchmark.TRACKERS)


@command(
    msgspec.structs.replace(drawn(limit.KIND), formats=_FORMATS, check=_check, is_plain=_is_plain)
)
def program(
    command: Command | None = None,
    *,
    scaling: bool = False,
    against: Annotated[Command | None, Form("'CMD ARGS'")] = None,
    ratio: bool = False,
    petsc: Annotated[PathLike | bool | None, Form("WHICH", alone=ANY)] = None,
    import_: Annotated[PathLike | None, Form("FOLDER", file=True)] = None,
    **options: Unpack[Options],
) -> SeriesRun[Any]:
    """Show how near a program is to the memory's limit.

    The program and loops of known traffic run in turn, with as many threads on the same CPUs. With
    ``ratio`` or ``against`` it returns a ``BenchmarkTime``.

    Args:
        command: The program with its arguments. {n} stands for the number of threads or ranks,
            {mpiexec} for what starts ranks, {log} for a file to which it writes its times. In
            Python a list, or a string as on a command line.
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
    mode = _mode_of({**asked, "scaling": scaling, "ratio": ratio, "command": command})
    _refuse_others(mode, options)
    return cast(SeriesRun[Any], mode.measure(words_of(command), {**options, **asked}))

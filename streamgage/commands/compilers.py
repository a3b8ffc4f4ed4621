"""Measures the same loops, built by every compiler."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Unpack

from streamgage.advice import command_name
from streamgage.api.series import CompilersRun
from streamgage.errors import UsageError
from streamgage.kernels import Compiler, find_compilers, given_compiler
from streamgage.measurement.ending import ended_as_a_run
from streamgage.measurement.kernel_files import compiled_kernel
from streamgage.measurement.measurement import (
    Measurement,
    OrderOptions,
    Rounds,
    RunOptions,
    rounds_of,
)
from streamgage.options.arrays import ArrayOptions, array_setup
from streamgage.options.declaration import Display, Form, command
from streamgage.options.question import Question
from streamgage.options.values import (
    MOST_THREADS,
    Commands,
    Cpus,
    ElementName,
    Files,
    Kernels,
    Number,
    Seconds,
    Size,
    bytes_of,
    choose,
    names_of,
    several,
    whole_number,
)
from streamgage.plan import Plan
from streamgage.results.compilers import KIND, experiment
from streamgage.results.compilers.document import Compilers
from streamgage.results.compilers.own_kernel import CompiledKernel, build_own, compilers_for
from streamgage.results.placement import placement_of
from streamgage.results.preset import make_plan
from streamgage.results.series import MeasuredSeries
from streamgage.show.progress import RunsWatcher

ANSWERS = Question.PARTS
EVERYDAY = ("cc",)
EXAMPLES = (
    ("streamgage compilers", "The same loops, built by every compiler that is installed."),
    (
        "streamgage compilers --cc 'gcc -O2' --cc 'gcc -O3' --asm triad",
        "Two sets of flags, with the machine code of triad.",
    ),
    (
        "streamgage compilers --kernel-file examples/kernels/stencil.c --flags -O3",
        "Your own kernel, built by every compiler of its language.",
    ),
)


class Options(ArrayOptions, OrderOptions, RunOptions, total=False):
    """Options that ``compilers`` shares with other commands."""


def _refuse(form: str, _output: Path | None, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Raise ``UsageError`` if machine code is wanted in a format other than text."""
    if values.get("asm") is not None and form != "table":
        raise UsageError(
            "--asm prints text below the table, so it has no other format: leave --format out."
        )
    return {}


@command(Display(KIND.formats, measures=True, check=_refuse))
def compilers(
    *,
    cc: Commands | None = None,
    flags: Annotated[Commands | None, Form("'FLAGS'", many=True, may_be_empty=True)] = None,
    openmp: Annotated[Commands | None, Form("LIBRARY", many=True)] = None,
    kernel_file: Annotated[Files | None, Form("FILE")] = None,
    kernel_timeout: Seconds | None = None,
    kernels: Kernels | None = None,
    type: ElementName | str = "double",
    asm: Annotated[str | None, Form("KERNEL")] = None,
    threads: Number | None = None,
    cpus: Cpus | None = None,
    size: Size | None = None,
    quick: bool = False,
    rounds: Number = 3,
    **options: Unpack[Options],
) -> CompilersRun:
    """Compare the loops of every compiler: code and bandwidth.

    Args:
        cc: A compiler with its flags, e.g. 'gcc-13 -O2'; may be given several times. Default: all
            compilers found, with every set of flags.
        flags: A set of flags for the compilers found; may be given several times. Default:
            '-O2' and '-O3 -march=native'.
        openmp: Also measure streamgage's own kernels with this OpenMP runtime, e.g. libomp.so.5;
            may be given several times.
        kernel_file: Your own kernel instead of the plain loops: .c, .cpp or .f90.
        kernel_timeout: How long one run of your own kernel may take; default: 60.
        kernels: Kernels to measure; default: copy,scale,add,triad.
        type: Type of the array elements.
        asm: Also print the machine code of this kernel by each compiler. In Python ``listings`` of
            the result has it.
        threads: Number of threads; default: one per core.
        cpus: CPUs to bind threads to, e.g. S0:0-3.
        size: Size of each array, e.g. 1GiB; default: 4x the last-level caches.
        **ArrayOptions
        quick: Measure each row for half as long.
        rounds: Measure every row this many times.
        **OrderOptions
        **RunOptions

    Raises:
        UsageError: the request cannot be met, or there is no compiler.
        StreamgageError: the engine does not follow the plan. If a row fails, the result says why,
            and its ``exit_status`` is 1.
        MeasurementInterrupt: it was stopped; ``run`` has what was measured before.
    """
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=True)
    if cc and flags:
        raise UsageError(
            "--flags applies only to compilers that streamgage finds: write the flags into --cc."
        )
    own = compiled_kernel(kernel_file, kernel_timeout)
    if own is not None and (kernels, asm, openmp) != (None, None, None):
        raise UsageError(
            f"{command_name('compilers')} measures a --kernel-file by itself: leave --kernels,"
            " --asm"
            " and --openmp out."
        )
    plan = make_plan(
        experiment.QUICK if quick else experiment.STANDARD,
        kernels=names_of("--kernels", kernels),
        own=None if own is None else (),
        stores=["plain"],
        type=choose(ElementName, "--type", type).value,
        arrays=array_setup(options),
        placement=placement_of(cpus, whole_number("--threads", threads, 1, MOST_THREADS)),
        array_bytes=bytes_of("--size", size),
    )
    if asm is not None and asm not in plan.kernels:
        raise UsageError(
            f"--asm {asm} is not one of the measured kernels: choose from"
            f" {', '.join(plan.kernels)}, or add it with --kernels."
        )
    named = [given_compiler(each) for each in several("--cc", cc)]
    if own is not None:
        named = compilers_for(own.file, named or find_compilers())
    wanted = experiment.tasks(named, several("--flags", flags) or experiment.FLAG_SETS, plan.type)
    runtimes = list(experiment.runtimes(several("--openmp", openmp), plan))
    built, done = _compared(plan, own, wanted, runtimes, how=how, measurement=measurement)
    listings = None
    if asm is not None:
        listings = {each.row.name: each.listings[asm] for each in built if asm in each.listings}
    return measurement.returned(partial(CompilersRun, listings=listings, asm=asm), done)


def _compared(
    plan: Plan,
    own: CompiledKernel | None,
    wanted: Sequence[tuple[Compiler, tuple[str, ...]]],
    runtimes: Sequence[experiment.CompilerRow],
    *,
    how: Rounds,
    measurement: Measurement,
) -> tuple[list[experiment.CompilerRow], MeasuredSeries[Compilers]]:
    """Build and measure every row, then delete the compiled files."""
    machine = experiment.this_machine()
    notes, destination, wait = measurement.notes, measurement.destination, measurement.wait
    with (
        ended_as_a_run(notes, destination),
        tempfile.TemporaryDirectory(prefix="streamgage-") as name,
        notes.bar() as shown,
    ):
        measurement.look()
        folder, watcher = Path(name), RunsWatcher(shown)
        if own is None:
            experiment.try_out(plan, notes, wait=wait)
            rows = experiment.build(wanted, plan, folder, before=watcher.building)
        else:
            rows = build_own(
                wanted, own, plan, folder, before=watcher.building, note=notes, wait=wait
            )
        built = [*experiment.share_code(list(rows)), *runtimes]
        done = experiment.compare(built, machine, measurement.schedule(how, watcher))
    return built, done

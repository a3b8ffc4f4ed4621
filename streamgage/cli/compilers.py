"""``streamgage compilers``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from streamgage.api.planned import ElementName
from streamgage.api.values import LARGEST_SEED, MOST_THREADS
from streamgage.cli.kept import keeping_of, kept_series
from streamgage.cli.kernel_options import KernelTimeoutOption, compiled_kernel
from streamgage.cli.options import (
    NoWaitOption,
    OutputOption,
    SeedOption,
    SeriesFormatOption,
    choose,
    whole_number,
)
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.compilers import find_compilers, given_compiler
from streamgage.errors import UsageError
from streamgage.present.compilations.formats import render
from streamgage.present.output import Output, open_output
from streamgage.present.runs_progress import watching_runs
from streamgage.present.series_formats import SeriesFormat
from streamgage.studies import compilers as study
from streamgage.studies.compiled_kernels import build_own, compilers_for
from streamgage.studies.measure import Request

MOST_ROUNDS = 1_000


EXAMPLES = (
    ("streamgage compilers", "The same loops by every compiler that is here."),
    (
        "streamgage compilers --cc 'gcc -O2' --cc 'gcc -O3' --asm triad",
        "Two sets of flags, with what they made of triad.",
    ),
    (
        "streamgage compilers --kernel-file examples/kernels/stencil.c --flags -O3",
        "A kernel of one's own by every compiler of its language.",
    ),
)


def compilers(
    *,
    cc: Annotated[
        list[str] | None,
        typer.Option(
            "--cc",
            metavar="'CMD FLAGS'",
            help="A compiler with its flags, e.g. 'gcc-13 -O2'; may be given several times."
            " Default: all that are found, with every set of flags.",
        ),
    ] = None,
    flags: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'FLAGS'",
            help="A set of flags for the compilers that are found; may be given several times."
            " Default: '-O2' and '-O3 -march=native'.",
        ),
    ] = None,
    openmp: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIBRARY",
            help="Measure streamgage's own kernels with this OpenMP runtime, too, e.g. libomp.so.5;"
            " may be given several times.",
        ),
    ] = None,
    kernel_file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A kernel of your own in place of the plain loops, .c, .cpp or .f90.",
        ),
    ] = None,
    kernel_timeout: KernelTimeoutOption = None,
    kernels: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Kernels; default: copy,scale,add,triad."),
    ] = None,
    type_: Annotated[
        str, typer.Option("--type", metavar="|".join(ElementName), help="Type of the elements.")
    ] = "double",
    asm: Annotated[
        str | None,
        typer.Option(metavar="KERNEL", help="Print the listing of a kernel by each compiler too."),
    ] = None,
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="Number of threads; default: one a core.")
    ] = None,
    cpus: Annotated[
        str | None, typer.Option(metavar="EXPR", help="CPUs to bind threads to, e.g. S0:0-3.")
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Size of each array, e.g. 1GiB; default: 4x the last-level caches."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Half of the time for a row.")] = False,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Measure every row so many times.")
    ] = "3",
    seed: SeedOption = None,
    form: SeriesFormatOption = "table",
    output: OutputOption = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Build the plain loops with every compiler found, and compare what they made and give."""
    keeping = keeping_of(store, no_store)
    number = whole_number("--rounds", rounds, 1, MOST_ROUNDS) or 1
    shown_as = choose(SeriesFormat, "--format", form)
    chosen_seed = whole_number("--seed", seed, 0, LARGEST_SEED)
    if cc and flags:
        raise UsageError("--flags is for the compilers that are found: write them into --cc.")
    own = compiled_kernel(kernel_file, kernel_timeout)
    if own is not None and (kernels, asm, openmp) != (None, None, None):
        raise UsageError(
            "--kernel-file is measured alone by `streamgage compilers`: leave --kernels, --asm and"
            " --openmp out."
        )
    plan = study.plan_of(
        Request(
            kernels=kernels,
            element_type=choose(ElementName, "--type", type_).value,
            threads=whole_number("--threads", threads, 1, MOST_THREADS),
            cpus=cpus,
            size=size,
            tune="never",
            preset=study.QUICK if quick else study.STANDARD,
            checks=False,
            beside=None if own is None else (),
        )
    )
    if asm is not None and asm not in plan.kernels:
        raise UsageError(
            f"--asm {asm} is none of the kernels that are measured: choose of"
            f" {', '.join(plan.kernels)}, or add it with --kernels."
        )
    if asm is not None and shown_as is not SeriesFormat.TABLE:
        raise UsageError("--asm prints text after the table: leave --format out.")
    given = [given_compiler(each) for each in cc or ()]
    if own is not None:
        given = compilers_for(own.file, given or find_compilers())
    wanted = study.tasks(given, flags or study.FLAG_SETS, plan.type)
    other_runtimes = list(study.runtimes(openmp or (), plan))
    with open_output(output) as out, tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        machine = study.this_machine()
        with watching_runs() as watcher:
            if own is None:
                study.try_out(plan, watcher.note, wait=not no_wait)
                rows = study.build(wanted, plan, Path(folder), before=watcher.building)
            else:
                rows = build_own(
                    wanted,
                    own,
                    plan,
                    Path(folder),
                    before=watcher.building,
                    note=watcher.note,
                    wait=not no_wait,
                )
            built = [*rows, *other_runtimes]
            done = study.compare(
                built,
                number,
                machine,
                seed=chosen_seed,
                before=lambda turn: watcher.starting(turn.number, turn.total, turn.condition.name),
                note=watcher.note,
                wait=not no_wait,
            )
        with kept_series(done, keeping):
            if asm is not None:
                _list(built, asm, out, render(done.answer, shown_as, file=output))
            else:
                out.write(render(done.answer, shown_as, file=output))
    return done.exit_status


def _list(built: list[study.Built], kernel: str, out: Output, table: str) -> None:
    """The table, then the listings."""
    parts = [table]
    for each in built:
        if kernel in each.listings:
            listing = each.listings[kernel]
            head = f" {kernel} by {each.row.name}: {listing.words()}"
            parts.append("\n".join([head, *listing.lines]) + "\n")
    if len(parts) == 1:
        print(
            "streamgage: There is no listing: objdump, which reads object code, is not here, or"
            " nothing was compiled; install Debian's binutils.",
            file=sys.stderr,
        )
    out.write("\n".join(parts))

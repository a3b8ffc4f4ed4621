"""``streamgage compilers``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from streamgage.api.planned import ElementName
from streamgage.cli.ended import ended, told_at_the_end
from streamgage.cli.kept import place_of
from streamgage.cli.kernel_options import KernelTimeoutOption
from streamgage.cli.options import (
    NoWaitOption,
    OutputOption,
    SeedOption,
    SeriesFormatOption,
    choose,
)
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.commands import compilers as api
from streamgage.errors import UsageError
from streamgage.results.render import render_result
from streamgage.show.formats import SeriesFormat
from streamgage.show.output import open_output

if TYPE_CHECKING:
    from streamgage.kernels import Listing

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
    kept_in = place_of(store, no_store)
    shown_as = choose(SeriesFormat, "--format", form)
    if asm is not None and shown_as is not SeriesFormat.TABLE:
        raise UsageError("--asm prints text after the table: leave --format out.")
    with open_output(output) as out:
        run, ending = ended(
            lambda: api.compilers(
                cc=cc,
                flags=flags,
                openmp=openmp,
                kernel_file=kernel_file,
                kernel_timeout=kernel_timeout,
                kernels=kernels,
                type=type_,
                asm=asm,
                threads=threads,
                cpus=cpus,
                size=size,
                quick=quick,
                rounds=rounds,
                seed=seed,
                no_wait=no_wait,
                store=kept_in,
            )
        )
        with told_at_the_end(ending):
            if run is not None:
                table = render_result(run.document, None, shown_as, file=output)
                out.write(table if asm is None else _with_listings(table, asm, run.listings))
    return ending.exit_status


def _with_listings(table: str, kernel: str, listings: Mapping[str, Listing]) -> str:
    """The table, then the listings."""
    if not listings:
        print(
            "streamgage: There is no listing: objdump, which reads object code, is not here, or"
            " nothing was compiled; install Debian's binutils.",
            file=sys.stderr,
        )
    heads = {name: f" {kernel} by {name}: {each.words()}" for name, each in listings.items()}
    parts = ["\n".join([heads[name], *each.lines]) + "\n" for name, each in listings.items()]
    return "\n".join([table, *parts])

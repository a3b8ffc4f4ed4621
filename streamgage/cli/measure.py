"""``streamgage measure``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from streamgage.api.endings import Interrupted
from streamgage.api.notes import Notes
from streamgage.api.planned import ElementName, planned
from streamgage.cli.ended import ended, told_at_the_end
from streamgage.cli.kept import place_of
from streamgage.cli.kernel_options import (
    CcOption,
    KernelFileOption,
    KernelTimeoutOption,
    show_checks,
)
from streamgage.cli.options import (
    AllowOversubscribeOption,
    ExplainOption,
    FormatOption,
    NoWaitOption,
    OutputOption,
    PeakOption,
    SeedOption,
    SizeOption,
    VerboseOption,
    choose,
)
from streamgage.cli.rank_options import HostsOption, LauncherOption, MpiOption, TimeoutOption
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.commands import measure as api
from streamgage.commands.check_kernels import checks_of
from streamgage.errors import UsageError
from streamgage.results.measure.formats import Format, render
from streamgage.show.detail import Detail
from streamgage.show.output import open_output

EXAMPLES = (
    ("streamgage measure", "This machine's memory, in about half a minute."),
    ("streamgage measure --quick --threads 1", "One thread alone, six kernels, about 10 s."),
    (
        "streamgage measure --kernels copy,triad --stores plain,streaming",
        "Two kernels with ordinary and with streaming stores.",
    ),
    (
        "streamgage measure --cpus S0:0-1 --format json -o result.json",
        "Threads on two cores of the first socket; the result as JSON.",
    ),
    ("streamgage measure --mpi 2 --timeout 120", "Two MPI ranks, each with a part of the arrays."),
    (
        "streamgage measure --kernel-file examples/kernels/stencil.c",
        "A kernel of one's own, beside some of the catalogue.",
    ),
)


def measure(
    *,
    kernels: Annotated[
        str | None, typer.Option(metavar="A,B", help="Kernels, e.g. copy,triad.")
    ] = None,
    stores: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Store modes: plain, regular, streaming, claim, libc."),
    ] = None,
    isa: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="Instruction sets to compare, e.g. SSE2,AVX2; default: the best."
        ),
    ] = None,
    shape: Annotated[
        str | None,
        typer.Option(metavar="KEY=N,..", help="Access shape to try, e.g. streams=4,block=4KiB."),
    ] = None,
    retune: Annotated[
        bool, typer.Option("--retune", help="Seek the quickest shapes anew (about 20 s).")
    ] = False,
    no_tune: Annotated[
        bool, typer.Option("--no-tune", help="Measure standard shapes only.")
    ] = False,
    type_: Annotated[
        str, typer.Option("--type", metavar="|".join(ElementName), help="Type of the elements.")
    ] = "double",
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="Number of threads; default: one a core.")
    ] = None,
    cpus: Annotated[
        str | None,
        typer.Option(
            metavar="EXPR",
            help="CPUs to bind threads to, e.g. 0-3,8 or S0:0-3; none: do not bind.",
        ),
    ] = None,
    allow_oversubscribe: AllowOversubscribeOption = False,
    size: SizeOption = None,
    memory_nodes: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="NUMA nodes to take memory from, e.g. 1 or 0-1; default: each thread's own.",
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="About 10 s: six kernels.")] = False,
    thorough: Annotated[bool, typer.Option("--thorough", help="About 4 min: all kernels.")] = False,
    seed: SeedOption = None,
    kernel_file: KernelFileOption = None,
    cc: CcOption = None,
    kernel_timeout: KernelTimeoutOption = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Check the kernel files with guard pages; measure nothing."),
    ] = False,
    mpi: MpiOption = None,
    launcher: LauncherOption = None,
    hosts: HostsOption = None,
    timeout: TimeoutOption = None,
    peak: PeakOption = None,
    form: FormatOption = "table",
    output: OutputOption = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the records in FILE.")
    ] = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
    verbose: VerboseOption = False,
    explain: ExplainOption = False,
) -> int:
    """Measure this machine's memory and print the answer."""
    kept_in = place_of(store, no_store)
    shown_as = choose(Format, "--format", form)
    _refuse_one_file_for_both(output, records)
    options: dict[str, Any] = {
        "kernels": kernels,
        "stores": stores,
        "isa": isa,
        "shape": shape,
        "retune": retune,
        "no_tune": no_tune,
        "type": type_,
        "threads": threads,
        "cpus": cpus,
        "allow_oversubscribe": allow_oversubscribe,
        "size": size,
        "memory_nodes": memory_nodes,
        "quick": quick,
        "thorough": thorough,
        "seed": seed,
        "kernel_file": kernel_file,
        "cc": cc,
        "kernel_timeout": kernel_timeout,
        "mpi": mpi,
        "launcher": launcher,
        "hosts": hosts,
        "timeout": timeout,
        "peak": peak,
    }
    with open_output(output) as out:
        if check:
            if not kernel_file:
                raise UsageError("--check goes with --kernel-file: name a kernel of your own.")
            asked = planned(**options)
            try:
                found = checks_of(asked, Notes(progress=True), wait=not no_wait)
            except Interrupted as stopped:
                with told_at_the_end(stopped.ending):
                    return stopped.ending.exit_status
            return show_checks(found, shown_as, out)
        run, ending = ended(
            lambda: api.measure(
                **options, records=records, no_wait=no_wait, store=kept_in, give_way=True
            )
        )
        with told_at_the_end(ending):
            if run is not None:
                detail = Detail(verbose=verbose, explain=explain)
                out.write(render(run.answer, shown_as, file=output, detail=detail))
    return ending.exit_status


def _refuse_one_file_for_both(output: Path | None, records: Path | None) -> None:
    if output is None or records is None:
        return
    one, other = (Path(os.path.realpath(path)) for path in (output, records))
    if one == other and (one.is_file() or not one.exists()):
        raise UsageError(
            f"-o and --records both name {records}, and one would overwrite the other: name two"
            " files."
        )

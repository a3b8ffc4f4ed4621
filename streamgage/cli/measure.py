"""``streamgage measure``."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from streamgage.analysis.given import Given
from streamgage.cli.kept import keeping_of, say
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
    given_peak,
    whole_number,
)
from streamgage.cli.rank_options import (
    HostsOption,
    LauncherOption,
    MpiOption,
    TimeoutOption,
    given_ranks,
)
from streamgage.cli.store_options import NoStoreOption, StoreOption, note
from streamgage.errors import UsageError
from streamgage.present.detail import Detail
from streamgage.present.formats import Format, render
from streamgage.present.output import open_output
from streamgage.present.progress import watching
from streamgage.studies import measure as study
from streamgage.studies.keeping import Keeping
from streamgage.studies.ranks import find_ranks, plan_of_ranks

MOST_THREADS = 1 << 20
"""As many as the engine takes."""
LARGEST_SEED = (1 << 53) - 1
"""Every reader of JSON keeps such a number whole."""


class ElementName(StrEnum):
    """Element types of ``--type``."""

    DOUBLE = "double"
    FLOAT = "float"


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
    if quick and thorough:
        raise UsageError("--quick and --thorough exclude each other: leave one out.")
    keeping = keeping_of(store, no_store)
    if retune and no_tune:
        raise UsageError("--retune and --no-tune exclude each other: leave one out.")
    asked = given_ranks(mpi, launcher, hosts, timeout, oversubscribe=allow_oversubscribe)
    number = whole_number("--threads", threads, 1, MOST_THREADS)
    request = study.Request(
        kernels=kernels,
        stores=stores,
        element_type=choose(ElementName, "--type", type_).value,
        threads=number if asked is None else None,
        cpus=cpus,
        oversubscribe=allow_oversubscribe,
        by_ranks=asked is not None,
        size=size,
        memory_nodes=memory_nodes,
        isa=isa,
        shape=shape,
        tune="again" if retune else "never" if no_tune else "once",
        preset=study.QUICK if quick else study.THOROUGH if thorough else study.STANDARD,
        seed=whole_number("--seed", seed, 0, LARGEST_SEED),
        peak_gbps=given_peak(peak),
    )
    given = Given(peak_gbps=request.peak_gbps)
    plan = study.make_plan(request)
    ranks = None
    if asked is not None:
        if retune:
            raise UsageError("--retune does not go with --mpi: ranks seek no shapes.")
        ranks = find_ranks(asked, number)
        plan = plan_of_ranks(plan, ranks)
    shown_as = choose(Format, "--format", form)
    _refuse_one_file_for_both(output, records)
    with open_output(output) as out:
        with watching() as watcher:
            plan, shapes = study.recall_shapes(plan, again=retune, note=watcher.note)
            outcome = study.measure(
                plan,
                records_file=records,
                watch=watcher,
                note=watcher.note,
                shapes=shapes,
                given=given,
                wait=not no_wait,
                ranks=ranks,
                keeping=keeping,
            )
        try:
            if outcome.answer is not None:
                detail = Detail(verbose=verbose, explain=explain)
                out.write(render(outcome.answer, shown_as, file=output, detail=detail))
        finally:
            _report(
                outcome, keeping
            )  # where the records are counts most when the result cannot be written
    return outcome.exit_status


def _refuse_one_file_for_both(output: Path | None, records: Path | None) -> None:
    if output is None or records is None:
        return
    one, other = (Path(os.path.realpath(path)) for path in (output, records))
    if one == other and (one.is_file() or not one.exists()):
        raise UsageError(
            f"-o and --records both name {records}, and one would overwrite the other: name two"
            " files."
        )


def _report(outcome: study.Outcome, keeping: Keeping) -> None:
    """What belongs on stderr: the failure, and where the result is."""
    failure = outcome.failure
    if failure is not None:
        note(str(failure))
        for line in getattr(failure, "last_lines", ()):
            print(f"  {line}", file=sys.stderr)
    say(outcome.kept, keeping)

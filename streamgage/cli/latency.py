"""``streamgage latency``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.kept import keeping_of, say
from streamgage.cli.measure import LARGEST_SEED, MOST_THREADS
from streamgage.cli.options import (
    CurveFormatOption,
    CurvesOption,
    NoWaitOption,
    choose,
    whole_number,
)
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.store_options import NoStoreOption, StoreOption, note
from streamgage.errors import UsageError
from streamgage.latencies import Latencies
from streamgage.plan import Mix
from streamgage.present.latency.formats import render
from streamgage.present.output import open_output
from streamgage.present.progress import watching_steps
from streamgage.present.series_formats import CurveFormat
from streamgage.studies import latency as study
from streamgage.units import parse_size

MOST_ROUNDS = 1_000
MOST_STEPS = 32


EXAMPLES = (
    ("streamgage latency", "Idle, and while other threads load the memory."),
    ("streamgage latency --mixes none --to 64MiB", "Idle alone, up to 64 MiB."),
)


def latency(
    *,
    low: Annotated[
        str | None,
        typer.Option("--from", metavar="SIZE", help="Smallest working set; default: 8KiB."),
    ] = None,
    high: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="SIZE", help="Largest; default: 4x the last-level cache, at most 1GiB."
        ),
    ] = None,
    steps: Annotated[
        str, typer.Option(metavar="N", help="Working sets for each doubling of the size.")
    ] = "2",
    mixes: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="Reads and writes of the load: reads, 2:1 (reads to writes), 1:1; none: no load.",
        ),
    ] = ",".join(study.MIXES),
    threads: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Threads, one of which walks while the others load; default: one a core.",
        ),
    ] = None,
    cpus: Annotated[
        str | None,
        typer.Option(metavar="EXPR", help="CPUs to bind threads to; the first one's walks."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer paces of the load.")] = False,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Measure everything so many times.")
    ] = "5",
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="Seed of the order of the measurements.")
    ] = None,
    form: CurveFormatOption = "table",
    output: CurvesOption = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the records in FILE.")
    ] = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Measure the latency of each cache and of memory, idle and while other threads load it."""
    keeping = keeping_of(store, no_store)
    shown_as = choose(CurveFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    asked = study.LatencyRequest(
        low=None if low is None else parse_size(low, "--from"),
        high=None if high is None else parse_size(high, "--to"),
        steps_an_octave=whole_number("--steps", steps, 1, MOST_STEPS) or 1,
        mixes=_mixes(mixes),
        shares=study.FEW_SHARES if quick else study.SHARES,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        cpus=cpus,
        rounds=whole_number("--rounds", rounds, 1, MOST_ROUNDS) or 1,
        seed=whole_number("--seed", seed, 0, LARGEST_SEED),
    )
    with (
        open_drawing(drawn, ".dat") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        planned = study.plan_of_this_machine(asked)
        with watching_steps() as watcher:
            done = study.measure_latencies(
                planned,
                records_file=records,
                watch=watcher,
                note=watcher.note,
                wait=not no_wait,
                keeping=keeping,
            )
        try:
            if done.answer is not None:
                text_out.write(render(done.answer, shown_as, file=None if drawn else output))
                if drawing is not None:
                    _draw(done.answer, drawing)
        finally:
            if done.failure is not None:
                note(str(done.failure))
            say(done.kept, keeping)
    return done.exit_status


def _mixes(text: str) -> tuple[Mix, ...]:
    if text.strip() == "none":
        return ()
    names = [name.strip() for name in text.split(",")]
    wrong = [name for name in names if name not in study.MIXES]
    if wrong:
        raise UsageError(
            f"--mixes {text!r} has {wrong[0]!r}: write some of {', '.join(study.MIXES)}, with"
            " commas between, or none."
        )
    return tuple(mix for mix in study.MIXES if mix in names)


def _draw(answer: Latencies, drawing: Drawing) -> None:
    from streamgage.present.latency.picture import draw

    drawing.write(draw(answer, drawing.path), render(answer, CurveFormat.DAT))

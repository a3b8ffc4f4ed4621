"""``streamgage ladder``."""

from __future__ import annotations

import sys
from typing import Annotated, get_args

import typer

from streamgage.cli.kept import keeping_of, kept_series
from streamgage.cli.measure import LARGEST_SEED, MOST_THREADS
from streamgage.cli.options import (
    CurveFormatOption,
    CurvesOption,
    NoWaitOption,
    SeedOption,
    choose,
    whole_number,
)
from streamgage.cli.pictures import Drawing, open_drawing, picture_beside_text
from streamgage.cli.store_options import NoStoreOption, StoreOption
from streamgage.errors import UsageError
from streamgage.ladder import Ladder, Mode
from streamgage.present.ladder.formats import render
from streamgage.present.output import open_output
from streamgage.present.runs_progress import watching_runs
from streamgage.present.series_formats import CurveFormat
from streamgage.studies import ladder as study
from streamgage.studies.measure import Request
from streamgage.units import parse_size

MOST_ROUNDS = 1_000
MOST_STEPS = 32


EXAMPLES = (
    ("streamgage ladder", "From the first cache to memory, by one thread and by all."),
    (
        "streamgage ladder --modes sequential --to 64MiB -o ladder.svg",
        "One thread, up to 64 MiB, with a picture and its data.",
    ),
)


def ladder(
    *,
    kernels: Annotated[
        str | None, typer.Option(metavar="A,B", help="Kernels; default: triad.")
    ] = None,
    stores: Annotated[
        str, typer.Option(metavar="A,B", help="Store modes: regular, streaming, plain, ...")
    ] = study.STORES,
    modes: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="sequential: one thread; worksharing: all threads share the working set;"
            " throughput: each has its own.",
        ),
    ] = ",".join(study.MODES),
    low: Annotated[
        str | None,
        typer.Option("--from", metavar="SIZE", help="Smallest working set; default: 8KiB."),
    ] = None,
    high: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="SIZE", help="Largest; default: 4x the last-level caches in use."
        ),
    ] = None,
    steps: Annotated[
        str, typer.Option(metavar="N", help="Working sets for each doubling of the size.")
    ] = "3",
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="Number of threads; default: one a core.")
    ] = None,
    cpus: Annotated[
        str | None, typer.Option(metavar="EXPR", help="CPUs to bind threads to, e.g. S0:0-3.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer samples a point.")] = False,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Measure every point so many times.")
    ] = "2",
    seed: SeedOption = None,
    form: CurveFormatOption = "table",
    output: CurvesOption = None,
    no_wait: NoWaitOption = False,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
) -> int:
    """Measure bandwidth over the size of the working set, from the first cache to memory."""
    keeping = keeping_of(store, no_store)
    number = whole_number("--rounds", rounds, 1, MOST_ROUNDS) or 1
    shown_as = choose(CurveFormat, "--format", form)
    drawn = picture_beside_text(output, shown_as)
    chosen_seed = whole_number("--seed", seed, 0, LARGEST_SEED)
    asked = study.LadderRequest(
        request=Request(
            kernels=kernels,
            stores=stores,
            tune="never",
            preset=study.QUICK if quick else study.STANDARD,
            checks=False,
        ),
        modes=_modes(modes),
        low=None if low is None else parse_size(low, "--from"),
        high=None if high is None else parse_size(high, "--to"),
        steps_an_octave=whole_number("--steps", steps, 1, MOST_STEPS) or 1,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        cpus=cpus,
    )
    with (
        open_drawing(drawn, ".dat") as drawing,
        open_output(None if drawn else output) as text_out,
    ):
        rungs = study.rungs_of_this_machine(asked)
        with watching_runs() as watcher:
            done = study.measure_ladder(
                rungs,
                number,
                seed=chosen_seed,
                before=lambda turn: watcher.starting(turn.number, turn.total, turn.condition.name),
                note=watcher.note,
                wait=not no_wait,
            )
        with kept_series(done, keeping):
            text_out.write(render(done.answer, shown_as, file=None if drawn else output))
            if drawing is not None:
                _draw(done.answer, drawing)
    return done.exit_status


def _modes(text: str) -> tuple[Mode, ...]:
    known: tuple[Mode, ...] = get_args(Mode)
    names = [name.strip() for name in text.split(",")]
    wrong = [name for name in names if name not in known]
    if wrong:
        raise UsageError(
            f"--modes {text!r} has {wrong[0]!r}: write some of {', '.join(known)}, with commas"
            " between."
        )
    return tuple(mode for mode in known if mode in names)


def _draw(answer: Ladder, drawing: Drawing) -> None:
    if not answer.curves:
        print("streamgage: No point was measured, so there is nothing to draw.", file=sys.stderr)
        return
    from streamgage.present.ladder.picture import draw

    drawing.write(draw(answer, drawing.path), render(answer, CurveFormat.DAT))

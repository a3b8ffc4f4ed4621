"""``streamgage predict``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.analysis.scaling.counts import MOST_WORKERS
from streamgage.cli.options import OutputOption, choose, whole_number
from streamgage.cli.store_options import StoreOption, note
from streamgage.errors import UsageError
from streamgage.present.output import open_output
from streamgage.present.prediction.formats import render
from streamgage.present.series_formats import SeriesFormat
from streamgage.studies import predict as study

EXAMPLES = (
    ("streamgage predict --n 16", "From this user's newest scaling."),
    (
        "streamgage predict scale.json --n 4 --binding compact",
        "From a kept one, for one of its placements.",
    ),
)


def predict(
    *,
    scaling: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN|FILE",
            help="A kept result of `streamgage scale`, or what its --format json printed; default:"
            " the newest kept one.",
        ),
    ] = None,
    number: Annotated[
        str | None, typer.Option("--n", metavar="N", help="Threads or ranks to predict for.")
    ] = None,
    binding: Annotated[
        str | None, typer.Option(metavar="NAME", help="By that binding; default: the recommended.")
    ] = None,
    kernel: Annotated[
        str | None, typer.Option(metavar="NAME", help="By that kernel; default: the recommended.")
    ] = None,
    form: Annotated[
        str,
        typer.Option("--format", metavar="|".join(SeriesFormat), help="How to print the result."),
    ] = "table",
    output: OutputOption = None,
    store: StoreOption = None,
) -> int:
    """Say how a program that memory limits will scale, by a measured scaling of bandwidth."""
    n = whole_number("--n", number, 1, MOST_WORKERS)
    if n is None:
        raise UsageError("--n is missing: give the threads or ranks to predict for, such as --n 8.")
    shown_as = choose(SeriesFormat, "--format", form)
    with open_output(output) as out:
        measured = study.stored_scaling(scaling, store, note)
        answer = study.predict(measured, n, binding=binding, kernel=kernel)
        out.write(render(answer, shown_as, file=output))
    return 0

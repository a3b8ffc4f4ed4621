"""``streamgage predict``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.api.storing import OWN
from streamgage.cli.options import OutputOption, choose
from streamgage.cli.store_options import StoreOption
from streamgage.commands import predict as api
from streamgage.show.formats import SeriesFormat
from streamgage.show.output import open_output
from streamgage.tools.predict.formats import render

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
    shown_as = choose(SeriesFormat, "--format", form)
    with open_output(output) as out:
        answer = api.predict(
            scaling,
            n=number,
            binding=binding,
            kernel=kernel,
            store=OWN if store is None else store,
        )
        out.write(render(answer.document, shown_as, file=output))
    return 0

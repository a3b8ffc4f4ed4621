"""``streamgage pin``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.cli.options import AllowOversubscribeOption
from streamgage.errors import UsageError
from streamgage.present.formats import stdout_terminal
from streamgage.present.output import open_output
from streamgage.studies import pin as study


def pin(
    *,
    expression: Annotated[
        str, typer.Argument(metavar="EXPR", help="CPUs, e.g. 0-3,8 or S0:0-3 or E:N:8:1:2.")
    ],
    show: Annotated[
        bool, typer.Option("--show", help="Draw the machine with these CPUs marked.")
    ] = False,
    allow_oversubscribe: AllowOversubscribeOption = False,
) -> int:
    """Show which CPUs a placement expression stands for."""
    from streamgage.present.placement_map import render

    if not show:
        raise UsageError("pin was not told what to do: add --show to see the CPUs drawn.")
    with open_output(None) as out:
        expansion = study.expand(expression, oversubscribe=allow_oversubscribe)
        out.write(render(expansion, stdout_terminal()))
    return 0

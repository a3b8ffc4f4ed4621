"""Options by which kept results are chosen."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.results.kinds import NAMES

ResultsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RUN|FILE]...",
        help="Numbers of kept results, last, last-1, or files; default: all that are kept.",
    ),
]
MachineOption = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Only where the host or processor has TEXT.")
]
OfKernelOption = Annotated[
    str | None, typer.Option("--kernel", metavar="NAME", help="Only those of this kernel.")
]
KindOption = Annotated[
    str | None,
    typer.Option("--kind", metavar="COMMAND", help=f"Only those of {', '.join(NAMES)}."),
]
SinceOption = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Started then or later: 2026-11-22, 7d (ago), 12h, 2w."),
]
UntilOption = Annotated[str | None, typer.Option(metavar="TIME", help="Started before then.")]

"""Options of every command that can measure with MPI ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.api.ranks import given_ranks
from streamgage.process.launch import LauncherName

__all__ = ["given_ranks"]

MpiOption = Annotated[
    str | None,
    typer.Option("--mpi", metavar="N", help="Measure with N MPI ranks; --threads: of each (1)."),
]
LauncherOption = Annotated[
    str | None,
    typer.Option(metavar="|".join(LauncherName), help="With --mpi: what starts the ranks."),
]
HostsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="With --mpi: a file that names a host a line."),
]
TimeoutOption = Annotated[
    str | None,
    typer.Option(metavar="S", help="With --mpi: seconds to wait for a rank (60)."),
]

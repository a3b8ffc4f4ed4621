"""Options of every command that can measure with MPI ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.options import choose, whole_number
from streamgage.errors import UsageError
from streamgage.launch import MOST_RANKS, LauncherName
from streamgage.studies.ranks import RanksAsked

LONGEST_TIMEOUT = 86400

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


def given_ranks(
    mpi: str | None,
    launcher: str | None,
    hosts: Path | None,
    timeout: str | None,
    *,
    oversubscribe: bool,
) -> RanksAsked | None:
    """What was asked of ranks; null without ``--mpi``.

    Raises ``UsageError`` for a value that cannot be read, and for options that want ``--mpi``.
    """
    ranks = whole_number("--mpi", mpi, 1, MOST_RANKS)
    if ranks is None:
        given = {"--launcher": launcher, "--hosts": hosts, "--timeout": timeout}
        alone = [name for name, value in given.items() if value is not None]
        if alone:
            raise UsageError(f"{alone[0]} is for MPI ranks: add --mpi N, or leave it out.")
        return None
    name = LauncherName.AUTO if launcher is None else choose(LauncherName, "--launcher", launcher)
    seconds = whole_number("--timeout", timeout, 1, LONGEST_TIMEOUT)
    return RanksAsked(ranks, name, hosts, seconds, oversubscribe)

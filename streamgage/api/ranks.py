"""MPI ranks as they are asked for."""

from __future__ import annotations

from pathlib import Path

from streamgage.api.values import Number, PathLike, as_path, choose, whole_number
from streamgage.errors import UsageError
from streamgage.process.launch import MOST_RANKS, LauncherName
from streamgage.results.ranks import RanksAsked

LONGEST_TIMEOUT = 86400


def given_ranks(
    mpi: Number | None,
    launcher: str | None,
    hosts: PathLike | None,
    timeout: Number | None,
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
    file: Path | None = as_path("--hosts", hosts)
    return RanksAsked(ranks, name, file, seconds, oversubscribe)

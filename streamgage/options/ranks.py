"""Options for MPI ranks."""

from __future__ import annotations

from typing import Annotated, TypedDict

from streamgage.errors import UsageError
from streamgage.options.declaration import Form
from streamgage.options.values import Number, PathLike, as_path, choose, whole_number
from streamgage.process.launch import MOST_RANKS, LauncherName
from streamgage.results.ranks import RankRequest

LONGEST_TIMEOUT = 86400


class RankOptions(TypedDict, total=False):
    """Options for starting MPI ranks.

    Args:
        launcher: With --mpi: the launcher that starts the ranks.
        hosts: With --mpi: a file with one host per line.
        timeout: With --mpi: seconds to wait for a rank (60).
    """

    launcher: LauncherName | str | None
    hosts: PathLike | None
    timeout: Annotated[Number | None, Form("S")]


def given_ranks(
    mpi: Number | None, options: RankOptions, *, oversubscribe: bool = False
) -> RankRequest | None:
    """Return the ranks; ``None`` without ``--mpi``.

    Raises ``UsageError`` for a value that cannot be read, and for options that need ``--mpi``.
    """
    ranks = whole_number("--mpi", mpi, 1, MOST_RANKS)
    if ranks is None:
        values = {
            "--launcher": options["launcher"],
            "--hosts": options["hosts"],
            "--timeout": options["timeout"],
        }
        alone = [name for name, value in values.items() if value is not None]
        if alone:
            raise UsageError(f"{alone[0]} is for MPI ranks: add --mpi N, or leave it out.")
        return None
    return ranks_of(ranks, options, oversubscribe=oversubscribe)


def ranks_of(number: int, options: RankOptions, *, oversubscribe: bool = False) -> RankRequest:
    """Return the request of these options. Raises ``UsageError`` for an unreadable value."""
    launcher = options["launcher"]
    name = LauncherName.AUTO if launcher is None else choose(LauncherName, "--launcher", launcher)
    seconds = whole_number("--timeout", options["timeout"], 1, LONGEST_TIMEOUT)
    return RankRequest(number, name, as_path("--hosts", options["hosts"]), seconds, oversubscribe)

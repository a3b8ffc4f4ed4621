"""PETSc's MPI linear solver server: one process has the system, and all ranks solve it.

Its options differ by version. With the options of another version it solves on rank 0 alone without
a message, so its table of statistics must show a solve by all ranks.

- up to 3.19 the options of the ranks' solver have the prefix ``mpi_``, and other options make the
  program's own solver hand the system on;
- from 3.20 on the ranks use the program's options, but not the settings in its code;
- from 3.22 on the ranks can share the memory of the system, unless an option forbids it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from streamgage.results.study.applications.times import TimesError
from streamgage.units import count

DISTRIBUTION = "ServerDist"
"""The event of handing matrix and vectors to the ranks, and the solution back."""
_PLAIN_OPTIONS = (3, 20)
_SHARES = (3, 22)
_TABLE = "MPI linear solver server statistics"
_ROW = re.compile(r"\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$")
_OF_SOLVER = re.compile(r"-(ksp|pc|mg|mat|vec|sub)_")


class Mode(StrEnum):
    """How the system reaches the ranks; the choices of ``--server``."""

    SHARED = "shared"
    SCATTER = "scatter"


def modes_of(version: tuple[int, int, int]) -> list[Mode]:
    """The modes that this PETSc has."""
    return list(Mode) if version[:2] >= _SHARES else [Mode.SCATTER]


def server_options(
    version: tuple[int, int, int], mode: Mode, options: Sequence[str], fewest_rows: int
) -> list[str]:
    """The options of a program that hands its system to the ranks.

    ``options``: those for the ranks' solver. ``fewest_rows``: the least number of rows per rank;
    with fewer rows, fewer ranks solve.
    """
    server = ["-mpi_linear_solver_server", "-mpi_linear_solver_server_view"]
    if version[:2] < _PLAIN_OPTIONS:
        solver = ["-ksp_type", "preonly", "-pc_type", "mpi"]
        rows = ["-pc_mpi_minimum_count_per_rank", str(fewest_rows)]
        ranks = ["-mpi_ksp_type", "gmres", "-mpi_pc_type", "gamg"]
        return [*server, *solver, *rows, *ranks, *map(_of_ranks, options)]
    rows = ["-mpi_linear_solver_server_minimum_count_per_rank", str(fewest_rows)]
    if version[:2] >= _SHARES:
        shared = "true" if mode is Mode.SHARED else "false"
        server += ["-mpi_linear_solver_server_use_shared_memory", shared]
    return [*server, *rows, "-ksp_type", "gmres", "-pc_type", "gamg", *options]


def _of_ranks(option: str) -> str:
    return f"-mpi_{option[1:]}" if _OF_SOLVER.match(option) else option


def read_statistics(printed: str, ranks: int) -> int:
    """The iterations of the one solve by ``ranks`` ranks.

    Raises ``TimesError`` if the table does not show that solve.
    """
    _, found, table = printed.partition(_TABLE)
    if not found:
        raise TimesError(
            "The server printed no table of its solves: it was not started, or this PETSc does not"
            " have it."
        )
    rows = [row.groups() for line in table.splitlines() if (row := _ROW.match(line))]
    by = [int(row[0]) for row in rows]
    if ranks not in by:
        who = (
            f"by {' and '.join(count(each, 'rank') for each in by)}"
            if by
            else "by rank 0 alone, or not at all"
        )
        raise TimesError(
            f"The server's table has no solve by {count(ranks, 'rank')}: the system was solved"
            f" {who}. Its options are of another version of PETSc, or the system is too small."
        )
    return int(rows[by.index(ranks)][5])

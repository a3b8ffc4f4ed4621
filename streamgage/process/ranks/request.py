"""A request for MPI ranks."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.process.launch import Host, LauncherName

TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True)
class Ranks:
    """The number of ranks, their hosts and launcher, and how long to wait for a rank."""

    ranks: int
    launcher: LauncherName = LauncherName.AUTO
    threads: int = 1
    """Threads of each rank."""
    hosts: tuple[Host, ...] = ()
    """The hosts; ``None``: this machine, or the nodes of a Slurm allocation."""
    timeout_seconds: float = TIMEOUT_SECONDS
    oversubscribe: bool = False
    """``True`` if more threads than CPUs are allowed."""
    launcher_binds: bool = False
    """``True`` if the launcher binds the ranks; the plan's placement must then be ``none``."""
    options: tuple[str, ...] = ()
    """More options of the launcher, by which it then binds."""

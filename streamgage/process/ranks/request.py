"""A request for ranks."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.process.launch import Host, LauncherName

TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True)
class Ranks:
    """How many ranks measure, where, and how long one of them is waited for."""

    ranks: int
    launcher: LauncherName = LauncherName.AUTO
    threads: int = 1
    """Threads of each rank."""
    hosts: tuple[Host, ...] = ()
    """The hosts; ``None``: this machine, or the nodes of a Slurm allocation."""
    timeout_seconds: float = TIMEOUT_SECONDS
    oversubscribe: bool = False
    """More threads than CPUs are wanted."""
    launcher_binds: bool = False
    """The launcher binds as it does by default; the plan's placement must be of kind ``none``."""
    options: tuple[str, ...] = ()
    """More options of the launcher, by which it then binds."""

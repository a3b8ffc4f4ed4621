"""MPI ranks: from the user's request to the programs to start and their plan."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from streamgage.errors import UsageError
from streamgage.plan import Plan
from streamgage.process.launch import LauncherName, read_hosts, refuse_unknown_hosts
from streamgage.process.ranks import Ranks
from streamgage.process.ranks.request import TIMEOUT_SECONDS


@dataclass(frozen=True)
class RankRequest:
    """The options for ranks; ``None`` stands for options that were not given."""

    ranks: int
    launcher: LauncherName = LauncherName.AUTO
    hosts: Path | None = None
    timeout_seconds: float | None = None
    oversubscribe: bool = False


def find_ranks(options: RankRequest, threads: int | None) -> Ranks:
    """The requested ranks, each with ``threads`` (one if ``None``).

    Raises ``UsageError`` for a host file that cannot be read, or that names something other than
    hosts.
    """
    hosts = () if options.hosts is None else read_hosts(options.hosts)
    if hosts:
        refuse_unknown_hosts(hosts, str(options.hosts))
    return Ranks(
        ranks=options.ranks,
        launcher=options.launcher,
        threads=threads or 1,
        hosts=hosts,
        timeout_seconds=options.timeout_seconds or TIMEOUT_SECONDS,
        oversubscribe=options.oversubscribe,
    )


def plan_of_ranks(plan: Plan, ranks: Ranks) -> Plan:
    """Change ``plan`` for ranks: its threads are those of each rank, and no shapes are searched.

    Each host must read the named CPUs itself, because it may have others. Raises ``UsageError`` for
    NUMA nodes.
    """
    if plan.memory_nodes is not None:
        raise UsageError(
            "--memory-nodes does not go with --mpi: the hosts of ranks have nodes of their own;"
            " leave one of them out."
        )
    placement = msgspec.structs.replace(plan.placement, threads=ranks.threads)
    return msgspec.structs.replace(
        plan, placement=placement, tuning=None, checks=False, evidence=[], counters=False
    )

"""MPI ranks: from the user's request to the program to start and its plan."""

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
class RanksAsked:
    """Options of ranks as they were given; ``None``: not given."""

    ranks: int
    launcher: LauncherName = LauncherName.AUTO
    hosts: Path | None = None
    timeout_seconds: float | None = None
    oversubscribe: bool = False


def find_ranks(asked: RanksAsked, threads: int | None) -> Ranks:
    """The ranks that were asked for, each with ``threads`` (one, where nothing was said).

    Raises ``UsageError`` for a host file that cannot be read or names what is no host.
    """
    hosts = () if asked.hosts is None else read_hosts(asked.hosts)
    if hosts:
        refuse_unknown_hosts(hosts, str(asked.hosts))
    return Ranks(
        ranks=asked.ranks,
        launcher=asked.launcher,
        threads=threads or 1,
        hosts=hosts,
        timeout_seconds=asked.timeout_seconds or TIMEOUT_SECONDS,
        oversubscribe=asked.oversubscribe,
    )


def plan_of_ranks(plan: Plan, ranks: Ranks) -> Plan:
    """``plan`` as ranks follow it: threads are those of each, and shapes are not searched for.

    What CPUs it names is for each host to find out: they may have others. Raises ``UsageError`` for
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

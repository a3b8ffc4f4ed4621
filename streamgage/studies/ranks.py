"""Ranks: from what the user asked of them to what is started, and the plan that they can follow."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from streamgage.errors import UsageError
from streamgage.launch import LauncherName, read_hosts, refuse_unknown_hosts
from streamgage.plan import Plan
from streamgage.ranks import Ranks
from streamgage.ranks.request import TIMEOUT_SECONDS


@dataclass(frozen=True)
class RanksAsked:
    """Options of ranks as they were given; null: not said."""

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

    Raises ``UsageError`` where it lists fewer CPUs than the ranks of a host might need, and for an
    expression, which would stand for other CPUs on every host, and for NUMA nodes.
    """
    if plan.memory_nodes is not None:
        raise UsageError(
            "--memory-nodes does not go with --mpi: the hosts of ranks have nodes of their own;"
            " leave one of them out."
        )
    if plan.placement.expression is not None:
        raise UsageError(
            f"--cpus {plan.placement.expression} is an expression, and ranks take a list of CPUs"
            " such as 0-3: streamgage pin --show tells which CPUs an expression stands for."
        )
    cpus = plan.placement.cpus
    if cpus is not None and len(cpus) < ranks.threads and not ranks.oversubscribe:
        raise UsageError(
            f"--cpus names {len(cpus)} CPUs, fewer than the {ranks.threads} threads of a rank: name"
            " the CPUs of all ranks of a host."
        )
    placement = msgspec.structs.replace(plan.placement, threads=ranks.threads)
    return msgspec.structs.replace(
        plan, placement=placement, tuning=None, checks=False, counters=False
    )

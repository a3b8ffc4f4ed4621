"""Divides a list of CPUs among the ranks on a host: each gets a block.

The launcher numbers the ranks of a host, and lets all of them use the same CPUs. So each rank finds
its own block from its number, without talking to the others.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from streamgage.cpu_list import format_cpu_list
from streamgage.errors import UsageError
from streamgage.process.launch.bound import (
    is_bound_by_its_launcher,
    obtainable_cpus,
    slurm_gave_each_task_its_own,
)
from streamgage.process.launch.started_by import Rank, rank_of
from streamgage.process.this_machine import expand
from streamgage.records import Expansion
from streamgage.units import count

_MOST_SHOWN = 8
"""The most ranks in a sentence; of more, it names the first few and the last."""
_FIRST_SHOWN = 3
_MOST_THREADS = 65_536
"""The most CPUs that an expression may name."""
_WITHOUT_NUMBER = ("PMIX_RANK", "PMI_RANK", "ALPS_APP_PE")
"""Variables of launchers that do not number the ranks of each host."""


_THREADS = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


@dataclass(frozen=True)
class Share:
    """The CPUs of one program, in thread order."""

    expansion: Expansion
    """All CPUs of the expression."""
    cpus: list[int]
    rank: Rank | None = None
    """This process's rank; ``None`` if no launcher started it."""
    sentence: str | None = None
    """A sentence about the CPUs of all ranks; only one of the ranks has it."""


def share_of(expression: str, threads: int | None = None, *, oversubscribe: bool) -> Share:
    """The CPUs of ``expression``, or the block of ``threads`` of them for this rank.

    Raises ``UsageError`` if the CPUs of the expression are not available, or too few for the ranks.
    """
    rank = rank_of(os.environ)
    if rank is None or rank.here == 1:
        return _alone(expression, threads, rank, oversubscribe=oversubscribe)
    if slurm_gave_each_task_its_own(os.environ, rank.here):
        alone = _alone(expression, threads, rank, oversubscribe=oversubscribe)
        return replace(alone, sentence=_own_sentence(rank, alone.cpus))
    _refuse_if_bound(rank)
    expansion = expand(expression, oversubscribe=oversubscribe)
    each = threads or _threads_of_each(expansion, rank, oversubscribe)
    cpus = _block(expansion, rank.local, each, rank.here or rank.local + 1, oversubscribe)
    if rank.here is None:
        return Share(expansion, cpus, rank, _own_sentence(rank, cpus))
    first = rank.local == 0
    sentence = _sentence_for_all(expansion, rank.here, each) if first else None
    return Share(expansion, cpus, rank, sentence)


def _alone(
    expression: str, threads: int | None, rank: Rank | None, *, oversubscribe: bool
) -> Share:
    bound = None if rank is None else _binding_of(rank)
    try:
        expansion = expand(expression, oversubscribe=oversubscribe)
        cpus = expansion.cpus
        if threads is not None:
            cpus = _block(expansion, 0, threads, 1, oversubscribe)
    except UsageError as error:
        raise (error if bound is None else UsageError(f"{error} {bound}")) from None
    return Share(expansion, cpus, rank, bound if rank else _without_number())


def _block(
    expansion: Expansion, block: int, threads: int, ranks: int, oversubscribe: bool
) -> list[int]:
    """Return block number ``block`` of ``threads`` CPUs, if there are enough for all ranks."""
    listed = expansion.cpus
    if ranks * threads > len(listed) and not oversubscribe:
        raise UsageError(_too_few(expansion, threads, ranks))
    if threads > _MOST_THREADS:
        raise UsageError(
            f"{threads} threads are more than a list of CPUs can hold ({_MOST_THREADS}): make"
            " --threads or OMP_NUM_THREADS smaller."
        )
    return _taken(listed, block, threads)


def _taken(listed: Sequence[int], block: int, threads: int) -> list[int]:
    """Return a block of the list; after its end, begin again at its start."""
    return [listed[at % len(listed)] for at in range(block * threads, (block + 1) * threads)]


def _too_few(expansion: Expansion, threads: int, ranks: int) -> str:
    has = f"{expansion.expression} has {len(expansion.cpus)} ({format_cpu_list(expansion.cpus)})"
    if ranks == 1:
        return (
            f"{count(threads, 'thread')} need {count(threads, 'CPU')}, but {has}: name more CPUs,"
            " make --threads smaller, or add --allow-oversubscribe."
        )
    return (
        f"{count(ranks, 'rank')} on this host with {count(threads, 'thread')} each need"
        f" {ranks * threads} CPUs, but {has}: name more CPUs, start fewer ranks on each host, make"
        " --threads or OMP_NUM_THREADS smaller, or add --allow-oversubscribe."
    )


def _threads_of_each(expansion: Expansion, rank: Rank, oversubscribe: bool) -> int:
    """The number in OMP_NUM_THREADS, else the number of CPUs divided by that of the ranks."""
    threads = openmp_threads(os.environ)
    if threads is not None:
        return threads
    if rank.here is None:
        raise UsageError(
            f"{rank.launcher.name} gives this rank's number on the host, {rank.local}, but not the"
            " number of ranks there: give the CPUs per rank with --threads."
        )
    divided = len(expansion.cpus) // rank.here
    if divided == 0 and not oversubscribe:
        raise UsageError(_too_few(expansion, 1, rank.here))
    return max(1, divided)


def openmp_threads(variables: Mapping[str, str]) -> int | None:
    """The threads of ``OMP_NUM_THREADS``: 8 for ``4,2``, with which each of four starts two.

    ``None`` if it is not set. Raises ``UsageError`` for anything but numbers.
    """
    text = variables.get("OMP_NUM_THREADS", "").strip()
    if not text:
        return None
    threads = 1
    for level in text.split(","):
        number = _THREADS.fullmatch(level.strip())
        if number is None:
            raise UsageError(
                f"OMP_NUM_THREADS is {text[:40]!r}, which is not a number of threads: correct it,"
                " or give --threads."
            )
        threads *= int(number[0])
    return threads


def _refuse_if_bound(rank: Rank) -> None:
    bound = _binding_of(rank)
    if bound is not None:
        raise UsageError(f"Ranks that the launcher bound cannot share one list of CPUs. {bound}")


def _binding_of(rank: Rank) -> str | None:
    """A sentence about the CPUs that the launcher left to this rank, and how to get more.

    ``None`` if it left all of them.
    """
    ranks = rank.launcher.ranks
    its_own = slurm_gave_each_task_its_own(os.environ, rank.here)
    if ranks is None or its_own or not is_bound_by_its_launcher(ranks.local):
        return None
    mine, obtainable = os.sched_getaffinity(0), obtainable_cpus()
    remedy = rank.launcher.remedies(len(obtainable))[0].removesuffix(" ...")
    return (
        f"{rank.launcher.name} has bound rank {rank.local} of this host to {_cpus(mine)} of"
        f" {format_cpu_list(obtainable)}: start it unbound, with `{remedy}`."
    )


def _without_number() -> str | None:
    """A warning if there may be several ranks here, and nothing gives this one's number."""
    name = next((each for each in _WITHOUT_NUMBER if each in os.environ), None)
    if name is None:
        return None
    return (
        f"{name} shows that this is a rank of a parallel program, but no variable gives its number"
        " on this host: all ranks here get the same CPUs."
    )


def _own_sentence(rank: Rank, cpus: Sequence[int]) -> str:
    return f"rank {rank.local} of {_host()} is on {_cpus(cpus)}."


def _sentence_for_all(expansion: Expansion, ranks: int, threads: int) -> str:
    shown = ", ".join(_places(expansion, ranks, threads))
    return f"the {ranks} ranks of {_host()} share {expansion.expression}: {shown}."


def _places(expansion: Expansion, ranks: int, threads: int) -> Iterator[str]:
    shown = range(ranks) if ranks <= _MOST_SHOWN else (*range(_FIRST_SHOWN), ranks - 1)
    for at, rank in enumerate(shown):
        if rank != at:
            yield "..."
        yield f"rank {rank} is on {_cpus(_taken(expansion.cpus, rank, threads))}"


def _cpus(cpus: Sequence[int] | set[int]) -> str:
    return f"{'CPU' if len(set(cpus)) == 1 else 'CPUs'} {format_cpu_list(cpus)}"


def _host() -> str:
    return socket.gethostname().partition(".")[0] or "this host"

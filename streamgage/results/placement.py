"""Reads the placements that a user names with ``--cpus``, and finds their CPUs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from streamgage.analysis.cores import (
    COMPACT,
    CORES,
    NONE,
    ORDERED,
    PLACEMENTS,
    SMT,
    order_of,
    usable_cores,
)
from streamgage.cpu_list import cpu_numbers, is_plain_list
from streamgage.errors import UsageError
from streamgage.plan import Placement
from streamgage.process.this_machine import describe_this_machine, expand
from streamgage.records import Machine
from streamgage.units import count, shortened

_WORD = re.compile(r"[a-z][a-z-]+", re.ASCII)
"""A name; domains such as N and S0 are capital letters."""
Cpus = str | Iterable[str] | Iterable[int]
"""What a user may give: placements, CPUs, or the numbers of CPUs."""


def placements_of(cpus: Cpus) -> list[str]:
    """Read placements: ``none,cores,S0:0-3``, where ``0-3,8`` is one, or a list of them.

    A list of numbers is one placement. Raises ``UsageError`` for something else, if there is none,
    if one is empty, or if one is named twice.
    """
    if isinstance(cpus, str):
        names = cpus.split(";") if ";" in cpus else _between_commas(cpus)
        text = cpus
    else:
        listed = list(cpus) if isinstance(cpus, Iterable) else [cpus]
        is_one = not any(isinstance(each, str) for each in listed)
        names = [",".join(map(str, listed))] if is_one else list(map(str, listed))
        text = ";".join(names)
    names = [name.strip() for name in names]
    if not all(names):
        raise UsageError(
            f"--cpus {text!r} has an empty placement: write CPUs such as 0-3,8 or S0:0-3, or names"
            " such as none,cores."
        )
    if len(set(names)) < len(names):
        raise UsageError(f"--cpus {text!r} names a placement twice: name each once.")
    return names


def _between_commas(text: str) -> list[str]:
    """Split at the commas, except those within a list of CPUs: ``none``, ``0-3,8``, ``S0:1,2``."""
    first, *others = text.split(",")
    names = [first.strip()]
    for part in map(str.strip, others):
        if part[:1].isdigit() and not _WORD.fullmatch(names[-1]):
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def one_placement(cpus: Cpus) -> str:
    """Return the only placement. Raises ``UsageError`` for several, too."""
    names = placements_of(cpus)
    if len(names) > 1:
        raise UsageError(
            f"--cpus {';'.join(names)!r} names {len(names)} placements: name one. Several are"
            " compared by scale, and by measure with --runs."
        )
    return names[0]


def placement_of(
    cpus: Cpus | None,
    threads: int | None = None,
    *,
    oversubscribe: bool = False,
    by_ranks: bool = False,
) -> Placement:
    """Make the placement of ``threads`` from ``cpus``: a name, an expression, numbers, or ``None``.

    The engine reads expressions. ``by_ranks``: MPI ranks run there, which may share CPUs that the
    user does not name. Raises ``UsageError``.
    """
    name = CORES if cpus is None else one_placement(cpus)
    if oversubscribe and name in PLACEMENTS and not by_ranks:
        raise UsageError(
            "--allow-oversubscribe needs --cpus: name the CPUs that threads shall share."
        )
    if name == CORES:
        return Placement(kind="cores", threads=threads)
    if name == NONE:
        return Placement(kind="none", threads=threads)
    if name in ORDERED:
        machine = describe_this_machine()
        chosen = list(_first_of(name, None if by_ranks else threads, machine))
        return Placement(kind="cpus", cpus=chosen, threads=len(chosen))
    _refuse_unknown(name)
    if oversubscribe or not is_plain_list(name):
        return Placement(kind="cpus", expression=name, oversubscribe=oversubscribe, threads=threads)
    numbers = cpu_numbers(name)
    if threads not in (None, len(numbers)):
        raise UsageError(
            f"--threads {threads} does not go with --cpus {name}, which names"
            f" {count(len(numbers), 'CPU')}: leave --threads out, or name as many CPUs as threads."
        )
    return Placement(kind="cpus", expression=name, threads=len(numbers))


def cpus_of_threads(threads: int | None, cpus: Cpus | None, machine: Machine) -> tuple[int, ...]:
    """The CPUs of ``threads`` in their order, chosen by the placement ``cpus`` if it is given.

    By default there is a thread per core, or per named CPU. Raises ``UsageError`` for more threads
    than CPUs.
    """
    name = COMPACT if cpus is None else one_placement(cpus)
    if name in ORDERED:
        return _first_of(name, threads, machine)
    if name in (CORES, NONE):
        raise UsageError(
            f"--cpus {name} does not say in which order CPUs are used: name"
            f" {', '.join(ORDERED)}, or CPUs such as 0-3,8."
        )
    named = named_cpus(name)
    _refuse_too_many(threads, len(named), f"--cpus {name} names")
    return named[:threads]


def named_cpus(name: str, known: Iterable[str] = PLACEMENTS) -> tuple[int, ...]:
    """The CPUs that an expression names.

    Raises ``UsageError``, and for a word that is none of the ``known`` names.
    """
    _refuse_unknown(name, known)
    return tuple(expand(name).cpus)


def _first_of(name: str, threads: int | None, machine: Machine) -> tuple[int, ...]:
    """So many CPUs in that order; by default one per core, or with ``smt`` all."""
    order = order_of(name, machine)
    _refuse_too_many(threads, len(order), "this process may use")
    return tuple(islice(order, threads or (None if name == SMT else usable_cores(machine))))


def _refuse_too_many(threads: int | None, cpus: int, limited_by: str) -> None:
    if threads is not None and threads > cpus:
        raise UsageError(
            f"{count(threads, 'thread')} are asked for, but {limited_by}"
            f" {count(cpus, 'CPU')}: ask for at most {cpus}."
        )


def _refuse_unknown(name: str, known: Iterable[str] = PLACEMENTS) -> None:
    if _WORD.fullmatch(name):
        raise UsageError(
            f"--cpus {shortened(name)!r} is no placement here: use {', '.join(known)}, or CPUs such"
            " as 0-3,8 or S0:0-3."
        )

"""Reads the placements that a user names, and finds their CPUs."""

from __future__ import annotations

from collections.abc import Iterable

from streamgage.analysis.cores import COMPACT, order_of, usable_cores
from streamgage.cpu_list import cpu_numbers, is_plain_list
from streamgage.errors import UsageError
from streamgage.plan import Placement
from streamgage.process.this_machine import expand
from streamgage.records import Machine
from streamgage.units import count


def placement_names(placements: str | Iterable[str], option: str) -> list[str]:
    """Read placements: ``none,cores,S0:0-3``, or ``none;0-3,8`` if one contains a comma.

    Raises ``UsageError``, which names ``option``, if there is none, if one is empty, or if one is
    named twice.
    """
    listed = (
        placements.split(";" if ";" in placements else ",")
        if isinstance(placements, str)
        else list(placements)
    )
    names = [str(name).strip() for name in listed]
    text = placements if isinstance(placements, str) else ";".join(names)
    if not names or not all(names):
        raise UsageError(
            f"{option} {text!r} has an empty placement: separate placements by commas, such as"
            " none,cores, or by semicolons if one contains a comma, such as 'none;0,2'."
        )
    if len(set(names)) < len(names):
        raise UsageError(f"{option} {text!r} names a placement twice: name each once.")
    return names


def placement_of(
    cpus: str | Iterable[int] | None,
    threads: int | None = None,
    *,
    oversubscribe: bool = False,
    by_ranks: bool = False,
    option: str = "--cpus",
) -> Placement:
    """Make the placement of ``threads`` from ``cpus``: an expression, numbers, or ``None``.

    The engine reads expressions. ``by_ranks``: MPI ranks run there, which may share CPUs that the
    user does not name. Raises ``UsageError``, which names ``option``.
    """
    named = cpus is not None and not (isinstance(cpus, str) and cpus.strip().lower() == "none")
    if oversubscribe and not named and not by_ranks:
        raise UsageError(
            f"--allow-oversubscribe needs {option}: name the CPUs that threads shall share."
        )
    if cpus is None:
        return Placement(kind="cores", threads=threads)
    if not named:
        return Placement(kind="none", threads=threads)
    requested = cpus if isinstance(cpus, str) else list(cpus)
    expression = requested if isinstance(requested, str) else ",".join(map(str, requested))
    if oversubscribe or not (isinstance(requested, list) or is_plain_list(requested)):
        return Placement(
            kind="cpus", expression=expression, oversubscribe=oversubscribe, threads=threads
        )
    numbers = cpu_numbers(requested)
    if threads not in (None, len(numbers)):
        raise UsageError(
            f"--threads {threads} does not go with {option} {expression}, which names"
            f" {count(len(numbers), 'CPU')}: leave --threads out, or name as many CPUs as threads."
        )
    return Placement(kind="cpus", expression=expression, threads=len(numbers))


def cpus_of_threads(threads: int | None, cpus: str | None, machine: Machine) -> tuple[int, ...]:
    """The CPUs of ``threads`` in their order, chosen by the expression ``cpus`` if it is given.

    By default there is a thread per core, or per named CPU. Raises ``UsageError`` for more threads
    than CPUs.
    """
    named = order_of(COMPACT, machine) if cpus is None else tuple(expand(cpus).cpus)
    if threads is None:
        threads = usable_cores(machine) if cpus is None else len(named)
    if threads > len(named):
        limited_by = "this process may use" if cpus is None else f"--cpus {cpus} names"
        raise UsageError(
            f"{count(threads, 'thread')} are asked for, but {limited_by}"
            f" {count(len(named), 'CPU')}: ask for at most {len(named)}."
        )
    return named[:threads]

"""The placements that a user names, and the CPUs that they are."""

from __future__ import annotations

from streamgage.analysis.cores import COMPACT, order_of, usable_cores
from streamgage.errors import UsageError
from streamgage.process.this_machine import expand
from streamgage.records import Machine
from streamgage.units import count


def placement_names(text: str, option: str) -> list[str]:
    """Placements of ``none,cores,S0:0-3``, or of ``none;0-3,8`` where one has commas in it.

    Raises ``UsageError``, naming ``option``, where there is none, an empty one, or one twice.
    """
    names = [name.strip() for name in text.split(";" if ";" in text else ",")]
    if not all(names):
        raise UsageError(
            f"{option} {text!r} has an empty one: write them with commas between, such as"
            " none,cores, or with semicolons where one has commas in it, such as 'none;0,2'."
        )
    if len(set(names)) < len(names):
        raise UsageError(f"{option} {text!r} names one twice: name each once.")
    return names


def cpus_of_threads(threads: int | None, cpus: str | None, machine: Machine) -> tuple[int, ...]:
    """The CPUs of ``threads`` in their order, by the expression ``cpus``; ``None``: not given.

    Default: one per core, or per named CPU. Raises ``UsageError`` for more threads than CPUs.
    """
    named = order_of(COMPACT, machine) if cpus is None else tuple(expand(cpus).cpus)
    if threads is None:
        threads = usable_cores(machine) if cpus is None else len(named)
    if threads > len(named):
        whose = "this process may use" if cpus is None else f"--cpus {cpus} names"
        raise UsageError(
            f"{count(threads, 'thread')} are asked for, but {whose} {count(len(named), 'CPU')}:"
            f" ask for at most {len(named)}."
        )
    return named[:threads]

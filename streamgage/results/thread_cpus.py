"""The CPUs of a study's threads."""

from __future__ import annotations

from streamgage.analysis.cores import COMPACT, order_of, usable_cores
from streamgage.errors import UsageError
from streamgage.process.this_machine import expand
from streamgage.records import Machine
from streamgage.units import count


def cpus_of_threads(threads: int | None, cpus: str | None, machine: Machine) -> tuple[int, ...]:
    """The CPUs of ``threads`` in their order, by the expression ``cpus``; null: not said.

    One a core, or all that are named. Raises ``UsageError`` for more threads than CPUs.
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

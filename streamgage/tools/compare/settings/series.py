"""What ``repeat`` and ``numa`` tell of their threads: one set-up for each placement or node."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgage.cpu_list import format_cpu_list
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.repeat.document import RepeatedRun, Repetition
from streamgage.units import count


def threads_of(document: Repetition | NumaMatrix) -> str | None:
    """``4 threads``, or ``compact 4 threads; scatter 8 threads``."""
    if isinstance(document, NumaMatrix):
        return _by_name(
            [
                (f"node {each.node}", [count(len(each.cpus), "thread")])
                for each in document.cpu_nodes
            ],
            same=" on each node",
        )
    return _by_placement(
        document, lambda run: count(run.threads, "thread") if run.threads is not None else None
    )


def binding_of(document: Repetition) -> str | None:
    """Whether threads were bound."""
    return _by_placement(
        document, lambda run: None if run.bound is None else "bound" if run.bound else "not bound"
    )


def cpus_of(document: Repetition | NumaMatrix) -> str | None:
    """The CPUs to which threads were bound."""
    if isinstance(document, NumaMatrix):
        return _by_name(
            [(f"node {each.node}", [format_cpu_list(each.cpus)]) for each in document.cpu_nodes]
        )
    return _by_placement(document, lambda run: run.cpus if run.bound else None)


def _by_placement(document: Repetition, tell: Callable[[RepeatedRun], str | None]) -> str | None:
    whole = [run for run in document.runs if run.failure is None]
    return _by_name(
        [
            (name, [said for run in whole if run.placement == name and (said := tell(run))])
            for name in document.placements
        ]
    )


def _by_name(said: Sequence[tuple[str, list[str]]], same: str = "") -> str | None:
    """Each name with what is said of it, but once where that is the same for all."""
    texts = {name: " or ".join(sorted(set(each))) for name, each in said if each}
    if len(set(texts.values())) == 1 and len(texts) == len(said):
        return next(iter(texts.values())) + (same if len(texts) > 1 else "")
    return "; ".join(f"{name}: {text}" for name, text in texts.items()) or None

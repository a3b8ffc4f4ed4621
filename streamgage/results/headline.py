"""The one figure by which results of every kind are told apart at a glance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from streamgage.results.compilers.document import Compilations
from streamgage.results.documents import Document
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency.document import Latencies
from streamgage.results.measure.document import Result
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.repeat.document import Repetition
from streamgage.results.scale.document import Scaling
from streamgage.results.study.document import Study

_FIRST = "triad"


@dataclass(frozen=True)
class Headline:
    """Such as: triad plain, 29.7 GB/s."""

    what: str
    value: float
    unit: Literal["GB/s", "s"]


def headline(document: Document) -> Headline | None:
    """The best bandwidth, of triad where it was measured; of a latency that of memory.

    Null where nothing was measured.
    """
    if isinstance(document, Latencies):
        step = document.steps[-1] if document.steps else None
        return None if step is None else Headline(f"{step.level}, idle", step.seconds.value, "s")
    rates = list(_rates(document))
    of_triad = [each for each in rates if each[0].startswith(_FIRST)]
    best = max(of_triad or rates, key=lambda each: each[1], default=None)
    return None if best is None else Headline(best[0], best[1], "GB/s")


def _rates(document: Document) -> Iterable[tuple[str, float]]:  # noqa: PLR0911 - one case a kind
    """What was measured, and GB/s of nominal bytes."""
    match document:
        case Result():
            return [
                (_named(each.kernel, each.store, "tuned" if each.tuned else ""), each.median_gbps)
                for each in document.kernels
                if each.median_gbps is not None
            ]
        case Scaling():
            return [
                (f"{each.kernel} {each.store}, {each.binding}, n = {each.best_n}", each.best_gbps)
                for each in document.curves
            ]
        case Ladder():
            return [
                (f"{each.kernel} {each.store}, {step.level}, {each.mode}", step.gbps.value)
                for each in document.curves
                for step in each.steps[-1:]
            ]
        case Repetition():
            return [
                (f"{each.kernel}, {each.placement}", each.spread.median_gbps)
                for each in document.kernels
                if each.spread is not None
            ]
        case NumaMatrix():
            return [
                (f"{each.kernel}, node {cell.cpu_node} to {cell.memory_node}", cell.median)
                for each in document.kernels
                for cell in each.cells
            ]
        case Compilations():
            return [(f"{each.kernel}, {each.name}", each.gbps.value) for each in document.rates]
        case Study():
            name = f"{document.kernel} {document.store}"
            return [(f"{name}, n = {each.n}", each.gbps.value) for each in document.stream]
        case _:
            return []


def _named(*words: str) -> str:
    return " ".join(word for word in words if word)

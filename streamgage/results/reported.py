"""Words about results that come from the output of another benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from streamgage.analysis.finding import Finding
from streamgage.records import BenchmarkOutput
from streamgage.units import count, listed

_CHECKED = {True: "its check passed", False: "ITS CHECK FAILED", None: "no check is known"}


class BenchmarkDocument(Protocol):
    """A document that may come from the output of another benchmark."""

    @property
    def reported(self) -> BenchmarkOutput | None: ...


def source_words(reported: BenchmarkOutput, tables: int | None = None) -> list[str]:
    """Describe the output: ``Saved output of STREAM 5.10 (C)``, ``2 tables``, ``its check passed``.

    ``tables``: the number of tables, if it is not the number of repetitions.
    """
    name = " ".join(part for part in (reported.tool, reported.version) if part)
    language = f" ({reported.language})" if reported.language else ""
    words = [f"Saved output of {name}{language}"]
    if reported.processor:
        words.append(reported.processor)
    checked = _CHECKED[reported.validated]
    if reported.failures:
        names = listed(list(dict.fromkeys(e for each in reported.failures for e in each.kernels)))
        checked = f"its check of {names} failed"
    return [*words, count(tables or reported.tables, "table"), checked]


def cut_off(reported: BenchmarkOutput) -> Finding | None:
    """Find that the end of a table is missing; ``None`` if it is complete."""
    if reported.cut_off is None:
        return None
    return cut_off_words(reported.cut_off)


def cut_off_words(after: str) -> Finding:
    """Make the finding on a table that breaks off there."""
    return Finding(
        code="cut-off",
        severity="warning",
        reason=f"the output breaks off: {after}",
        text=f"The output breaks off: {after}. Complete rows are shown. Either the run did not end"
        " as it should, or only a part of its output was kept, and a check of the results may be"
        " missing. Take the whole output, or run it again.",
    )


def contradicts_itself(reported: BenchmarkOutput) -> Finding | None:
    """Find contradictions in the output; ``None`` if all of it agrees."""
    if not reported.corrections:
        return None
    return contradiction_words(reported.corrections)


def contradiction_words(corrections: Sequence[str]) -> Finding:
    """Make the finding that figures of the output contradict each other."""
    shown = ". ".join(each[:1].upper() + each[1:] for each in corrections[:3])
    more = len(corrections) - 3
    return Finding(
        code="contradicts-itself",
        severity="warning",
        reason="figures of the output contradict each other",
        text=f"The output contradicts itself. {shown}."
        + (f" There are {more} more." if more > 0 else "")
        + " Check that the file is as the benchmark wrote it.",
    )


def unproved(reported: BenchmarkOutput) -> Finding:
    """Find what another benchmark's output does not record."""
    return unproved_words(reported.tool, on_gpu=reported.on_gpu)


def unproved_words(tool: str, *, on_gpu: bool) -> Finding:
    """Make the finding on the output of that benchmark."""
    short, seen = (
        ("what else ran on the GPU", "what else used the GPU, or at which clock it ran")
        if on_gpu
        else (
            "binding, other load or the place of pages",
            "where its threads ran, what else ran, or on which NUMA node its pages were",
        )
    )
    return Finding(
        code="unproved",
        severity="warning",
        reason=f"{tool} does not record {short}",
        text=f"{tool} does not record {seen}. The figures may be right, but nothing proves it."
        " Quote them together with what you know about the run.",
    )


def _of_output(
    check: Callable[[BenchmarkOutput], Finding | None],
) -> Callable[[BenchmarkDocument], Finding | None]:
    def find(document: BenchmarkDocument) -> Finding | None:
        return None if document.reported is None else check(document.reported)

    return find


OF_OUTPUT = (
    ("contradicts-itself", _of_output(contradicts_itself)),
    ("cut-off", _of_output(cut_off)),
    ("unproved", _of_output(unproved)),
)
"""The checks of every kind that can come from another benchmark's output."""

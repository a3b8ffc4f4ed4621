"""Fields that the documents of all kinds have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

import msgspec

from streamgage.analysis.faults import Faults, faults_of
from streamgage.analysis.finding import Finding
from streamgage.analysis.outside import taken_finding, taken_from
from streamgage.analysis.trust import Trust
from streamgage.records import Machine
from streamgage.records.quantities import Amount
from streamgage.results.array_setup import ArraySetup, array_setup_of

if TYPE_CHECKING:
    from streamgage.records.run import Run


_STOPPED = ("interrupted", "terminated")


class Document(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A result: facts alone. ``kind`` in its JSON is the command that measured it."""

    label: str | None = None
    """The user's label for the result."""
    machine: Machine | None
    """The machine that it was measured on; ``None`` if unknown."""
    interrupted: bool = False
    """``True`` if a signal ended it before all was measured."""
    taken: Amount | None = None
    """Share of the CPUs' time that other programs and the hypervisor took while it ran, the mean
    over the runs; ``None`` if that is not known."""
    faults: Faults | None = None
    """Faults of some runs of a series; ``None`` if there were none."""
    array_setup: ArraySetup | None = None
    """The start and the first contents of arrays, if the user chose them."""


class Common(TypedDict):
    """The fields of ``Document``, as its constructors take them."""

    label: str | None
    machine: Machine | None
    interrupted: bool
    taken: float | None
    faults: Faults | None
    array_setup: ArraySetup | None


def common(
    runs: Iterable[Run],
    machine: Machine | None = None,
    *,
    series: bool = True,
    of_memory: bool = True,
) -> Common:
    """The fields that the records of ``runs`` give for a document of any kind.

    ``machine``: the one that is known already, for when no run came as far as to describe it.
    ``series``: whether the checks of all series look for faults, as the kind has none of its own.
    ``of_memory``: whether the figures should be those of memory alone, so that small arrays are a
    fault.
    """
    known = list(runs)
    return Common(
        label=next((each.label for each in known if each.label), None),
        machine=next((each.machine for each in known if each.machine), machine),
        interrupted=any(each.end is not None and each.end.reason in _STOPPED for each in known),
        taken=taken_from(known),
        faults=faults_of(known, of_memory=of_memory) if series else None,
        array_setup=next((each for each in map(array_setup_of, known) if each), None),
    )


def other_load(document: Document) -> Finding | None:
    """Others had the CPUs for a part of the time: a check for any kind that has none of its own."""
    if document.taken is None:
        return None
    return taken_finding(document.taken, "this measurement")


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The conclusions from a document: derived for display, and never stored."""

    verdict: list[str]
    """The verdict, a sentence each."""
    findings: list[Finding]
    """The findings, most important first."""
    trust: Trust
    """How far the figures can be trusted."""
    quote: str | None
    """The one sentence to quote the result by; ``None`` where nothing that counts was measured."""

"""The fields that the documents of all kinds share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

import msgspec

from streamgage.analysis.conclusion import Conclusion, texts
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
    """The facts of a result. ``kind`` in its JSON is the command that measured it."""

    label: str | None = None
    """The label that the user gave the result."""
    machine: Machine | None
    """The machine that was measured; ``None`` if it is unknown."""
    interrupted: bool = False
    """``True`` if a signal stopped it before everything was measured."""
    taken: Amount | None = None
    """The share of the CPUs' time that other programs and the hypervisor took, as the mean over the
    runs. ``None`` if it is unknown."""
    faults: Faults | None = None
    """The faults of runs in a series; ``None`` if there were none."""
    array_setup: ArraySetup | None = None
    """The alignment and the first contents of arrays, if the user chose them."""


class Common(TypedDict):
    """The fields of ``Document``, as keyword arguments of its constructors."""

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
    """Collect the fields of ``Document`` from the records of ``runs``.

    ``machine``: the machine, if it is known already, in case no run described it. ``series``:
    whether to count the faults of the runs, for kinds that do not check them otherwise.
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
    """Find that others used the CPUs, for kinds that have no check of their own."""
    if document.taken is None:
        return None
    return taken_finding(document.taken, "this measurement")


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The conclusions from a document. They are derived for display, and never stored."""

    conclusions: list[Conclusion]
    """The conclusions from the figures, none firmer than the trust in them."""
    findings: list[Finding]
    """The findings, most important first."""
    trust: Trust
    """How far the figures can be trusted."""
    quote: str | None
    """The sentence by which the result is quoted; ``None`` if nothing was measured that can be
    quoted."""

    @property
    def sentences(self) -> list[str]:
        """The conclusions without their grades."""
        return texts(self.conclusions)

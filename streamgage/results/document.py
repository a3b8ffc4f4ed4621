"""What the documents of all kinds have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

import msgspec

from streamgage.analysis.finding import Finding
from streamgage.records import Machine

if TYPE_CHECKING:
    from streamgage.records.run import Run


class Document(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A result: facts alone. ``kind`` in its JSON is the command that measured it."""

    label: str | None = None
    """What the user calls the result."""
    machine: Machine | None
    """On which it was measured; ``None`` where that is not known."""


class Common(TypedDict):
    """The fields of ``Document``, as its constructors take them."""

    label: str | None
    machine: Machine | None


def common(runs: Iterable[Run], machine: Machine | None = None) -> Common:
    """What the records of ``runs`` say for a document of any kind.

    ``machine``: the one that is known already, for when no run came as far as to describe it.
    """
    known = list(runs)
    return Common(
        label=next((each.label for each in known if each.label), None),
        machine=next((each.machine for each in known if each.machine), machine),
    )


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """What a document comes to: derived where it is shown, and never stored."""

    verdict: list[str]
    """What was found, a sentence each."""
    findings: list[Finding]
    """What somebody should look at, the most important first."""

"""What the documents of all kinds have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from streamgage.records import Machine

if TYPE_CHECKING:
    from streamgage.analysis.finding import Finding


class Document(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A result; ``kind`` in its JSON is the name of the command that measured it."""

    machine: Machine | None
    """On which it was measured; ``None`` where that is not known."""
    if TYPE_CHECKING:  # every kind declares it at the end of its own fields
        findings: list[Finding]

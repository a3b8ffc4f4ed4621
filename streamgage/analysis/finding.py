"""Something to know about a result."""

from __future__ import annotations

from typing import Literal

import msgspec

Severity = Literal["error", "warning", "note"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something to know about the result; ``code`` is stable."""

    code: str
    severity: Severity
    text: str

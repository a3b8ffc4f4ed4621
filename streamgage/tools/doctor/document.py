"""What ``streamgage doctor`` found, as one document: ``schema/doctor.schema.json``."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records import Machine

State = Literal["passed", "advice", "spoils", "unknown"]
"""``spoils``: figures measured now would be wrong. ``advice``: they would be right, but something
is worth knowing or changing. ``unknown``: it is not known here, or there is nothing to say."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at; ``code`` is stable."""

    code: str
    state: State
    seen: str
    """With its figures."""
    why: str | None = None
    """Why it matters; null where nothing is to be done."""
    remedies: list[str] = []
    """Ways to mend it, a command each where there is one."""


class DoctorResult(msgspec.Struct, frozen=True, kw_only=True):
    """All checks, and what they come to."""

    machine: Machine | None
    fit: bool
    """Whether the exit status is 0."""
    verdict: str
    checks: list[Check]

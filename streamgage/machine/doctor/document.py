"""The result of ``streamgage doctor`` as one document: ``schema/doctor.schema.json``."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records import Machine

State = Literal["passed", "advice", "spoils", "unknown"]
"""``spoils``: figures measured now would be wrong. ``advice``: they would be right, but something
is worth knowing or changing. ``unknown``: it is not known here, or there is nothing to say."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one check; its ``code`` never changes."""

    code: str
    state: State
    seen: str
    """What was seen, with its figures."""
    why: str | None = None
    """Why it matters; ``None`` if there is nothing to do."""
    remedies: list[str] = []
    """Ways to fix it, each as a command if there is one."""


def unknown_check(code: str, reason: str) -> Check:
    """Make the check for a state that cannot be read here."""
    return Check(code=code, state="unknown", seen=f"unknown: {reason}")


class DoctorResult(msgspec.Struct, frozen=True, kw_only=True):
    """All checks, and the verdict on the environment."""

    machine: Machine | None
    fit: bool
    """``True`` if the exit status is 0."""
    verdict: str
    checks: list[Check]

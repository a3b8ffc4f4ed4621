"""Explains why ordinary stores may leave their lines unread on some processors.

Nothing is concluded from this: a verdict comes from counters, times or the physical limit alone.
"""

from __future__ import annotations

import re

from streamgage.analysis.worded_code import WordedCode
from streamgage.records import Machine

_ARM = re.compile(r"neoverse|grace|thunderx2|graviton|altra", re.IGNORECASE)
_CLAIMS_BY_PROGRAM = re.compile(r"a64fx", re.IGNORECASE)
"""Matches the Arm processor that only leaves lines unread if the program claims them (DC ZVA)."""
_SPECULATES = re.compile(
    r"xeon.*\b[4568][345]\d\d[A-Z+]*\b|ice ?lake|sapphire|emerald", re.IGNORECASE
)
"""Matches third generation Xeon Scalable processors and later, by their model number."""


class ReadAvoidance(WordedCode):
    """How hardware can avoid the read of an ordinary store."""

    WRITE_STREAMING = (
        "write-streaming",
        "Arm cores notice that whole lines are overwritten one after the other, and stop reading"
        " them (write streaming).",
    )
    SPECI2M = (
        "SpecI2M",
        "Intel's servers since Ice Lake claim a part of the lines without reading them when memory"
        " is nearly saturated (SpecI2M).",
    )


def read_avoidance(machine: Machine | None) -> ReadAvoidance | None:
    """How this machine's hardware can avoid the read of an ordinary store; ``None`` if unknown.

    Arm cores detect streams of whole-line writes (write streaming mode; Arm Neoverse N1 technical
    reference manual). Intel's SpecI2M, from Ice Lake servers on, turns the read into a mere claim
    where memory is nearly saturated, and only in part.
    """
    if machine is None:
        return None
    processor = machine.processor or ""
    if _CLAIMS_BY_PROGRAM.search(processor):
        return None
    if machine.architecture == "aarch64" or _ARM.search(processor):
        return ReadAvoidance.WRITE_STREAMING
    if _SPECULATES.search(processor):
        return ReadAvoidance.SPECI2M
    return None

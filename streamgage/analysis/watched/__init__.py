"""What a watch of the memory traffic saw, and what it means: a program's, or the machine's."""

from __future__ import annotations

from streamgage.analysis.watched.ceiling import ceiling_of, why_not_a_ceiling
from streamgage.analysis.watched.judge import Limits, Watch, watched_traffic
from streamgage.analysis.watched.rates import domain_names, seen_interval

__all__ = [
    "Limits",
    "Watch",
    "ceiling_of",
    "domain_names",
    "seen_interval",
    "watched_traffic",
    "why_not_a_ceiling",
]

"""What a watch of the memory traffic saw, and what it means: a program's, or the machine's."""

from __future__ import annotations

from streamgage.tools.traffic.ceiling import ceiling_of, is_of, why_not_a_ceiling
from streamgage.tools.traffic.judge import Limits, Watch, watched_traffic
from streamgage.tools.traffic.rates import domain_names, seen_interval
from streamgage.tools.traffic.trust import Trial, held_against_peak, trial_of, trust_in

__all__ = [
    "Limits",
    "Trial",
    "Watch",
    "ceiling_of",
    "domain_names",
    "held_against_peak",
    "is_of",
    "seen_interval",
    "trial_of",
    "trust_in",
    "watched_traffic",
    "why_not_a_ceiling",
]

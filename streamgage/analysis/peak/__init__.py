"""The theoretical peak of the memory in use: given, from the memory modules, or of the model."""

from streamgage.analysis.peak.find import find_peak, look_for_peak
from streamgage.analysis.peak.peak import NoPeak, Peak

__all__ = ["NoPeak", "Peak", "find_peak", "look_for_peak"]

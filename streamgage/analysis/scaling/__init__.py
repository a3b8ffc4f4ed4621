"""Scaling: bandwidth over the number of workers, and where the curve bends or falls, and why."""

from streamgage.analysis.scaling.curves import Asked, scaling
from streamgage.analysis.scaling.findings import CHECKS
from streamgage.analysis.scaling.points import Point

__all__ = ["CHECKS", "Asked", "Point", "scaling"]

"""Scaling: bandwidth over the number of workers, and where the curve bends or falls, and why."""

from streamgage.results.scale.curves import Asked, scaling
from streamgage.results.scale.findings import CHECKS
from streamgage.results.scale.points import Point

__all__ = ["CHECKS", "Asked", "Point", "scaling"]

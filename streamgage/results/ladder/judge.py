"""The ladder: bandwidth over the size of the working set, and the levels that it shows."""

from streamgage.results.ladder.curves import Asked, ladder
from streamgage.results.ladder.findings import CHECKS
from streamgage.results.ladder.points import Rung

__all__ = ["CHECKS", "Asked", "Rung", "ladder"]

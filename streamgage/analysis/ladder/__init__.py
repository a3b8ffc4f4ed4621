"""The ladder: bandwidth over the size of the working set, and the levels that it shows."""

from streamgage.analysis.ladder.curves import Asked, ladder
from streamgage.analysis.ladder.findings import CHECKS
from streamgage.analysis.ladder.points import Rung

__all__ = ["CHECKS", "Asked", "Rung", "ladder"]

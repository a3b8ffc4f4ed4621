"""Two or more results side by side: what differs, ratios with their noise, and a verdict."""

from __future__ import annotations

from streamgage.analysis.comparison.compared import comparison, kernels_of
from streamgage.analysis.comparison.figure import ResultLike
from streamgage.analysis.comparison.side import content_of
from streamgage.analysis.comparison.verdicts import MARGIN

__all__ = ["MARGIN", "ResultLike", "comparison", "content_of", "kernels_of"]

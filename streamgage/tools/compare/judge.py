"""Two or more results side by side: what differs, ratios with their noise, and a verdict."""

from __future__ import annotations

from streamgage.results.comparable import ResultLike
from streamgage.tools.compare.comparison import comparison, kernels_of
from streamgage.tools.compare.side import content_of
from streamgage.tools.compare.verdicts import MARGIN

__all__ = ["MARGIN", "ResultLike", "comparison", "content_of", "kernels_of"]

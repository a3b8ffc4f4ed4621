"""What transfers show that somebody should look at."""

from __future__ import annotations

from streamgage.results.document import other_load
from streamgage.results.reported import OF_OUTPUT

CHECKS = (("other-load", other_load), *OF_OUTPUT)
"""In the order in which they are shown, most important first."""

"""The findings of transfers."""

from __future__ import annotations

from streamgage.results.document import other_load
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS

CHECKS = (*OF_RUNS, ("other-load", other_load), *OF_OUTPUT)
"""The checks in the order of display, most important first."""

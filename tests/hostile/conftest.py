"""Shows how many made inputs of each area were tried, and how many were faults."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a table, with the sums in its last line."""
    rows = [
        counts
        for reports in (terminalreporter.stats.get(each, ()) for each in ("passed", "failed"))
        for report in reports
        for name, counts in getattr(report, "user_properties", ())
        if name == "tries"
    ]
    if not rows:
        return
    whole = ("in all", sum(row[1] for row in rows), sum(row[2] for row in rows))
    terminalreporter.section("made tries")
    for area, tries, faults in (("area", "tries", "faults"), *sorted(rows), whole):
        terminalreporter.line(f"{area:<20} {tries:>7} {faults:>7}")

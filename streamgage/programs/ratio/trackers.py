"""Writes the formats of services that track benchmarks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.programs.ratio.document import TimeRatio
from streamgage.units import count, format_figure

UNIT = "GB of triad"


def bencher(timed: TimeRatio) -> str:
    """Write Bencher Metric Format: https://bencher.dev/docs/reference/bencher-metric-format."""
    found = {
        "memory-ratio": _metric(timed.ratio, 1.0),
        "latency": _metric(timed.seconds, 1e9),
    }
    if timed.against is not None:
        found["ratio-to-other"] = _metric(timed.against.ratio, 1.0)
    return _json({timed.name: found})


def _metric(figure: Estimate, factor: float) -> dict[str, float]:
    found = {"value": factor * figure.value}
    if figure.low is not None and figure.high is not None:
        found |= {"lower_value": factor * figure.low, "upper_value": factor * figure.high}
    return found


def github_action_benchmark(timed: TimeRatio) -> str:
    """Write JSON for ``tool: customSmallerIsBetter`` of benchmark-action/github-action-benchmark.

    It has only the ratio: an alert on the plain time would be about the runner.
    """
    ratio = timed.ratio
    entry: dict[str, Any] = {"name": timed.name, "unit": UNIT, "value": ratio.value}
    if ratio.low is not None and ratio.high is not None:
        half = max(ratio.high - ratio.value, ratio.value - ratio.low)
        entry["range"] = f"± {format_figure(half)}"
    entry["extra"] = "\n".join(
        [
            f"{count(len(timed.rounds), 'run')} of {format_figure(timed.seconds.value)} s (median)",
            f"{timed.processor or timed.host}, {timed.time[:10]}",
        ]
    )
    return _json([entry])


def _json(document: Mapping[str, Any] | list[dict[str, Any]]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

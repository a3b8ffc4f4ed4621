"""Writes the formats of services that track benchmarks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.programs.ruler.document import Ruler
from streamgage.units import count, format_figure

UNIT = "GB of triad"


def bencher(ruler: Ruler) -> str:
    """Write Bencher Metric Format: https://bencher.dev/docs/reference/bencher-metric-format."""
    found = {
        "ruler-ratio": _metric(ruler.ratio, 1.0),
        "latency": _metric(ruler.seconds, 1e9),
    }
    if ruler.against is not None:
        found["ratio-to-other"] = _metric(ruler.against.ratio, 1.0)
    return _json({ruler.name: found})


def _metric(figure: Estimate, factor: float) -> dict[str, float]:
    found = {"value": factor * figure.value}
    if figure.low is not None and figure.high is not None:
        found |= {"lower_value": factor * figure.low, "upper_value": factor * figure.high}
    return found


def github_action_benchmark(ruler: Ruler) -> str:
    """Write JSON for ``tool: customSmallerIsBetter`` of benchmark-action/github-action-benchmark.

    It has only the ratio: an alert on the plain time would be about the runner.
    """
    ratio = ruler.ratio
    entry: dict[str, Any] = {"name": ruler.name, "unit": UNIT, "value": ratio.value}
    if ratio.low is not None and ratio.high is not None:
        half = max(ratio.high - ratio.value, ratio.value - ratio.low)
        entry["range"] = f"± {format_figure(half)}"
    entry["extra"] = "\n".join(
        [
            f"{count(len(ruler.rounds), 'run')} of {format_figure(ruler.seconds.value)} s (median)",
            f"{ruler.processor or ruler.host}, {ruler.time[:10]}",
        ]
    )
    return _json([entry])


def _json(document: Mapping[str, Any] | list[dict[str, Any]]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

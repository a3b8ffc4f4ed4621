"""Writes the newest results of each host as OpenMetrics, for monitoring systems.

The output suits node_exporter's textfile collector, or any other collector that scrapes a file.
Metrics describe the present, so each figure of a host appears once, from the newest result. The
time of that result is a metric of its own, because collectors of files refuse samples with a time
stamp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from streamgage.analysis.trust import Verdict
from streamgage.results.summary import Summary, SummaryRate

_TRUST: dict[Verdict, int] = {"quotable": 2, "with-care": 1, "not-quotable": 0}
_LABELS = ("host", "kernel", "store", "isa", "tuned", "type", "threads", "array_bytes")


def render(results: Sequence[Summary]) -> bytes:
    """Write the summaries, in any order, in the text format OpenMetrics 1.0.0.

    Requires: the package prometheus-client.
    """
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.openmetrics.exposition import generate_latest

    def family(name: str, text: str, unit: str, labels: Sequence[str]) -> GaugeMetricFamily:
        return GaugeMetricFamily(f"streamgage_{name}", text, labels=labels, unit=unit)

    bandwidth = family(
        "bandwidth",
        "Memory bandwidth by STREAM's nominal counting: the median with its bounds, and the best.",
        "bytes_per_second",
        (*_LABELS, "statistic"),
    )
    traffic = family(
        "hardware_bandwidth",
        "Traffic that really crossed the memory bus, with the lines that stores read.",
        "bytes_per_second",
        _LABELS,
    )
    trusted = family(
        "trust",
        "How far the figures can be trusted: 2 quotable, 1 with care, 0 not quotable.",
        "",
        _LABELS,
    )
    measured = family("measured_timestamp", "Start of the run, since 1970.", "seconds", _LABELS)
    for labels, (summary, rate) in _newest(results).items():
        for statistic in ("median", "low", "high", "best"):
            value = getattr(rate, f"{statistic}_gbps")
            if value is not None:
                bandwidth.add_metric((*labels, statistic), value * 1e9)
        if rate.hardware_gbps is not None:
            traffic.add_metric(labels, rate.hardware_gbps * 1e9)
        trusted.add_metric(labels, _TRUST[summary.trust])
        if summary.started is not None:
            measured.add_metric(labels, _seconds(summary.started))

    class Results:
        def collect(self) -> Iterator[GaugeMetricFamily]:
            yield from (bandwidth, traffic, trusted, measured)

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Results())
    content: bytes = generate_latest(registry)  # type: ignore[no-untyped-call]
    return content


def _newest(results: Sequence[Summary]) -> dict[tuple[str, ...], tuple[Summary, SummaryRate]]:
    """The newest figures of complete, correct runs of ``measure``, by the values of ``_LABELS``."""
    found: dict[tuple[str, ...], tuple[Summary, SummaryRate]] = {}
    for summary in sorted(results, key=lambda each: each.started or ""):
        if summary.kind != "measure" or summary.state != "complete" or summary.host is None:
            continue
        for rate in summary.rates:
            labels = (
                *(summary.host, rate.kernel, rate.store, rate.isa or ""),
                *(str(rate.tuned).lower(), rate.type or "", str(rate.threads or "")),
                str(summary.array_bytes or ""),
            )
            found[labels] = (summary, rate)
    return found


def _seconds(started: str) -> float:
    return datetime.fromisoformat(started).timestamp()

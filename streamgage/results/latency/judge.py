"""Latency: idle, over working sets, and of memory that other threads load."""

from streamgage.results.latency.findings import CHECKS
from streamgage.results.latency.latencies import latencies

__all__ = ["CHECKS", "latencies"]

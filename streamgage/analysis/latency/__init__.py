"""Latency: idle, over working sets, and of memory that other threads load."""

from streamgage.analysis.latency.findings import CHECKS
from streamgage.analysis.latency.latencies import latencies

__all__ = ["CHECKS", "latencies"]

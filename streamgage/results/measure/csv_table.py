"""``--format csv``: a line a variant, for spreadsheets and data frames. Empty: not known."""

from __future__ import annotations

import csv
import io

from streamgage.analysis.shapes import describe_shape
from streamgage.records import AccessShape
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer

COLUMNS = (
    *("kernel", "store", "tuned", "threads", "type", "n"),
    *("best_gbps", "median_gbps", "low_gbps", "high_gbps", "hardware_gbps", "valid"),
    *("isa", "shape", "gain", "gain_low", "gain_high", "peak_share"),
    *("hardware_low_gbps", "hardware_high_gbps", "epochs"),
    *("alpha_verdict", "alpha", "alpha_low", "alpha_high", "evidence", "alpha_reason"),
    *("bytes_read", "bytes_written", "bytes_total", "reads_per_write"),
)
"""The last four: counted by hardware, or played back where the evidence is ``replayed``; of a pass.
"""
REPORTED_COLUMNS = (
    *("kernel", "store", "isa", "type", "threads", "purpose", "n", "best_gbps", "median_gbps"),
    *("mean_gbps", "deviation_gbps", "minimum_gbps", "maximum_gbps"),
    *("hardware_gbps", "hardware_low_gbps", "hardware_high_gbps", "peak_share"),
    *("alpha_verdict", "alpha", "alpha_low", "alpha_high", "evidence", "alpha_reason", "valid"),
)
"""Of the saved output of another benchmark."""
_ALPHA = {
    "alpha_verdict": "verdict",
    "alpha": "value",
    "alpha_low": "low",
    "alpha_high": "high",
    "evidence": "evidence",
    "alpha_reason": "reason",
}
"""Columns that tell of the lines read because of a store, and their fields of ``Alpha``."""


def render(answer: Answer) -> str:
    """A header line and a line a variant; rates in GB/s with six digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = COLUMNS if answer.run.reported is None else REPORTED_COLUMNS
    writer.writerow(columns)
    for result in answer.result.kernels:
        writer.writerow([_cell(result, column) for column in columns])
    return text.getvalue()


def _cell(result: KernelResult, column: str) -> str:
    if column in _ALPHA:
        value = getattr(result.alpha, _ALPHA[column])
    else:
        holders = (result, result.spread, result.traffic)
        value = next((getattr(each, column) for each in holders if hasattr(each, column)), None)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, AccessShape):
        return describe_shape(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""``--format csv``: a line a variant, for spreadsheets and data frames. Empty: not known."""

from __future__ import annotations

import csv
import io

from streamgage.analysis.summary import Answer
from streamgage.records import AccessShape
from streamgage.result import KernelResult
from streamgage.shapes import describe_shape

COLUMNS = (
    *("kernel", "store", "tuned", "threads", "type", "n"),
    *("best_gbps", "median_gbps", "low_gbps", "high_gbps", "hardware_gbps", "valid"),
    *("isa", "shape", "gain", "gain_low", "gain_high", "peak_share"),
)


def render(answer: Answer) -> str:
    """A header line and a line a variant; rates in GB/s with six digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for result in answer.result.kernels:
        writer.writerow([_cell(result, column) for column in COLUMNS])
    return text.getvalue()


def _cell(result: KernelResult, column: str) -> str:
    value = getattr(result, column)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, AccessShape):
        return describe_shape(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""``--format csv``: a line a variant, for spreadsheets and data frames. Empty: not known."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.shapes import describe_shape
from streamgage.records import AccessShape
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer
from streamgage.show import csv
from streamgage.show.page import Data, Datum, Value

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
    return csv.render(data_of(answer))


def data_of(answer: Answer) -> Data[KernelResult]:
    """A row a variant; rates are GB/s."""
    keys = COLUMNS if answer.run.reported is None else REPORTED_COLUMNS
    return Data([Datum(key, _value(key)) for key in keys], answer.result.kernels)


def _value(key: str) -> Callable[[KernelResult], Value]:
    def value(result: KernelResult) -> Value:
        if key in _ALPHA:
            found = getattr(result.alpha, _ALPHA[key])
        else:
            holders = (result, result.spread, result.traffic)
            found = next((getattr(each, key) for each in holders if hasattr(each, key)), None)
        if isinstance(found, AccessShape):
            return describe_shape(found)
        return None if found == "" else found

    return value

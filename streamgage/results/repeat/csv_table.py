"""``--format csv``: a line a kernel and run, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from streamgage.results.repeat.document import Repetition

COLUMNS = ("kernel", "placement", "round", "gbps", "threads", "cpus", "bound")


def render(answer: Repetition) -> str:
    """A header line and a line for each figure; rates in GB/s with six digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    runs = {(each.placement, each.round): each for each in answer.runs}
    for kernel in answer.kernels:
        for rate in kernel.rates:
            run = runs[kernel.placement, rate.round]
            bound = "" if run.bound is None else str(run.bound).lower()
            where = (kernel.kernel, kernel.placement, rate.round)
            writer.writerow([*where, f"{rate.gbps:.6g}", run.threads, run.cpus, bound])
    return text.getvalue()

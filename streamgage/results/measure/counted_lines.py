"""What counters saw, in words: for ``--verbose``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.records import Calibration
from streamgage.results.measure.document import CountedTraffic
from streamgage.results.measure.judge import Answer
from streamgage.units import count, format_change


def counted_lines(answer: Answer) -> Iterator[tuple[str, str]]:
    """The source with its calibration, and what it saw of each variant; none without counters."""
    calibration = answer.result.calibration
    if calibration is not None:
        yield calibration.source, _calibrated(calibration)
    for each in answer.measured:
        traffic = each.result.traffic
        if traffic is not None:
            alpha = each.result.alpha
            value = f"; alpha {alpha.value:.2f}" if alpha.value is not None else ""
            yield answer.run.name(each.variant), f"{counted_text(traffic)}{value}"


def counted_text(traffic: CountedTraffic) -> str:
    """``measured: 3.0 reads a write, 1.61 GB read and 0.54 GB written a pass``."""
    known = "replayed" if traffic.replayed else "measured"
    turns = (
        f", scaled from {traffic.running_share:.0%} of the time".replace("%", " %")
        if traffic.running_share < _ALWAYS
        else ""
    )
    samples = f"{count(traffic.samples, 'sample')}{turns}"
    if traffic.bytes_read is None or traffic.bytes_written is None:
        return f"{known}: {_gigabytes(traffic.bytes_total)} a pass, reads and writes ({samples})"
    ratio = (
        f"{traffic.reads_per_write:.1f} reads a write, "
        if traffic.reads_per_write is not None
        else ""
    )
    return (
        f"{known}: {ratio}{_gigabytes(traffic.bytes_read)} read and"
        f" {_gigabytes(traffic.bytes_written)} written a pass ({samples})"
    )


_ALWAYS = 0.995
"""Share of the time above which counters did not take turns."""


def _calibrated(calibration: Calibration) -> str:
    if not calibration.accepted:
        return f"rejected: {calibration.reason}"
    runs = ", ".join(
        f"{' '.join(part for part in (run.kernel, run.store) if part)}"
        f" {format_change(run.deviation)}"
        for run in calibration.runs
    )
    idle = (
        f"; {calibration.idle_total / 1e9:.2f} GB/s of the idle machine subtracted"
        if calibration.idle_total is not None
        else ""
    )
    replayed = "replayed, nothing of it was measured; " if calibration.replayed else ""
    return f"{replayed}off by {runs} from known traffic{idle}"


def _gigabytes(amount: float) -> str:
    return f"{amount / 1e9:.3g} GB"

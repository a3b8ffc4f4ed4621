"""Decides whether to trust a source: it must have measured kernels of known traffic correctly.

``measure`` tries the source on such kernels, which needs large arrays and a quiet machine. A watch
of a program has neither, so the newest stored run that tried the same source on this machine
decides. In any case, no figure above the theoretical peak can be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.advice import command_line
from streamgage.records import Calibration
from streamgage.records.run import Run
from streamgage.results.traffic.document import Trust, Volume
from streamgage.units import format_gbps

OWN_COUNT = Trust(
    state="own",
    text="The program reported these bytes. If it counts them itself, they include what its caches"
    " served and leave out the lines that its stores read. If LIKWID or PAPI counted them,"
    " those counters are untested.",
)


@dataclass(frozen=True)
class Trial:
    """The result of an earlier run of ``measure`` that tried a source."""

    calibration: Calibration
    time: str
    """The start of that run, ISO 8601, UTC."""
    file: str


def trial_of(run: Run, source: str, name: str) -> Trial | None:
    """The trial of ``source`` by ``run``; ``None`` if it did not try it."""
    tried = run.calibration
    if run.machine is None or tried is None or tried.replayed or tried.source != source:
        return None
    if run.memory is not None and run.memory.array_bytes < run.memory.rule_bytes:
        return None  # no kernel's traffic was known, so the source was not tried
    return Trial(tried, run.machine.time, name)


def trust_in(source: str, trial: Trial | None, *, replayed: bool) -> Trust:
    """The trust in ``source``, according to its trial."""
    if replayed:
        return Trust(
            state="replayed", text=f"{source} was not calibrated here: its figures are replayed."
        )
    if trial is None:
        return Trust(
            state="not-calibrated",
            text=f"{source} was not calibrated on this machine, so it is unknown whether its"
            f" figures are right: run {command_line('measure')} once, which compares it with"
            " kernels of known traffic.",
        )
    where = f"({trial.time}, {trial.file})"
    tried = trial.calibration
    if not tried.accepted:
        return Trust(
            state="rejected",
            text=f"{source} was tested with kernels of known traffic {where} and is not believed:"
            f" {tried.reason}.",
        )
    off = 100 * max((abs(run.deviation) for run in tried.runs), default=0.0)
    kernels = ", ".join(run.kernel for run in tried.runs)
    return Trust(
        state="calibrated",
        text=f"{source} was calibrated on this machine: it measured the known traffic of {kernels}"
        f" to within {off:.1f} % {where}.",
    )


def held_against_peak(
    trust: Trust, source: str, highest_gbps: float | None, peak_gbps: float | None
) -> Trust:
    """Return ``trust``, or ``impossible`` if the highest rate (GB/s) is above the peak."""
    if highest_gbps is None or peak_gbps is None or highest_gbps <= peak_gbps:
        return trust
    return Trust(
        state="impossible",
        text=f"{source} shows {format_gbps(highest_gbps)}, above the theoretical peak of"
        f" {format_gbps(peak_gbps)}: it is not believed.",
    )


def highest_rate(volumes: Sequence[Volume]) -> float | None:
    """The rate of the busiest interval, of all domains together or of one, in GB/s."""
    return max((each.peak_gbps for each in volumes if each.peak_gbps is not None), default=None)

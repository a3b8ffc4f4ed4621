"""The findings of transfers."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.analysis.named_hardware import NamedPeak, peak_named
from streamgage.analysis.peak.gates import HIGHEST
from streamgage.results.document import other_load
from streamgage.results.links.document import RATE_UNIT, LinkCell, Links, LinkTest
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS
from streamgage.units import format_gbps, format_share


def above_peak(links: Links) -> Finding | None:
    """Find a copy within a device that is faster than its memory can be.

    Another benchmark's output names the device; ``None`` if no figure is above its peak.
    """
    if links.reported is None or links.reported.prints == "traffic":
        return None
    for test in links.tests:
        for cell in test.cells if test.unit == RATE_UNIT else ():
            peak = _peak_of(links, cell) if _is_within(test, cell) else None
            if peak is not None and cell.value > HIGHEST * peak.gbps:
                share = format_share(cell.value / peak.gbps)
                return Finding(
                    code="above-peak",
                    severity="warning",
                    reason=f"{test.test} is above the peak of {format_gbps(peak.gbps)}",
                    text=f"{test.test} has {format_gbps(cell.value)} within {cell.row}, {share} of"
                    f" the theoretical peak of {format_gbps(peak.gbps)} ({peak.memory}). No memory"
                    " exceeds its peak: part of the data came from a cache, or the device is"
                    " another one. Copy more bytes before you quote it.",
                )
    return None


def _is_within(test: LinkTest, cell: LinkCell) -> bool:
    """Return whether the bytes stayed in the memory of one device."""
    return cell.row == cell.column or test.description.lower().startswith("memcpy local")


def _peak_of(links: Links, cell: LinkCell) -> NamedPeak | None:
    """The peak of the device of the row: by the row's name, else that of the one kind there is."""
    kinds = {*links.devices, links.reported.processor if links.reported else None} - {None}
    one = kinds.pop() if len(kinds) == 1 else None
    for name in (cell.row, one):
        peak = peak_named(name) if name else None
        if peak is not None and peak.device:
            return peak
    return None


CHECKS = (*OF_RUNS, ("other-load", other_load), ("above-peak", above_peak), *OF_OUTPUT)
"""The checks in the order of display, most important first."""

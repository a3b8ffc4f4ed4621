"""Alpha of a table that lacks the bracket kernels: Copy, Scale, Add and Triad must agree.

Kernels that write get about the same bandwidth from memory, in any mix of reads and writes. Each
kernel could read all its lines or none. Of all these combinations, only those are possible that
give hardware bandwidths within 10 % of each other and below the peak. Only a contrast decides: Copy
and Scale have the same nominal traffic, and where they are apart by more than 15 % they did not use
the same stores. Where they are closer, *full* for all four and *none* for all four differ by no
more than 12 %, less than memory does.

EPYC 7451, peak 341 GB/s: 240.6, 175.6, 186.2, 186.5 GB/s agree as 241, 263, 248, 249 only if Copy
(memcpy, with streaming stores) avoids the read and the rest do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from streamgage.analysis.peak import Peak
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.exclusion import ROUNDING
from streamgage.units import format_share, listed

LOADS = {"copy": 1, "scale": 1, "add": 2, "triad": 2}
TOLERANCE = 0.10
"""Difference of hardware bandwidths that the mix of reads and writes explains."""
CONTRAST = 0.15
"""Difference of Copy and Scale that it does not."""
_MOST_BY_STORES = 1.5
"""Copy and Scale move two words, or three where the store reads its line first."""


def consistent_verdicts(gbps: Mapping[str, float], peak: Peak | None) -> dict[str, Alpha]:
    """The verdict on each kernel of ``gbps``, its nominal rates in GB/s.

    Hypotheses are full or none, so a kernel that reads part of its lines is either refused (its
    bandwidth then agrees with nothing) or so near to one of them that the interval holds it.
    """
    if missing := [name for name in LOADS if name not in gbps]:
        why = f"neither the bracket kernels nor {' and '.join(missing)} are in the table"
        return _refuse(gbps, why)
    apart = contrast(gbps)
    if apart <= CONTRAST:
        return _refuse(
            gbps,
            f"copy and scale differ by {format_share(apart)} only, as they do whether both read"
            " what they overwrite or neither: without bracket kernels the table does not show it",
        )
    possible = [hypothesis for hypothesis in _hypotheses() if _agrees(gbps, hypothesis, peak)]
    if not possible and 1 + apart > _MOST_BY_STORES * (1 + TOLERANCE):
        return _refuse(
            gbps,
            f"copy and scale differ by {format_share(apart)}, and a read before the store explains"
            f" {format_share(_MOST_BY_STORES - 1)} at most, so something else than memory held one"
            " of them back",
        )
    if not possible:
        return _refuse(
            gbps,
            f"copy and scale differ by {format_share(apart)}, so their stores differ, but no"
            " combination of kernels that read what they overwrite and kernels that do not makes"
            f" all hardware bandwidths agree within {format_share(TOLERANCE)}",
        )
    why = _why(gbps, possible, apart)
    return {name: _verdict(name, possible, apart, why) for name in LOADS}


def contrast(gbps: Mapping[str, float]) -> float:
    """By what share the faster of copy and scale exceeds the slower."""
    pair = (gbps["copy"], gbps["scale"])
    return max(pair) / min(pair) - 1


def _hypotheses() -> list[dict[str, bool]]:
    """Whether each kernel reads all the lines that it stores to."""
    choices = product((False, True), repeat=len(LOADS))
    return [dict(zip(LOADS, choice, strict=True)) for choice in choices]


def _hardware(gbps: Mapping[str, float], full: Mapping[str, bool]) -> dict[str, float]:
    return {name: gbps[name] * (1 + full[name] / (LOADS[name] + 1)) for name in LOADS}


def _agrees(gbps: Mapping[str, float], full: Mapping[str, bool], peak: Peak | None) -> bool:
    hardware = _hardware(gbps, full).values()
    below = peak is None or max(hardware) <= ROUNDING * peak.gbps
    return below and max(hardware) <= (1 + TOLERANCE) * min(hardware)


def _why(gbps: Mapping[str, float], possible: list[dict[str, bool]], apart: float) -> str:
    """What the table shows of all kernels that mean the same in every possible way."""
    unread, read = (
        [name for name in LOADS if {way[name] for way in possible} == {full}]
        for full in (False, True)
    )
    hardware = _hardware(gbps, possible[0])
    shown = ", ".join(f"{hardware[each]:.4g}" for each in LOADS)
    parts = []
    if unread:
        parts.append(f"{listed(unread)} {'does' if len(unread) == 1 else 'do'} not read")
    if read:
        parts.append(f"{listed(read)} {'reads' if len(read) == 1 else 'read'}")
    return (
        f"copy and scale differ by {format_share(apart)}, so their stores differ, and the"
        f" bandwidths of copy, scale, add and triad agree as {shown} GB/s only if"
        f" {' and '.join(parts)} what is overwritten"
    )


def _verdict(name: str, possible: list[dict[str, bool]], apart: float, why: str) -> Alpha:
    said = {hypothesis[name] for hypothesis in possible}
    if len(said) > 1:
        return _cannot_tell(
            f"copy and scale differ by {format_share(apart)}, but hardware bandwidths agree within"
            f" {format_share(TOLERANCE)} whether {name} reads what it overwrites or not"
        )
    full = said.pop()
    # rate x (1 + alpha / (L + 1)) within 10 % of what the hypothesis gives
    reach = TOLERANCE * (LOADS[name] + (2 if full else 1))
    return Alpha(
        verdict="full" if full else "none",
        value=1.0 if full else 0.0,
        low=1.0 - reach if full else 0.0,
        high=1.0 + reach if full else reach,
        evidence="inferred",
        reason=why,
    )


def _cannot_tell(why: str) -> Alpha:
    return Alpha(verdict="cannot-tell", reason=why)


def _refuse(gbps: Mapping[str, float], why: str) -> dict[str, Alpha]:
    return {name: _cannot_tell(why) for name in gbps}

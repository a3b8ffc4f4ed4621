"""Traffic on the memory bus beyond the counted bytes, and how it is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import field

from streamgage.analysis.finding import Finding
from streamgage.analysis.traffic.explanation import ReadAvoidance
from streamgage.analysis.traffic.reason import Reason, in_words
from streamgage.records.quantities import Amount, Difference, Rate, Some
from streamgage.results.measure.facts.base import Fact, some
from streamgage.results.measure.facts.stores import Evidence
from streamgage.units import format_gbps, format_range, format_rate, format_share

_SEEN = {
    "full": "Ordinary stores read every line that they overwrite",
    "partial": "Ordinary stores read part of the lines that they overwrite",
    "none": "Ordinary stores do not read the lines that they overwrite",
    "at-most": "Ordinary stores read at most part of the lines that they overwrite",
}
_READ = {
    "full": ("reads every line that it overwrites", "read every line that they overwrite"),
    "partial": (
        "reads a part of the lines that it overwrites",
        "read a part of the lines that they overwrite",
    ),
    "none": (
        "reads none of the lines that it overwrites",
        "read none of the lines that they overwrite",
    ),
    "at-most": (
        "reads at most a part of the lines that it overwrites",
        "read at most a part of the lines that they overwrite",
    ),
}
"""The verb phrases for one kernel and for several."""


class Reads(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the stores of a variant read."""

    variant: str
    verdict: Literal["full", "none", "partial", "at-most", "cannot-tell"]
    evidence: Evidence | None = None
    alpha: Difference | None = None
    high: Difference | None = None


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """A variant that moves more than its nominal rate says."""

    variant: str
    gbps: Rate
    crossed_gbps: Rate


class StreamingGain(msgspec.Struct, frozen=True, kw_only=True):
    """Of which share of the time a kernel takes with streaming stores."""

    kernel: str
    share: Amount


class TableReads(msgspec.Struct, frozen=True, kw_only=True):
    """What the stores of another benchmark's table read, and what then crossed the bus."""

    stores: Annotated[list[Reads], Some]
    """By kernel."""
    gbps: list[Rate]
    """From the least to the most; empty where nothing is known."""
    shares: list[Amount]
    """The same of the peak."""


class WriteAllocate(Fact, frozen=True, kw_only=True, tag="write-allocate"):
    """Lines that stores read: all, a part, none, or undecidable and why."""

    of_table: TableReads | None = None
    """Of another benchmark; the other fields are those of a run of our own."""
    of_device: list[str] = field(default_factory=list)
    """The kernels with unknown traffic, of a run on a device."""
    ordinary: list[Reads] = field(default_factory=list)
    streaming: list[Reads] = field(default_factory=list)
    hardware: ReadAvoidance | None = None
    """How the hardware avoids reads, if lines were certainly not read."""
    forced: dict[str, Difference] = field(default_factory=dict)
    """By kernel: alpha that times give for stores whose lines are certainly read, where 1 is
    right."""
    unknown: list[list[Reason]] = field(default_factory=list)
    """Why it is not known of some, the first reasons."""
    peak_known: bool = False
    gain: StreamingGain | None = None
    moves: Moves | None = None

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.of_table is not None:
            return self._of_table(self.of_table)
        if self.of_device:
            return self._of_device()
        parts = [_sentence(verdict, self.ordinary) for verdict in _SEEN]
        difference = self._difference()
        text = [*parts, self.hardware.words if self.hardware else "", self._checked()]
        text += [self._undecided(), self._streaming(), difference]
        return self.said(
            reason=" ".join(part for part in (parts[0], difference) if part).rstrip("."),
            text=" ".join(part for part in text if part),
            grade="sound" if any(parts) else "undecided",
        )

    def _of_device(self) -> Finding:
        """What is known of some kernels on a device, and not of others."""
        known = [part for part in (_sentence(verdict, self.ordinary) for verdict in _SEEN) if part]
        why = in_words(self.unknown[0]).rstrip(".") if self.unknown else "It is unknown"
        return self.said(
            reason="how the device's caches write is not known here",
            text=" ".join(
                [
                    *known,
                    f"{why[:1].upper()}{why[1:]}. The figures of {some(self.of_device)} count"
                    " nominal bytes.",
                ]
            ),
        )

    def _of_table(self, table: TableReads) -> Finding:
        crossed = _crossed(table)
        parts = [*(_sentence_of_table(verdict, table.stores) for verdict in _READ), crossed]
        return self.said(
            reason=crossed.rstrip(".") or "which stores read the lines that they overwrite",
            text=" ".join(part for part in parts if part),
            grade="sound",
        )

    def _checked(self) -> str:
        """The inference's self-test on stores whose lines are certainly read."""
        if not self.forced:
            return ""
        values = ", ".join(f"{kernel} {alpha:.2f}" for kernel, alpha in self.forced.items())
        return f"Self-test of this method: {values} (should be 1)."

    def _undecided(self) -> str:
        names = [each.variant for each in self.ordinary if each.verdict == "cannot-tell"]
        if not names:
            return ""
        reasons = [in_words(each).rstrip(".") for each in self.unknown]
        why = f": {'; '.join(reasons)}" if reasons else ""
        remedy = "" if self.peak_known else ", or give the peak with --peak, which may exclude it"
        return (
            f"Whether {some(list(dict.fromkeys(names)))} read the lines that they overwrite is"
            f" unknown{why}. Count traffic on bare metal{remedy}."
        )

    def _streaming(self) -> str:
        """Say whether streaming stores avoided the read, and what they gained."""
        if not self.streaming:
            return ""
        gained = (
            f" With them {self.gain.kernel} takes {format_share(self.gain.share)} of the time."
            if self.gain is not None
            else ""
        )
        return f"Reads for each line of streaming stores: {_values(self.streaming)}.{gained}"

    def _difference(self) -> str:
        """The effect on the most quoted figure; empty if nothing more crossed."""
        if self.moves is None:
            return ""
        return (
            f"So {self.moves.variant} moves {format_gbps(self.moves.crossed_gbps)}, not"
            f" {format_rate(self.moves.gbps)}: compare that with the peak, and use streaming stores"
            " where the result is not read again soon."
        )


def _sentence(verdict: str, ordinary: Sequence[Reads]) -> str:
    """One sentence on the kernels with that verdict; empty if there are none."""
    known: dict[str, list[Reads]] = {}
    for each in ordinary:
        if each.verdict == verdict:
            known.setdefault(each.evidence or "inferred", []).append(each)
    if not known:
        return ""
    ways = "; ".join(f"{evidence}: {_values(these)}" for evidence, these in known.items())
    return f"{_SEEN[verdict]} ({ways})."


def _values(results: Sequence[Reads]) -> str:
    """``copy plain 1.02, triad plain 0.98``: reads for each line stored."""
    return some([f"{each.variant}{_value(each)}" for each in results])


def _value(reads: Reads) -> str:
    if reads.verdict == "at-most":
        bound = reads.alpha if reads.high is None else reads.high
        return "" if bound is None else f" at most {bound:.2f}"
    if reads.alpha is None or reads.alpha == 1.0:  # set by a comparison, and no measured figure
        return ""
    return f" {reads.alpha:.2f}"


def _sentence_of_table(verdict: str, judged: Sequence[Reads]) -> str:
    """Such as: Scale, add and triad read every line that they overwrite (inferred)."""
    these = [each for each in judged if each.verdict == verdict]
    if not these:
        return ""
    *first, last = dict.fromkeys(each.variant for each in these)
    listed = f"{', '.join(first)} and {last}" if first else last
    one, several = _READ[verdict]
    ways = " or ".join(dict.fromkeys(each.evidence or "inferred" for each in these))
    return f"{listed.capitalize()} {several if first else one} ({ways})."


def _crossed(table: TableReads) -> str:
    """Such as: 240.6 to 263.4 GB/s crossed the memory bus, 71 to 77 % of the peak."""
    if not table.gbps:
        return ""
    crossed = format_range(table.gbps[0], table.gbps[-1])
    of_peak = ""
    if table.shares:
        ends = (table.shares[0], table.shares[-1])
        low, high = (format_share(share).removesuffix(" %") for share in ends)
        of_peak = f", {low if low == high else f'{low} to {high}'} % of the peak"
    return f"{crossed} crossed the memory bus{of_peak}."

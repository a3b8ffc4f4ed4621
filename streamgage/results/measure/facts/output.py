"""Facts on another benchmark's saved output, held against that benchmark's own rules."""

from __future__ import annotations

from typing import Annotated

from streamgage.advice import advice
from streamgage.analysis.finding import Finding
from streamgage.analysis.traffic.reading import Readings
from streamgage.records.quantities import Amount, ByteCount, Count, Rate, Some
from streamgage.results.measure.facts.base import Fact, some
from streamgage.results.reported import contradiction_words, cut_off_words, unproved_words
from streamgage.units import (
    capitalised,
    count,
    format_bytes,
    format_gbps,
    format_range,
    format_share,
    listed,
)

_WHOLE = 100
"""GB/s from which a limit needs no fraction."""
_MOST_WAYS = 3
"""So many ways of doing the same work are named; of more, the fastest and the slowest."""
_MOST_TIMES = 1000
"""A greater ratio is no measurement, and its digits say nothing."""


class ContradictsItself(Fact, frozen=True, kw_only=True, tag="contradicts-itself"):
    """The output says something in two ways that differ."""

    corrections: Annotated[list[str], Some]

    def finding(self) -> Finding:
        """The finding, in words."""
        return contradiction_words(self.corrections)


class CutOff(Fact, frozen=True, kw_only=True, tag="cut-off"):
    """The end of the output is missing."""

    after: str

    def finding(self) -> Finding:
        """The finding, in words."""
        return cut_off_words(self.after)


class Unproved(Fact, frozen=True, kw_only=True, tag="unproved"):
    """The output does not record where its threads and pages were, or what else ran."""

    tool: str
    on_gpu: bool = False

    def finding(self) -> Finding:
        """The finding, in words."""
        return unproved_words(self.tool, on_gpu=self.on_gpu)


class ItsOwnWarning(Fact, frozen=True, kw_only=True, tag="its-own-warning"):
    """The benchmark itself warns."""

    tool: str
    warnings: Annotated[list[str], Some]

    def finding(self) -> Finding:
        """The finding, in words."""
        return self.said(
            reason=f"{self.tool} itself warns: {self.warnings[0]}",
            text=f"{self.tool} itself warns: {some([repr(each) for each in self.warnings])}. Mend"
            " that before you quote its figures.",
        )


class FewRepetitions(Fact, frozen=True, kw_only=True, tag="few-repetitions"):
    """Fewer repetitions than the benchmark's own number."""

    repetitions: Count
    usual: Count

    def finding(self) -> Finding:
        """The finding, in words."""
        return self.said(
            reason=f"each kernel ran {self.repetitions} times only",
            text=f"Each kernel ran {self.repetitions} times; {self.usual} are usual (NTIMES of"
            " STREAM). The best of so few may be below what the memory reaches. Run it with more.",
        )


class UnsteadyTable(Fact, frozen=True, kw_only=True, tag="unsteady-table"):
    """Repetitions took far longer than the best."""

    kernel: str
    ratio: Amount
    """Mean time over the best one."""

    def finding(self) -> Finding:
        """The finding, in words."""
        seen = mean_over_best(self.kernel, self.ratio)
        slow = (
            "most repetitions were disturbed"
            if self.severity == "warning"
            else "some repetitions were slow"
        )
        return self.said(
            reason=seen,
            text=f"{capitalised(seen)}, so {slow}."
            " Possible causes are other programs, threads that moved, or pages on other nodes."
            " The best rate is shown; a program gets less. Bind the threads and run it on an idle"
            " machine.",
        )


def mean_over_best(kernel: str, ratio: float) -> str:
    """``the mean time of copy is 1.50 times its best``."""
    times = f"{ratio:.2f}" if ratio < _MOST_TIMES else f"more than {_MOST_TIMES}"
    return f"the mean time of {kernel} is {times} times its best"


class UnevenKernels(Fact, frozen=True, kw_only=True, tag="uneven-kernels"):
    """The rates of copy, scale, add and triad differ by more than their stores explain."""

    rates: dict[str, Rate]
    """Nominal GB/s of copy, scale, add and triad."""
    slow: str | None = None
    """The kernel that alone is slow."""
    pair: Amount | None = None
    """By which share the faster of add and triad is above the slower, where that is too much."""
    ratio: Amount | None = None
    """Add and triad over copy and scale, where that is too much or too little."""
    spread: Amount | None = None
    """By which share the traffic of the loops differs, whatever their stores read."""
    methods: Amount | None = None
    """By which share the fastest way of doing the same work is above the slowest, where that is too
    much; ``rates`` are then those of the ways."""
    array_bytes: ByteCount | None = None
    """The size of each array, if it is known and the ratio, or the difference of the ways, is too
    much. A program that does not show it has a fixed one."""

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.slow is not None:
            return self._held_back(self.slow)
        if self.methods is not None:
            return self._apart(self.methods)
        if self.pair is not None:
            return self.said(
                reason=f"add and triad differ by {format_share(self.pair)}",
                text=f"Add and Triad differ by {format_share(self.pair)}, though they move the same"
                " bytes: the arithmetic, or a disturbed run, and not the memory made the"
                " difference. Run it again, and look at the machine code of the slower one.",
            )
        if self.spread is not None:
            seen = f"the loops differ by {format_share(self.spread)}, whatever their stores read"
            return self.said(
                reason=seen,
                text=f"{capitalised(seen)}: no common bandwidth explains these rates, so"
                " they may not be those of the memory. Caches, a disturbed run or the machine code"
                " may be the reason. Run it again with larger arrays.",
            )
        ratio = self.ratio or 0.0
        one, other, apart = (
            ("Add and Triad", "Copy and Scale", 1 - ratio)
            if ratio < 1
            else ("Copy and Scale", "Add and Triad", 1 - 1 / ratio)
        )
        if ratio < 1:
            why = (
                "If stores read what they overwrite, they would be above. Known reasons: the path"
                " for reads is narrower than that for writes, or three streams fall on the same"
                " banks (try another OFFSET). A low share of the peak then need not mean empty"
                " channels."
            )
        else:
            why = (
                "Stores that read what they overwrite explain an eighth, and memory nothing more."
                f" So a part of the data came from caches{self._of_size()}, or something else"
                " slowed Copy and Scale down. Run it again with larger arrays."
            )
        return self.said(
            reason=f"{one} are {format_share(apart)} below {other}",
            text=f"{one} are {format_share(apart)} below {other}, more than any kind of store"
            f" explains. {why}",
        )

    def _apart(self, share: float) -> Finding:
        ordered = sorted(self.rates, key=lambda name: self.rates[name])
        slow = ordered[0]
        named = self.rates if len(ordered) <= _MOST_WAYS else (ordered[-1], slow)
        shown = [f"{name} has {format_gbps(self.rates[name])}" for name in named]
        others = len(ordered) - len(shown)
        between = f" ({count(others, 'way')} between them)" if others else ""
        larger = ", and run it again with larger arrays" if self.array_bytes is not None else ""
        return self.said(
            reason=f"ways of doing the same work differ by {format_share(share)}",
            text=f"{listed(shown)} in one run{between}, though all of them move the same bytes. No"
            f" kind of store explains that in memory. The machine code of {slow} held it back,"
            " something disturbed it, or caches hold the arrays and it goes past them. Quote the"
            f" fastest{larger}.",
        )

    def _of_size(self) -> str:
        return (
            ""
            if self.array_bytes is None
            else f" (each array has {format_bytes(self.array_bytes)})"
        )

    def _held_back(self, slow: str) -> Finding:
        others = [rate for name, rate in self.rates.items() if name != slow]
        if slow not in self.rates or not others:
            raise ValueError("Expected the rates of all kernels")
        seen = (
            f"{slow.capitalize()} alone is slow: {format_gbps(self.rates[slow])}, where the others"
            f" have {format_range(min(others), max(others))}."
        )
        return self.said(
            reason=f"{slow} alone is slow",
            text=f"{seen} The loops of one compiler have the same stores, so"
            f" something else held {slow} back, such as its machine code. Quote Triad, and look at"
            f" that code."
            if slow != "triad"
            else f"{seen} Something other than the memory held it back. Look at the"
            " machine code of triad.",
        )


class TwoReadings(Fact, frozen=True, kw_only=True, tag="two-readings"):
    """The possible meanings of a table whose rates do not decide it."""

    readings: Readings

    def finding(self) -> Finding:
        """The finding, in words."""
        none, full = self.readings.none, self.readings.full
        least = self.readings.peak_below_gbps
        evidence = self.readings.evidence
        text = (
            f"{none.crossed} crossed the memory bus if no kernel read the lines that it overwrote,"
            f" {full.crossed} if all did. {capitalised(evidence)}."
        )
        if least is not None:
            shown = f"{least:.0f} GB/s" if least >= _WHOLE else format_gbps(least)
            text += f" A peak below {shown} excludes that all did: give --peak."
        else:
            text += f" Only counters decide it: run {advice('measure')} on that machine."
        return self.said(
            reason=f"{none.crossed} or {full.crossed} crossed the memory bus", text=text
        )

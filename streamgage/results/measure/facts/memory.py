"""Facts on the figures: whether memory can have them, whether they are usual, and its limit."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import field

from streamgage.analysis.finding import Finding
from streamgage.analysis.grade import Grade
from streamgage.analysis.peak.usual import USUAL, Usual
from streamgage.records.quantities import (
    Amount,
    Count,
    Members,
    MembersFrom0,
    Rate,
    Seconds,
    Share,
)
from streamgage.results.measure.facts.base import Fact, some
from streamgage.units import count, format_gbps, format_rate, format_share

PeakSource = Literal["given", "smbios", "model", "driver"]
More = Literal["unknown", "threads", "cpus", "guest", "none"]
"""What more there is to use: more of the machine's threads, CPUs that the process was not allowed,
a larger guest, or nothing."""
ModulesKnown = Literal["all", "some", "soldered", "unknown"]
"""Whether every memory channel has a module: all, or only some; ``soldered``: there are none."""


class AbovePeak(Fact, frozen=True, kw_only=True, tag="above-peak"):
    """More crossed than the memory can give, even by the least that must have crossed."""

    variant: str
    gbps: Rate
    peak_gbps: Rate
    peak_source: PeakSource
    peak_detail: str
    small_arrays: bool
    """Whether the arrays were below STREAM's rule."""

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.small_arrays:
            remedy = "The arrays are below STREAM's 4x rule: measure larger ones (--size) first."
        else:
            remedy = {
                "given": "Check the figure given with --peak: channels x transfers a second x 8"
                " bytes.",
                "smbios": "Measure larger arrays (--size); if the figure stays, give the peak with"
                " --peak.",
                "model": "Measure larger arrays (--size); if the figure stays, this memory is"
                " faster than the model says: give the peak with --peak.",
                "driver": "Measure larger arrays (--size); if the figure stays, the driver's clock"
                " or width of the memory is wrong: give the peak with --peak.",
            }[self.peak_source]
        share = format_share(self.gbps / self.peak_gbps)
        return self.said(
            reason=f"{self.variant} is above the peak of {format_gbps(self.peak_gbps)}",
            text=f"{self.variant} moved {format_gbps(self.gbps)}, {share} of the theoretical peak"
            f" of {_peak(self.peak_gbps, self.peak_detail)}. No memory exceeds its peak: part of"
            " the data came from a cache, or the peak is wrong. So no share of it is shown."
            f" {remedy}",
        )


def _peak(gbps: float, detail: str) -> str:
    return f"{format_gbps(gbps)} ({detail})"


class BelowMemory(Fact, frozen=True, kw_only=True, tag="below-memory"):
    """Less than this memory gives crossed, with a thread on every core of the packages in use."""

    grade: ClassVar[Grade] = "sound"
    variant: str
    gbps: Rate
    nominal: bool
    """Whether the figure counts nominal bytes, because what crossed is not known."""
    peak_gbps: Rate
    peak_source: PeakSource
    peak_detail: str
    at_most: bool = False
    """Whether this memory may have less than that peak."""
    of_output: bool
    """Whether it is of another benchmark's output."""
    usual_low: Share = USUAL.low
    usual_high: Share = USUAL.high
    """The shares of the peak that are usual for this processor."""
    usual_reason: str | None = None
    """Why they are not those of most processors."""
    modules: ModulesKnown = "unknown"

    def finding(self) -> Finding:
        """The finding, in words."""
        share = format_share(self.gbps / self.peak_gbps)
        counted = (
            " It counts nominal bytes, without the lines that stores read." if self.nominal else ""
        )
        slower = (
            " The peak is the maximum of this processor model; slower or fewer modules have less."
            " As root, streamgage reads which modules are installed."
            if self.peak_source == "model"
            else " The modules may share channels or run slower, and then the peak is lower."
            if self.at_most
            else ""
        )
        binding = (
            "whether its threads were bound (OMP_PROC_BIND=true, OMP_PLACES=cores)"
            if self.of_output
            else "the binding and at remote pages here"
        )
        usual = Usual(self.usual_low, self.usual_high, self.usual_reason).words()
        channels = {
            "all": "",
            "some": ", at the memory channels without a module",
            "soldered": "",
            "unknown": ", at whether every memory channel has a module, which is not known here",
        }[self.modules]
        return self.said(
            reason=f"only {share} of the peak was reached; {usual}",
            text=f"The most that was seen is {format_gbps(self.gbps)} ({self.variant}), {share} of"
            f" the theoretical peak of {_peak(self.peak_gbps, self.peak_detail)}, with a thread on"
            f" every core; {usual}.{counted}{slower}"
            f" Look at {binding}, at the NUMA mode (NPS, sub-NUMA clusters) and power settings of"
            f" the firmware{channels}, and at what else uses this memory.",
        )


class UnpopulatedChannels(Fact, frozen=True, kw_only=True, tag="unpopulated-channels"):
    """Memory channels had no module."""

    populated: Count
    empty: list[str] = field(default_factory=list)
    """The first slot of each empty channel."""
    missing: Count = 0
    """Channels of the processors that are not on the list of slots."""

    def finding(self) -> Finding:
        """The finding, in words."""
        lacking = len(self.empty) + self.missing
        total = self.populated + lacking
        share = format_share(self.populated / max(total, 1))
        slots = f" (empty: {some(self.empty)})" if self.empty else ""
        unlisted = (
            f" {self.missing} of them are not on the list of slots, so this computer may have"
            " no slots for them."
            if self.missing
            else ""
        )
        return self.said(
            reason=f"{lacking} of {count(total, 'memory channel')} have no module",
            text=f"{lacking} of {count(total, 'memory channel')} have no module{slots}: the memory"
            f" reaches at most {share} of what the processors support.{unlisted} Put modules of"
            " the same kind into every channel.",
        )


class SlowModules(Fact, frozen=True, kw_only=True, tag="slow-modules"):
    """Memory modules run slower than they, and the processor, can."""

    slow: Members
    modules: Members
    megatransfers: Members
    """The rate of the slowest, in 10^6 transfers per second."""
    rated: Members
    """The lowest rate that they are made for."""
    processor: Members | None = None
    """The highest rate that the processor takes; ``None`` if unknown."""
    shared: bool = False
    """Whether modules share a channel."""

    def finding(self) -> Finding:
        """The finding, in words."""
        possible = min(self.rated, self.processor or self.rated)
        takes = (
            f"the processor takes up to {self.processor}"
            if self.processor is not None
            else "it is not known what the processor takes"
        )
        shared = (
            " Two modules share a channel, which many boards run slower." if self.shared else ""
        )
        return self.said(
            reason=f"memory runs at {self.megatransfers} MT/s and is rated {self.rated}",
            text=f"{self.slow} of {count(self.modules, 'memory module')} run at"
            f" {self.megatransfers} MT/s and are rated {self.rated}; {takes}. At {possible} the"
            f" peak would be {format_share(possible / self.megatransfers - 1)} higher.{shared}"
            " Look at the memory clock in the firmware (profiles such as XMP or EXPO), and at the"
            " board's list of rates for this number of modules.",
        )


class NotSaturated(Fact, frozen=True, kw_only=True, tag="not-saturated"):
    """The figures are the limit of the cores and not of the memory."""

    grade: ClassVar[Grade] = "sound"
    kernel: str
    fewest_threads: Members
    most_threads: Members
    speedup: Amount
    """With the most threads over the fewest."""
    lines_in_flight: Amount | None = None
    """Of one core, by Little's law."""
    latency_seconds: Seconds | None = None
    more: More
    cores: MembersFrom0 = 0
    """Of the machine."""

    def finding(self) -> Finding:
        """The finding, in words."""
        lines = (
            ""
            if self.lines_in_flight is None or self.latency_seconds is None
            else f" ({self.lines_in_flight:.0f} lines in flight each,"
            f" {self.latency_seconds * 1e9:.0f} ns away)"
        )
        more = {
            "unknown": "More threads would reach more.",
            "threads": f"Use more threads: {self.cores} cores are here (leave --threads and --cpus"
            " out).",
            "cpus": "Start it with all CPUs of the machine to see what the memory gives.",
            "guest": "More cores of this machine would reach more: only a larger guest shows its"
            " limit.",
            "none": "Nothing is wrong: every core that works adds bandwidth, so use them all.",
        }[self.more]
        return self.said(
            reason="the cores are the limit, not the memory",
            text=f"{count(self.most_threads, 'thread')} run {self.kernel} {self.speedup:.2f} times"
            f" as fast as {self.fewest_threads}: these figures are the limit of the cores"
            f"{lines}, not of the memory. {more}",
        )


class Contradiction(Fact, frozen=True, kw_only=True, tag="contradiction"):
    """A thread series that no undisturbed memory gives, or that its own table contradicts."""

    kernel: str
    threads: MembersFrom0
    gbps: Rate | None = None
    """With all threads, at the end of the series."""
    row_gbps: Rate | None = None
    """What the kernel has in the table; ``None`` where the series contradicts itself."""
    by_table: bool

    def finding(self) -> Finding:
        """The finding, in words."""
        why = (
            rows_differ(self.kernel, self.gbps, self.row_gbps)
            if self.by_table
            else series_falls(self.threads)
        )
        return self.said(
            reason="the thread series contradicts the table, or itself",
            text=f"The run contradicts itself: {why}. So one of its figures is not the"
            " memory's. Look at the other findings, at the binding and at other programs, and"
            " measure again.",
        )


def series_falls(threads: int) -> str:
    """Why a series whose end lies far below its middle shows nothing."""
    return (
        f"{count(threads, 'thread')} together reach far less than fewer do, which no memory"
        " explains: something disturbed them, or they shared cores"
    )


def rows_differ(kernel: str, gbps: float | None, row_gbps: float | None) -> str:
    """Why a series that is not as its kernel's row shows nothing."""
    if gbps is None or row_gbps is None:
        return "this series and the table contradict each other"
    return (
        f"this series, measured last on parts of the arrays, has"
        f" {format_gbps(gbps)} for {kernel} where whole arrays had"
        f" {format_rate(row_gbps)}: something changed between them, or a cache held the parts"
    )

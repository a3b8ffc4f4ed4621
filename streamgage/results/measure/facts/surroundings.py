"""Other activity during the run."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.records import warnings
from streamgage.records.quantities import Amount, Count, Duration, Share
from streamgage.results.measure.facts.base import Fact
from streamgage.units import count, format_share


class Steal(Fact, frozen=True, kw_only=True, tag="steal"):
    """The hypervisor gave time to others."""

    share: Amount
    """Of the time of the CPUs in use."""
    cpu_seconds: Duration
    quiet_share: Share | None = None
    """Of the measured time, that in which all threads had their CPUs: only this counts. Null if the
    figures include the time of others."""

    def finding(self) -> Finding:
        """The finding, in words."""
        share = format_share(self.share)
        felt = (
            ", so the figures are a lower bound."
            if self.quiet_share is None
            else f". {_quiet(self.quiet_share)}."
        )
        return self.said(
            reason=f"{warnings.STEAL_SHORT.format(share)}{_by_quiet(self.quiet_share)}",
            text=warnings.STEAL.format(share, self.cpu_seconds, felt),
        )


class OtherLoad(Fact, frozen=True, kw_only=True, tag="other-load"):
    """Other processes used the same CPUs."""

    share: Amount
    """Of the time of the CPUs in use."""
    cpu_seconds: Duration
    first_block: Count
    last_block: Count
    """The blocks, from 1, in which they used most."""
    blocks: Count
    switches: Count = 0
    """How often a thread had to leave its CPU to another."""
    hit: Count = 0
    samples: Count = 0
    """Timed samples in which one had to, and all."""
    quiet_share: Share | None = None
    """Of the measured time, that in which all threads had their CPUs: only this counts. Null if the
    figures include the time of others."""

    def finding(self) -> Finding:
        """The finding, in words."""
        share = format_share(self.share)
        when = f"block {self.first_block}"
        if self.last_block != self.first_block:
            when = f"blocks {self.first_block} to {self.last_block}"
        switches = (
            f" and took a CPU from a thread {count(self.switches, 'time')}, in"
            f" {self.hit} of {count(self.samples, 'timed sample')}"
            if self.switches
            else ""
        )
        if self.quiet_share is not None:
            return self.said(
                reason=f"{warnings.OTHER_LOAD_SHORT.format(share)}{_by_quiet(self.quiet_share)}",
                text=warnings.OTHER_LOAD.format(share, self.cpu_seconds, _quiet(self.quiet_share)),
            )
        return self.said(
            reason=warnings.OTHER_LOAD_SHORT.format(share),
            text=f"Other processes used {share} of the CPUs in use ({self.cpu_seconds:.1f}"
            f" CPU-seconds, most in {when} of {count(self.blocks, 'block')}){switches}: they"
            " slow samples down and widen the intervals. Stop them (see top), or leave their CPUs"
            " out with --cpus.",
        )


class Disturbed(Fact, frozen=True, kw_only=True, tag="disturbed"):
    """Figures come from disturbed samples alone."""

    names: list[str]
    """The figures without a sample that counts."""

    def finding(self) -> Finding:
        """The finding, in words."""
        named = ", ".join(self.names)
        return self.said(
            reason=f"every sample of {named} was disturbed",
            text=warnings.DISTURBED.format(named, "--thorough"),
        )


def _quiet(share: float) -> str:
    return warnings.QUIET_TIME.format(format_share(share))


def _by_quiet(share: float | None) -> str:
    return "" if share is None else f", and {format_share(share)} of the measured time counts"


class FrequencyLimit(Fact, frozen=True, kw_only=True, tag="frequency-limit"):
    """Clocks were kept below what the processor has."""

    limit_hertz: Count
    hardware_hertz: Count
    capped: bool
    """Whether ``limit_hertz`` is the limit; else clocks above the rated one are off."""
    governor: str

    def finding(self) -> Finding:
        """The finding, in words."""
        left = self.limit_hertz / self.hardware_hertz if self.hardware_hertz else 1.0
        seen = (
            f"The clock may reach {self.limit_hertz / 1e9:.2f} of"
            f" {self.hardware_hertz / 1e9:.2f} GHz (governor {self.governor})"
            if self.capped
            else f"Clocks above the rated one are switched off (governor {self.governor})"
        )
        remedy = (
            "cpupower frequency-set --governor performance, with no --max below the hardware's"
            if self.capped
            else "echo 1 > /sys/devices/system/cpu/cpufreq/boost (or 0 >"
            " /sys/devices/system/cpu/intel_pstate/no_turbo)"
        )
        return self.said(
            reason=(
                f"the clock is limited to {format_share(left)} of the hardware's"
                if self.capped
                else "clocks above the rated one are switched off"
            ),
            text=f"{seen}. Figures of the caches, and others that the cores limit, are lower by the"
            f" same share. As root: {remedy}.",
        )

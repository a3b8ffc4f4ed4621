"""Whether hardware counted the memory traffic, and whether it is believed."""

from __future__ import annotations

import msgspec

from streamgage.analysis.finding import Finding
from streamgage.results.measure.facts.base import Fact

_SO = "what crossed the memory bus is inferred from times, or not known."


class CountersReplayed(Fact, frozen=True, kw_only=True, tag="counters-replayed"):
    """Counters were played back from a recording."""

    def finding(self) -> Finding:
        """The finding, in words."""
        return self.said(
            reason="counters were played back from a recording",
            text="The counters were played back from a recording. Figures marked as replayed were"
            " recorded elsewhere or made up; only times and nominal rates were measured in this"
            " run. Leave --replay out to count here.",
        )


class CountersRejected(Fact, frozen=True, kw_only=True, tag="counters-rejected"):
    """A source was not believed, or was lost in the middle of the run."""

    source: str
    lost: bool = False
    said_why: str
    """In the words of the engine."""

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.lost:
            return self.said(
                reason=f"{self.source} was lost in the middle of the run",
                text=f"{self.source} was lost in the middle of the run: {self.said_why}. Only"
                " samples before that have their traffic: measure again to have it for all.",
            )
        return self.said(
            reason=f"{self.source} counts wrongly and is not used",
            text=f"{self.source} was tested with kernels of known traffic and is not believed:"
            f" {self.said_why}. None of its figures is used: {_SO}",
        )


class AbsentSource(msgspec.Struct, frozen=True, kw_only=True):
    """A source that was looked for."""

    source: str
    said_why: str
    """Why it was not there, in the words of the engine."""


class NoCounters(Fact, frozen=True, kw_only=True, tag="no-counters"):
    """Nothing counted the traffic."""

    accepted: str | None = None
    """The source that was accepted, and for which the samples of every variant were too short."""
    sources: list[AbsentSource] | None = None
    """``None``: none was looked for."""
    guest: bool

    def finding(self) -> Finding:
        """The finding, in words."""
        return self.said(
            reason="no memory counters were read",
            text=f"No memory counters were read: {_SO} {self._why()}",
        )

    def _why(self) -> str:
        if self.accepted is not None:
            return (
                f"{self.accepted} was accepted, but no variant had timed samples of 20 ms in"
                " all, which a reading needs."
            )
        if self.sources is None:
            where = (
                "A guest seldom has counters of the memory controller: only bare metal shows them."
                if self.guest
                else "perf or likwid-perfctr, started next to the run, can count it, as root."
            )
            return f"{where} streamgage-engine --counters says which this system has."
        tried = "; ".join(f"{each.source} ({each.said_why.rstrip('.')})" for each in self.sources)
        if not tried:
            return "No source was looked for."
        return f"Tried: {tried}. streamgage-engine --counters says what would change that."

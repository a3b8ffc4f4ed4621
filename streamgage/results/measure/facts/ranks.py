"""MPI ranks against each other."""

from __future__ import annotations

from typing import ClassVar

from streamgage.analysis.finding import Finding
from streamgage.analysis.grade import Grade
from streamgage.cpu_list import name_cpus
from streamgage.records.quantities import Amount, Count, NumberList, Position
from streamgage.results.measure.facts.base import Fact
from streamgage.units import count, format_share


class SlowRank(Fact, frozen=True, kw_only=True, tag="slow-rank"):
    """A rank took longer than the others, again and again."""

    grade: ClassVar[Grade] = "sound"
    rank: Position
    host: str
    cpus: NumberList
    ratio: Amount
    """Its time over that of the others, median over the samples."""
    slower: Count
    """Samples in which it was slower."""
    samples: Count
    several_hosts: bool

    def finding(self) -> Finding:
        """The finding, in words."""
        longer = format_share(self.ratio - 1)
        return self.said(
            reason=f"rank {self.rank} took {longer} longer than the others",
            text=f"Rank {self.rank} on host {self.host} ({name_cpus(self.cpus)}) took"
            f" {longer} longer than the others for the same work, and was slower in {self.slower}"
            f" of {count(self.samples, 'timed sample')}: all of them wait for it, so the figures"
            " are its own and not those of the rest. See what else runs there, whether its clock is"
            " limited and its memory complete"
            + (", or leave its host out of the host file." if self.several_hosts else "."),
        )

"""The result of ``streamgage measure --runs`` as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. Unknown values are ``None``.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.spread import Spread
from streamgage.records import PageSize
from streamgage.records.quantities import (
    Amount,
    Count,
    Members,
    Number,
    NumberList,
    Rate,
    Share,
    refuse_unknown,
)
from streamgage.results.array_setup import PAGES
from streamgage.results.document import Document


class ComparedSetting(msgspec.Struct, frozen=True, kw_only=True):
    """One of the settings that are compared: a placement, and pages if several are compared."""

    name: str
    placement: str
    pages: PageSize | None = None
    """The pages that its runs ask for; ``None`` if all ask for the same."""

    @property
    def unbound(self) -> bool:
        """``True`` if its threads are left where the system puts them."""
        return self.placement == UNBOUND


def setting_of(
    placement: str, pages: PageSize | None = None, *, alone: bool = False
) -> ComparedSetting:
    """Return the setting with its name: ``cores``, ``cores, 4k``, or ``4k``.

    ``pages``: ``None`` if all runs ask for the same. ``alone``: the only placement.
    """
    words = [placement] if pages is None else [pages] if alone else [placement, pages]
    return ComparedSetting(name=", ".join(words), placement=placement, pages=pages)


MOSTLY = 0.5
"""Runs with this share of their arrays in huge pages show what such pages give."""
UNBOUND = "none"
"""The placement of threads that are left where the system puts them."""


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """A setting's rate divided by the baseline's, as the median over ``n`` rounds.

    ``low`` and ``high`` bound it with 95 % confidence; below 6 rounds they are the range.
    """

    value: Amount
    low: Amount
    high: Amount
    n: Members


class RepeatedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the engine. Runs are listed in the order in which they ran."""

    round: Members
    """The number of the round, from 1. Each round runs every setting once, in random order."""
    setting: str
    threads: Members | None
    cpus: NumberList | None
    """All CPUs on which a thread was in a timed sample; ``None`` if no record shows them."""
    bound: bool | None
    huge_share: Share | None
    """The least share of an array in huge pages; ``None`` if it is unknown."""
    samples: Count
    """The number of timed samples of all kernels together."""
    sharing: Count
    """The number of samples in which several threads were on one CPU."""
    failure: str | None
    """Why its figures are left out of the statistics; ``None`` if they are included."""
    records: str | None
    """The file with its records; ``None`` if they were not kept."""


class RepeatedRate(msgspec.Struct, frozen=True, kw_only=True):
    """The median rate of one run's samples of a kernel."""

    round: Members
    gbps: Rate


class RepeatedKernel(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with one setting, over its runs."""

    kernel: str
    """The kernel with its kind of stores: ``triad plain``."""
    setting: str
    rates: list[RepeatedRate]
    spread: Spread | None
    """The spread over the runs; ``None`` below two runs."""
    ratio: Ratio | None
    """The ratio to the baseline, paired round by round; ``None`` for the baseline itself."""


class Repeat(Document, frozen=True, kw_only=True, tag="repeat"):
    """The result of ``streamgage measure --runs``."""

    rounds: Members
    """The requested number of rounds."""
    seed: Number
    """The seed for the order of the settings in the rounds."""
    settings: list[ComparedSetting]
    baseline: str
    runs: list[RepeatedRun]
    kernels: list[RepeatedKernel]

    def consistent(self) -> None:
        """Raise ``ValueError`` if a part names another part that does not exist."""
        names = [each.name for each in self.settings]
        refuse_unknown("baseline", self.baseline, names)
        runs = {(each.setting, each.round) for each in self.runs}
        for run in self.runs:
            refuse_unknown("setting", run.setting, names)
        for each in self.kernels:
            refuse_unknown("setting", each.setting, names)
            for rate in each.rates:
                refuse_unknown("round", (each.setting, rate.round), runs)

    @property
    def several_pages(self) -> bool:
        """``True`` if pages are compared."""
        return any(each.pages is not None for each in self.settings)

    @property
    def several_placements(self) -> bool:
        """``True`` if placements are compared, or nothing is."""
        return not self.several_pages or len({each.placement for each in self.settings}) > 1

    @property
    def compared(self) -> str:
        """What the settings differ in."""
        both = [*["placement"] * self.several_placements, *["pages"] * self.several_pages]
        return " and ".join(both)

    def lacks_pages(self, setting: ComparedSetting) -> float | None:
        """The least share of an array in huge pages, if its runs asked for more than they got."""
        shares = [
            each.huge_share
            for each in self.runs
            if each.setting == setting.name and each.huge_share is not None
        ]
        if setting.pages in (None, "4k") or not shares or min(shares) >= MOSTLY:
            return None
        return min(shares)

    def others(self) -> list[ComparedSetting]:
        """The settings with figures, except the baseline."""
        names = {each.setting for each in self.kernels}
        return [e for e in self.settings if e.name in names and e.name != self.baseline]

    def base(self) -> ComparedSetting:
        """The setting that the others are compared with."""
        return next(each for each in self.settings if each.name == self.baseline)

    def where(self, setting: ComparedSetting) -> str:
        """The setting in words: ``unbound``, ``with placement cores``, ``with 4 KiB pages``."""
        pages = f"{PAGES[setting.pages]} pages" if setting.pages is not None else ""
        if not self.several_placements:
            return f"with {pages}"
        if setting.unbound:
            return f"unbound with {pages}" if pages else "unbound"
        return f"with placement {setting.placement}" + (f" and {pages}" if pages else "")

    def runs_with(self, setting: ComparedSetting) -> str:
        """Its runs in words: ``unbound runs``, ``runs with placement cores``."""
        where = self.where(setting)
        return where.replace("unbound", "unbound runs") if "unbound" in where else f"runs {where}"

"""Why a node may be slow: codes with values, which become words where they are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import msgspec

from streamgage.records import SlowedBy
from streamgage.records.device import kept_low_by
from streamgage.records.node import Text
from streamgage.records.quantities import Count, CountFrom1, Difference, Members, Rate, Share, Some
from streamgage.units import count, format_gbps, format_rate, format_share

MODULES = "memory modules"
MEMORY = "memory"
DEVICES = "devices"
"""How many devices of that model a node has."""
_COUNTED = {MODULES: "memory module", DEVICES: "device"}
"""Properties that say more in numbers of things than in their own words."""
_NUMBER = re.compile(r"(\d+) x ")


class Oddity(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A property in which a few units differ from most others with that hardware."""

    name: Text
    """The name of the property, such as ``governor``."""
    own: Text
    others: Text
    nodes: Members
    """The number of units with the other value."""

    @property
    def words(self) -> str:
        """``governor powersave, 41 others performance``; of modules how many are missing."""
        own, others = number_of(self.own), number_of(self.others)
        if self.name in _COUNTED and own and others and own < others:
            return (
                f"{count(others - own, _COUNTED[self.name])} missing: {self.own},"
                f" {self.nodes} others {self.others}"
            )
        return f"{self.name} {self.own}, {self.nodes} others {self.others}"


def number_of(text: str | None) -> int | None:
    """The 24 of ``24 x 32 GiB DDR5-4800``; ``None`` if it is unknown."""
    found = _NUMBER.findall(text or "")
    return sum(map(int, found)) or None


class TwoSpeeds(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One figure in two groups of values."""

    kernel: Text
    slow_gbps: Rate
    """The middle of the slow group."""
    fast_gbps: Rate
    slow_share: Share
    """The share of the values that is in the slow group."""


class Cause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="code"):
    """A known cause of a slow or doubtful node."""

    @property
    def words(self) -> str:
        """The cause as a part of a sentence."""
        raise NotImplementedError


class SlowPart(Cause, frozen=True, kw_only=True, tag="slow-part"):
    """A NUMA domain or a core is slow, and most others of the node are not."""

    part: Text
    """The slowest of them, such as ``NUMA domain 5``."""
    more: Count = 0
    """The number of other slow parts of its kind."""
    gbps: Rate
    usual_gbps: Rate
    """What such a part has on the nodes of the class, or else on this node."""

    @property
    def words(self) -> str:
        """``NUMA domain 5 has 46.0 of 92.0 GB/s``."""
        more = f" and {self.more} more" if self.more else ""
        return f"{self.part}{more} has {format_rate(self.gbps)} of {format_gbps(self.usual_gbps)}"


class Disturbance(Cause, frozen=True, kw_only=True, tag="disturbed"):
    """Something disturbed a run on the node."""

    by: str
    """What did, as the node or the judge put it."""

    @property
    def words(self) -> str:
        """Such as ``other programs used the CPUs``."""
        return self.by


class KeptLow(Cause, frozen=True, kw_only=True, tag="device-slowed"):
    """Something kept the clocks of the device low, and not those of most others of its class."""

    slowed_by: Annotated[list[SlowedBy], Some]
    readings: CountFrom1

    @property
    def words(self) -> str:
        """``clocks kept low by its power limit (in 3 of 12 readings)``."""
        return f"clocks kept low by {kept_low_by(self.slowed_by, self.readings)}"


class OddProperty(Cause, frozen=True, kw_only=True, tag="odd-property"):
    """The node's class differs in a property from most nodes with its hardware."""

    oddity: Oddity

    @property
    def words(self) -> str:
        """Such as ``governor powersave, 41 others performance``."""
        return self.oddity.words


class SamplesInTwoGroups(Cause, frozen=True, kw_only=True, tag="two-speeds"):
    """The samples of one run have two speeds."""

    speeds: TwoSpeeds
    run: CountFrom1
    """The number of the run."""

    @property
    def words(self) -> str:
        """``triad: 300 GB/s in 21 % of the samples, 420 GB/s in the others``."""
        speeds = self.speeds
        again = "" if self.run == 1 else f" of run {self.run}"
        return (
            f"{speeds.kernel}: {format_gbps(speeds.slow_gbps)} in {format_share(speeds.slow_share)}"
            f" of the samples{again}, {format_gbps(speeds.fast_gbps)} in the others"
        )


class RunsDisagree(Cause, frozen=True, kw_only=True, tag="runs-disagree"):
    """The runs on the node differ by more than chance makes of the whole fleet."""

    kernel: Text
    gbps: Annotated[list[Rate], Some]
    """The figure of each run."""

    @property
    def words(self) -> str:
        """``triad: its runs disagree, 380 GB/s, 420 GB/s``."""
        return f"{self.kernel}: its runs disagree, {', '.join(map(format_gbps, self.gbps))}"


class FarBelowFew(Cause, frozen=True, kw_only=True, tag="far-below-few"):
    """The node is far below the others of a class that is too small for statistics."""

    effect: Difference
    """The share by which it is above their median: negative."""
    nodes: Members

    @property
    def words(self) -> str:
        """``12 % below the median of 5 nodes, too few for statistics``."""
        return (
            f"{format_share(-self.effect)} below the median of {count(self.nodes, 'node')},"
            " too few for statistics"
        )


class BelowBaseline(Cause, frozen=True, kw_only=True, tag="below-baseline"):
    """The node is below the baseline of its class."""

    kernel: Text
    effect: Difference
    baseline_gbps: Rate

    @property
    def words(self) -> str:
        """``triad 12 % below the baseline of 740 GB/s``."""
        return (
            f"{self.kernel} {format_share(-self.effect)} below the baseline of"
            f" {format_gbps(self.baseline_gbps)}"
        )


class BelowExpected(Cause, frozen=True, kw_only=True, tag="below-expected"):
    """The node is below a published value, or below the usual share of the peak of its modules."""

    kernel: Text
    gbps: Rate
    limit_gbps: Rate
    source: str

    @property
    def words(self) -> str:
        """``triad 180 GB/s, where sound nodes have 198 GB/s and more by CSCS (...)``."""
        return (
            f"{self.kernel} {format_gbps(self.gbps)}, where sound nodes have"
            f" {format_gbps(self.limit_gbps)} and more by {self.source}"
        )


class BelowOwnPast(Cause, frozen=True, kw_only=True, tag="below-own-past"):
    """The node is slower than it was in earlier fleets."""

    effect: Difference

    @property
    def words(self) -> str:
        """``7.5 % below its own past``."""
        return f"{format_share(-self.effect)} below its own past"


class SlowPlace(Cause, frozen=True, kw_only=True, tag="slow-place"):
    """Most nodes of its rack or switch are slow, as it is."""

    place: Text
    effect: Difference

    @property
    def words(self) -> str:
        """``most of r03 is 4 % slower``."""
        return f"most of {self.place} is {format_share(-self.effect)} slower"


class SlowSetting(Cause, frozen=True, kw_only=True, tag="slow-setting"):
    """Most nodes with one of its settings are slow, as it is."""

    name: Text
    value: Text
    effect: Difference

    @property
    def words(self) -> str:
        """``most with kernel 5.15 are 12 % slower``."""
        return f"most with {self.name} {self.value} are {format_share(-self.effect)} slower"


class LowPower(Cause, frozen=True, kw_only=True, tag="low-power"):
    """The nodes of the class are too few or too different to show a slow one."""

    found_from: Share
    """The loss from which on it would have been found."""

    @property
    def words(self) -> str:
        """``a loss below 25 % would not have been found``."""
        return f"a loss below {format_share(self.found_from)} would not have been found"


class NoMajority(Cause, frozen=True, kw_only=True, tag="no-majority"):
    """The nodes of the class fall into two groups, and the node is in the slower one."""

    speeds: TwoSpeeds

    @property
    def words(self) -> str:
        """``with 45 % of its class near 650 GB/s, the others near 740 GB/s``."""
        speeds = self.speeds
        return (
            f"with {format_share(speeds.slow_share)} of its class near"
            f" {format_gbps(speeds.slow_gbps)}, the others near {format_gbps(speeds.fast_gbps)}"
        )


class EngineWarnings(Cause, frozen=True, kw_only=True, tag="engine-warnings"):
    """The engine warned while it measured the node."""

    codes: Annotated[list[Text], Some]

    @property
    def words(self) -> str:
        """``the engine warns: thp-off``."""
        return f"the engine warns: {', '.join(self.codes)}"


class Changed(Cause, frozen=True, kw_only=True, tag="changed"):
    """A property of the node changed since it was last known to be as fast as usual."""

    name: Text
    before: Text
    now: Text

    @property
    def words(self) -> str:
        """``BIOS 1.3 -> 1.4``."""
        return f"{self.name} {self.before} -> {self.now}"


class OtherSetting(Cause, frozen=True, kw_only=True, tag="other-setting"):
    """A setting of the node is not the one of its class in the baseline."""

    name: Text
    own: Text
    of_class: Text

    @property
    def words(self) -> str:
        """``governor powersave, not performance as in its class``."""
        return f"{self.difference} as in its class"

    @property
    def difference(self) -> str:
        """``governor powersave, not performance``."""
        return f"{self.name} {self.own}, not {self.of_class}"


class UnfitEnvironment(Cause, frozen=True, kw_only=True, tag="unfit-environment"):
    """``doctor`` sees what spoils measurements."""

    seen: str
    """What it sees, in its own words."""

    @property
    def words(self) -> str:
        """The words of ``doctor``."""
        return self.seen


AnyCause = (
    SlowPart
    | Disturbance
    | KeptLow
    | OddProperty
    | SamplesInTwoGroups
    | RunsDisagree
    | FarBelowFew
    | BelowBaseline
    | BelowExpected
    | BelowOwnPast
    | SlowPlace
    | SlowSetting
    | LowPower
    | NoMajority
    | EngineWarnings
    | Changed
    | OtherSetting
    | UnfitEnvironment
)


def in_words(causes: Sequence[AnyCause]) -> str:
    """All of them as parts of one sentence; empty where there are none."""
    return "; ".join(each.words for each in causes)

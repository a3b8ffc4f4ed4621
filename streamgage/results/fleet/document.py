"""The answer of ``streamgage fleet`` as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. What is not known is ``None``.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from streamgage.records.device import DeviceId
from streamgage.records.node import Host, SilenceReason, Text, unit_name
from streamgage.records.quantities import (
    Amount,
    CountFrom1,
    Difference,
    Duration,
    Members,
    MembersFrom0,
    Rate,
    Share,
    Time,
    refuse_unknown,
)
from streamgage.results.document import Document
from streamgage.results.fleet.causes import (
    AnyCause,
    BelowExpected,
    Changed,
    Oddity,
    TwoSpeeds,
)

Verdict = Literal["fine", "wrong", "slow", "suspect", "flapping", "cannot-tell", "not-judged"]
"""``wrong``: its results were wrong, however fast; ``slow``: confirmed by a second run;
``suspect``: not confirmed; ``flapping``: two speeds; ``cannot-tell``: it looks slow, but its run
was disturbed; ``not-judged``: its class is too small, and no baseline knows it."""
VERDICTS: tuple[Verdict, ...] = (
    "wrong",
    "slow",
    "flapping",
    "suspect",
    "cannot-tell",
    "not-judged",
    "fine",
)
"""The most important first."""


class FleetFigure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One figure of a node; ``kernel`` may name the NUMA domain or core that it is of."""

    kernel: Text
    gbps: Rate
    low: Rate | None = None
    high: Rate | None = None
    n: CountFrom1 = 1
    effect: Difference | None = None
    """The share by which it is above the median of its class; negative below it."""
    p: Share | None = None
    """The probability that a sound node of the class has a figure this low."""
    q: Share | None = None
    """Expected share of false suspects among those this far out (Benjamini and Hochberg)."""


class NodeRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One run on a node."""

    time: Time
    attempt: CountFrom1 = 1
    seconds: Duration | None = None
    disturbed: str | None = None
    """What disturbed the run, in words; ``None``: nothing known."""
    figures: list[FleetFigure]


class Drift(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A node that is slower than it was."""

    kernel: Text
    before_gbps: Rate
    """The median of its earlier runs."""
    effect: Difference
    """Against them, and against how the rest of its class changed."""
    since: Time
    """The last run in which it was as fast as before."""
    changed: list[Changed]
    """What changed since then."""


class SettingEffect(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a setting or a place adds to the figure that is shown, estimated from all nodes."""

    name: Text
    """The property, such as ``kernel``; ``place``: the rack or switch."""
    value: Text
    nodes: Members
    effect: Difference


class FleetNode(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A unit that answered: the processor of a node, or one of its devices."""

    host: Host
    device: DeviceId | None = None
    """``None``: the processor."""
    group: MembersFrom0
    """The index of its class in ``classes``."""
    verdict: Verdict
    runs: Annotated[list[NodeRun], Meta(min_length=1)]
    """The runs, in the order in which they were made."""
    causes: list[AnyCause] = msgspec.field(default_factory=list)
    """Known causes, the most likely first."""
    drift: Drift | None = None
    place: str | None = None
    """The rack or switch, if the topology is known."""
    oddities: list[Oddity] = msgspec.field(default_factory=list)
    """Settings in which it differs from nearly all others of its class."""
    kernel: Text | None = None
    """The figure that decided the verdict; ``None``: none did."""
    effect: Difference | None = None
    """The share by which that figure of the first run is above what decided, such as a baseline;
    ``None``: nothing but its class did."""

    @property
    def name(self) -> str:
        """``n1``, or ``n1 cuda:0``."""
        return unit_name(self.host, self.device)

    def figure(self, kernel: str) -> FleetFigure | None:
        """The figure of the first run."""
        return next((each for each in self.runs[0].figures if each.kernel == kernel), None)


class ClassFigure(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One figure over the nodes of a class."""

    kernel: Text
    median_gbps: Rate
    scale: Amount
    """Standard deviation of the logarithm, from the median absolute deviation."""
    low_gbps: Rate
    """5 % of the nodes are below."""
    high_gbps: Rate
    """5 % are above."""
    n: Members
    over_baseline: Difference | None = None
    """The share by which the median is above that of the baseline."""


class FleetClass(msgspec.Struct, frozen=True, kw_only=True):
    """Units of the same hardware that were measured in the same way."""

    name: str
    properties: dict[str, str]
    nodes: Members
    judged_by: MembersFrom0 | None
    """The class whose medians they are held against: their own, or one that differs only in what
    ``oddities`` lists; ``None`` if the class is too small and has no such sister."""
    figures: list[ClassFigure]
    oddities: list[Oddity]
    change: Difference | None = None
    """The change of its nodes against their own past, if it exceeds the limit."""
    found_from: Share | None = None
    """The loss of one node from which on it would have been found in the figure that is shown, or
    else in the first; ``None``: none would have been."""
    below: BelowExpected | None = None
    """The source that the median of the figure that is shown is below; ``None``: none is known."""
    effects: list[SettingEffect] = msgspec.field(default_factory=list)
    """Effects of settings and places that are more than chance."""
    two_groups: TwoSpeeds | None = None
    """The two groups of the class's nodes, if there are two."""


class SilentNode(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A node without a result."""

    host: Host
    why: SilenceReason
    reason: str
    asked: bool = True
    """``False``: nobody named the node, and its scheduler did not give it."""


class Fleet(Document, frozen=True, kw_only=True, tag="fleet"):
    """The result of ``streamgage fleet``."""

    asked: Members
    """Nodes that were to answer."""
    time: Time | None
    """When it was measured."""
    launcher: str | None
    deadline: Duration | None
    """Seconds that a node had to answer."""
    seconds: Duration | None
    """Wall time of the whole."""
    node_seconds: Amount | None
    """Wall time that all nodes together gave."""
    limit: Share
    """Smaller effects do not matter to anybody."""
    kernel: Text | None
    """The figure that is shown of each node; ``None`` if no node answered."""
    baseline: str | None
    """The file whose medians stand in for those of classes that are too small."""
    classes: list[FleetClass]
    nodes: list[FleetNode]
    """The units, sorted by name. A node with several measured devices has a unit for each."""
    silent: list[SilentNode]
    clocks: list[str]
    """Nodes whose clock is far from that of the others."""
    notes: list[str]
    """Lines that were not read, a sentence for each kind, and what does not fit the baseline."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if a node or a class names a class that there is not."""
        known = range(len(self.classes))
        for node in self.nodes:
            refuse_unknown("group", node.group, known)
        for each in self.classes:
            if each.judged_by is not None:
                refuse_unknown("judged_by", each.judged_by, known)

    def oddities_of(self, node: FleetNode) -> list[Oddity]:
        """In what a node differs from nearly all others: its hardware, then its settings."""
        return [*self.classes[node.group].oddities, *node.oddities]

    def unanswered(self) -> list[SilentNode]:
        """The nodes that were to answer and did not."""
        return [each for each in self.silent if each.asked]

    def left_out(self) -> list[SilentNode]:
        """The nodes that their scheduler does not give, and that nobody named."""
        return [each for each in self.silent if not each.asked]

    def all_fine(self) -> bool:
        """Whether every node that was to answer was judged, and found fine."""
        return (
            not self.unanswered()
            and bool(self.nodes)
            and all(each.verdict == "fine" for each in self.nodes)
        )

    def bad(self) -> list[FleetNode]:
        """The nodes that no program should run on: wrong ones, then slow ones."""
        return [*self.with_verdict("wrong"), *self.with_verdict("slow")]

    def with_verdict(self, verdict: Verdict) -> list[FleetNode]:
        """The nodes with that verdict, the slowest first."""
        found = [each for each in self.nodes if each.verdict == verdict]
        return sorted(found, key=lambda each: (self.effect_of(each) or 0.0, each.name))

    def loss_of(self, node: FleetNode) -> float | None:
        """The effect on the figure that decided, or else on the one that is shown."""
        kernel = node.kernel or self.kernel
        figure = node.figure(kernel) if kernel else None
        if node.effect is not None or figure is None:
            return self.effect_of(node)
        return figure.effect

    def effect_of(self, node: FleetNode) -> float | None:
        """The effect that decided; else that on the figure that is shown; else the worst."""
        if node.effect is not None:
            return node.effect
        shown = node.figure(self.kernel) if self.kernel else None
        if shown is not None and shown.effect is not None:
            return shown.effect
        return min((e.effect for e in node.runs[0].figures if e.effect is not None), default=None)

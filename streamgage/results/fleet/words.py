"""The conclusions about a fleet, in sentences and parts of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from streamgage.analysis.conclusion import Conclusion, fact, sound
from streamgage.records.node import SilenceReason
from streamgage.results.fleet.causes import (
    MEMORY,
    MODULES,
    LowPower,
    NoMajority,
    OddProperty,
    SlowPlace,
    SlowSetting,
    in_words,
)
from streamgage.results.fleet.document import Drift, Fleet, FleetNode, SettingEffect
from streamgage.results.fleet.effects import PLACE
from streamgage.results.fleet.nodes import folded, folded_units
from streamgage.units import (
    count,
    format_change,
    format_duration,
    format_gbps,
    format_rate,
    format_share,
)

LISTED = 60
"""Letters of a list of nodes among other words."""
WHY: dict[SilenceReason, str] = {
    "no-answer": "no answer before the deadline",
    "died": "died",
    "not-started": "could not start",
    "garbage": "printed nothing readable",
    "not-measured": "could not measure",
    "not-available": "not available",
}


def noun(nodes: Sequence[FleetNode]) -> tuple[str, str]:
    """What these units are, as one and as many: ``node`` and ``nodes``, for example."""
    devices = sum(each.device is not None for each in nodes)
    if not devices:
        return "node", "nodes"
    return ("device", "devices") if devices == len(nodes) else ("unit", "nodes and devices")


def units(nodes: Sequence[FleetNode]) -> str:
    """``3 nodes``, or ``3 devices``."""
    return count(len(nodes), *noun(nodes))


def answered(fleet: Fleet) -> str:
    """``9,968 of 10,000 nodes answered``."""
    of = f"{fleet.asked:,} " if fleet.unanswered() else ""
    hosts = len({each.host for each in fleet.nodes})
    return f"{hosts:,} {'of ' if of else ''}{of}nodes answered"


def headline(fleet: Fleet) -> str:
    """The headline."""
    slow = fleet.with_verdict("slow")
    said = _none_is_slow(fleet)
    if slow:
        who = f"{len(slow):,}" if slow[0].device is None else units(slow)
        said = f"{who} {'is' if len(slow) == 1 else 'are'} slow"
    wrong = len(fleet.with_verdict("wrong"))
    worse = f", {wrong:,} with wrong results" if wrong else ""
    return f"Fleet: {answered(fleet)}, {said}{worse}"


def _none_is_slow(fleet: Fleet) -> str:
    """How sure it is that no node is slow."""
    verdicts = Counter(each.verdict for each in fleet.nodes)
    if not set(verdicts) - {"not-judged", "cannot-tell"}:
        return "none could be judged" if verdicts["cannot-tell"] else "none was judged"
    if set(verdicts) <= {"fine", "wrong"}:
        return "none is slow"
    suspects = f", {count(verdicts['suspect'], 'suspect')}" if verdicts["suspect"] else ""
    return f"none is known to be slow{suspects}"


def undecided_headline(fleet: Fleet) -> str:
    """The headline of a fleet that is not quotable."""
    return f"Fleet: {answered(fleet)}, no conclusion on which {noun(fleet.nodes)[1]} are slow"


def conclusions(fleet: Fleet) -> Iterator[Conclusion]:
    """The rule of the judgement, and what its statistics mean."""
    judged = [each for each in fleet.nodes if each.verdict != "not-judged"]
    if judged:
        one, _ = noun(judged)
        yield fact(
            f"{units(judged)} judged: a {one} is a suspect if a figure is at"
            f" least {fleet.limit:.1%} below what {one}s of its class with its settings reach, and"
            " too low for chance. It is slow if a second run confirms that. Of 100 sound fleets,"
            f" about one has a {one} that is called slow by chance. A {one} is fine where a loss of"
            " 10 % would have been found."
        )
        yield from map(sound, effects_in_words(fleet))
    others = fleet.with_verdict("not-judged")
    if others:
        _, many = noun(others)
        yield fact(
            f"{units(others)} not judged: a class needs 8 {many}, or a baseline (--baseline FILE)."
        )


def effects_in_words(fleet: Fleet) -> Iterator[str]:
    """``kernel 5.15 (340 nodes): -3.0 %.``, for each setting that matters; places are findings."""
    for each in fleet.classes:
        said = [
            f"{effect.name} {effect.value} ({count(effect.nodes, 'node')}):"
            f" {format_change(effect.effect)}"
            for effect in sorted(each.effects, key=lambda effect: effect.effect)
            if effect.name != PLACE
        ]
        if said:
            yield f"In {each.name}, settings change {fleet.kernel}: {'; '.join(said)}."


def slow_places(fleet: Fleet) -> list[SettingEffect]:
    """The racks or switches that are slower as a whole, by the limit or more, the slowest first."""
    found = [
        effect
        for each in fleet.classes
        for effect in each.effects
        if effect.name == PLACE and effect.effect <= -fleet.limit
    ]
    return sorted(found, key=lambda effect: effect.effect)


def slow_settings(fleet: Fleet) -> list[SettingEffect]:
    """The settings whose nodes are slower by the limit or more, the slowest first."""
    found = [
        effect
        for each in fleet.classes
        for effect in each.effects
        if effect.name != PLACE and effect.effect <= -fleet.limit
    ]
    return sorted(found, key=lambda effect: effect.effect)


def setting_in_words(effect: SettingEffect) -> str:
    """``kernel 5.15: 3 % slower (340 nodes)``."""
    nodes = count(effect.nodes, "node")
    return f"{effect.name} {effect.value}: {format_share(-effect.effect)} slower ({nodes})"


def place_in_words(fleet: Fleet, effect: SettingEffect) -> str:
    """``r03: 4 % slower, all of its 40 nodes``; or ``7 of its 10 nodes``."""
    there = [each for each in fleet.nodes if each.place == effect.value]
    slow = sum(each.verdict != "fine" for each in there)
    some = f"{slow:,} of" if slow < len(there) else "all of"
    nodes = count(len(there), "node")
    return f"{effect.value}: {format_share(-effect.effect)} slower, {some} its {nodes}"


def node_in_words(fleet: Fleet, node: FleetNode) -> str:
    """``592 GB/s, -20.0 %: NUMA domain 5 has 46 of 92 GB/s``; another figure has its name."""
    kernel = node.kernel or fleet.kernel
    figure = node.figure(kernel) if kernel else None
    effect = fleet.loss_of(node)
    named = f"{kernel} " if kernel != fleet.kernel and figure is not None else ""
    parts = [
        "" if figure is None else f"{named}{format_gbps(figure.gbps)}",
        "" if effect is None else format_change(effect),
    ]
    if len(node.runs) > 1 and figure is not None:
        later = [e.gbps for run in node.runs[1:] for e in run.figures if e.kernel == kernel]
        if later:
            parts.append(f"again {', '.join(map(format_rate, later))}")
    first = ", ".join(each for each in parts if each)
    return f"{first}: {in_words(node.causes)}" if node.causes else first


def slow_together(node: FleetNode) -> bool:
    """Whether a node is a suspect because all with its rack, setting or memory are slow."""
    return any(
        isinstance(each, SlowPlace | SlowSetting | NoMajority)
        or (isinstance(each, OddProperty) and each.oddity.name in (MODULES, MEMORY))
        for each in node.causes
    )


def why_unknown(nodes: Sequence[FleetNode]) -> str:
    """Why nobody can tell whether these nodes are slow: all of the reasons."""
    causes = [each for node in nodes for each in node.causes]
    reasons = {
        "disturbed": any(run.disturbed for node in nodes for run in node.runs),
        "no healthy majority": any(isinstance(each, NoMajority) for each in causes),
        "too few nodes, or too different": any(isinstance(each, LowPower) for each in causes),
    }
    return "; ".join(reason for reason, holds in reasons.items() if holds)


def drift_in_words(drift: Drift) -> str:
    """``triad 742 GB/s until 2026-03-12, -8.1 % since; BIOS 1.3 -> 1.4``."""
    said = (
        f"{drift.kernel} {format_gbps(drift.before_gbps)} until {drift.since[:10]},"
        f" {format_change(drift.effect)} now"
    )
    changed = ", ".join(each.words for each in drift.changed)
    return f"{said}; {changed}" if changed else said


def silence_in_words(fleet: Fleet) -> str:
    """``12 died, 8 no answer before the deadline``."""
    counted = Counter(each.why for each in fleet.unanswered())
    return ", ".join(f"{number:,} {_why(fleet, why)}" for why, number in counted.most_common())


def _why(fleet: Fleet, why: SilenceReason) -> str:
    """Of nodes that nobody waited for, no deadline is known."""
    return "no answer" if why == "no-answer" and fleet.deadline is None else WHY[why]


def left_out_in_words(fleet: Fleet) -> list[str]:
    """``n3: drained in Slurm: bad DIMM``, a line for each reason."""
    hosts: dict[str, list[str]] = {}
    for each in fleet.left_out():
        hosts.setdefault(each.reason, []).append(each.host)
    return [f"{folded(names, LISTED)}: {why}" for why, names in hosts.items()]


def names(nodes: Sequence[FleetNode], most: int = LISTED) -> str:
    """The names, folded."""
    return folded_units(((each.host, each.device) for each in nodes), most)


def odd_classes(fleet: Fleet) -> list[tuple[str, list[FleetNode]]]:
    """The differences of a few nodes from the others, with these nodes."""
    found: dict[str, list[FleetNode]] = {}
    for each in fleet.nodes:
        if oddities := fleet.oddities_of(each):
            found.setdefault("; ".join(one.words for one in oddities), []).append(each)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def spent(fleet: Fleet) -> Iterator[str]:
    """What ran, and how much time it took."""
    if fleet.launcher is not None:
        yield f"by {fleet.launcher}"
    if fleet.seconds is not None:
        yield f"{format_duration(fleet.seconds)} in all"
    if fleet.node_seconds:
        yield f"{format_duration(fleet.node_seconds)} of all nodes together"
    if fleet.deadline is not None:
        yield f"deadline {format_duration(fleet.deadline)}"

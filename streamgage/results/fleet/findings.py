"""The findings of a fleet."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.tails import LEAST_FAST, NO_MAJORITY
from streamgage.results.document import other_load
from streamgage.results.fleet.causes import LowPower, TwoSpeeds, in_words
from streamgage.results.fleet.classes import noun_of
from streamgage.results.fleet.document import Fleet, FleetClass
from streamgage.results.fleet.nodes import folded
from streamgage.results.fleet.words import (
    LISTED,
    drift_in_words,
    names,
    node_in_words,
    odd_classes,
    place_in_words,
    silence_in_words,
    slow_places,
    units,
)
from streamgage.units import count, format_change, format_gbps, format_share

_MOST_CAUSES = 5
"""The most causes shown for disturbed nodes: those of the slowest."""
_MOST_OF_A_KIND = 5


def wrong_nodes(fleet: Fleet) -> Finding | None:
    """Nodes that computed something wrong."""
    wrong = fleet.with_verdict("wrong")
    if not wrong:
        return None
    wrong_part = "processor" if wrong[0].device is None else "device"
    return Finding(
        code="invalid",
        severity="warning",
        reason=f"{units(wrong)} computed something wrong",
        text=f"{units(wrong)} computed wrong results: {names(wrong)}. Drain"
        f" {('it' if len(wrong) == 1 else 'them')}, and test the memory and the {wrong_part}.",
    )


def slow_nodes(fleet: Fleet) -> Finding | None:
    """Nodes that two runs found slow."""
    slow = fleet.with_verdict("slow")
    if not slow:
        return None
    first = slow[0]
    part = "memory" if first.device is None else "clocks, power and temperature"
    return Finding(
        code="slow-node",
        grade="sound",
        severity="note",
        reason=f"{units(slow)} {'is' if len(slow) == 1 else 'are'} slow",
        text=f"{units(slow)} slow in every run: {names(slow)}; the slowest is"
        f" {first.name} ({node_in_words(fleet, first)}). Drain them and look at their {part}:"
        " --print-drain prints the commands.",
    )


def slow_racks(fleet: Fleet) -> Iterator[Finding]:
    """Racks or switches that are slower as a whole."""
    for each in slow_places(fleet)[:_MOST_OF_A_KIND]:
        yield Finding(
            code="slow-node",
            grade="sound",
            severity="warning",
            reason=f"most of {each.value} is slower",
            text=f"{place_in_words(fleet, each)}. Look for what they share: power, cooling, a"
            " switch, firmware.",
        )


def slow_classes(fleet: Fleet) -> Iterator[Finding]:
    """Whole classes that are below what their nodes should reach."""
    found = [(each, _below_in_words(fleet, each)) for each in fleet.classes]
    for each, (what, said) in [(each, words) for each, words in found if words][:_MOST_OF_A_KIND]:
        yield Finding(
            code="slow-node",
            grade="sound",
            severity="warning",
            reason=f"all of {each.name} is below {what}",
            text=f"All of {each.name}, as a whole: {said}. Look for what its"
            f" {noun_of(each.properties)}s share: firmware, a kernel, power limits; or for another"
            " way of measuring.",
        )


def _below_in_words(fleet: Fleet, group: FleetClass) -> tuple[str, str] | None:
    """What a whole class is below, and by how much; ``None``: nothing."""
    of = next((each for each in group.figures if each.kernel == fleet.kernel), None)
    if of is not None and of.over_baseline is not None:
        over = of.over_baseline
        if group.two_groups is not None and group.two_groups.kernel == of.kernel:
            over = (1 + over) * group.two_groups.fast_gbps / of.median_gbps - 1
        if over > -fleet.limit:
            return None
        said = f"{of.kernel} {format_share(-over)} below the baseline"
        return "its baseline", said if fleet.baseline is None else f"{said} ({fleet.baseline})"
    return None if group.below is None else ("what is expected", group.below.words)


def few_to_compare(fleet: Fleet) -> Finding | None:
    """Nodes that could not be judged, or not called fine."""
    found = [e for e in fleet.nodes if e.verdict == "not-judged"]
    found += [e for e in fleet.nodes if any(isinstance(one, LowPower) for one in e.causes)]
    if not found:
        return None
    return Finding(
        code="unjudged-node",
        severity="warning",
        reason=f"{len(found):,} of {units(fleet.nodes)} could not be judged",
        text=f"{units(found)} could not be judged: {names(found)}. Too few nodes are like them, or"
        " these differ too much. Measure more, or give a baseline.",
    )


def flapping_nodes(fleet: Fleet) -> Finding | None:
    """Nodes with two speeds."""
    found = fleet.with_verdict("flapping")
    if not found:
        return None
    first = found[0]
    return Finding(
        code="flapping-node",
        grade="sound",
        severity="note",
        text=f"{units(found)} with two speeds: {names(found)}; on {first.name}:"
        f" {in_words(first.causes)}. Look for heat, power limits and correctable memory"
        " errors there.",
    )


def silent_nodes(fleet: Fleet) -> Finding | None:
    """Nodes without a result."""
    silent = fleet.unanswered()
    if not silent:
        return None
    most = 2 * len(silent) > fleet.asked
    some = f"{len(silent):,} of {count(fleet.asked, 'node')} gave no result"
    return Finding(
        code="silent-node",
        severity="error" if not fleet.nodes else "spoiled" if most else "warning",
        reason=some if fleet.nodes else "no node answered",
        text=f"{count(len(silent), 'node')} without a result ({silence_in_words(fleet)}):"
        f" {folded((e.host for e in silent), LISTED)}. Look at each: a node that cannot"
        " be measured probably cannot compute either.",
    )


def disturbed_nodes(fleet: Fleet) -> Finding | None:
    """Nodes that something disturbed. Where those are most, the fleet is measured again."""
    found = [each for each in fleet.nodes if any(run.disturbed for run in each.runs)]
    if not found:
        return None
    whole = 2 * len(found) > len(fleet.nodes)
    slowest = sorted(found, key=lambda each: fleet.effect_of(each) or 0.0)[:_MOST_CAUSES]
    causes = [
        f"on {each.name}: {next(run.disturbed for run in each.runs if run.disturbed)}"
        for each in slowest
    ]
    return Finding(
        code="disturbed-node",
        severity="spoiled" if whole else "note",
        reason=f"something disturbed {len(found):,} of {units(fleet.nodes)}",
        text=f"Something disturbed {units(found)}: {names(found)};"
        f" {'; '.join(causes)}. "
        + (
            "Slow nodes among them cannot be found: measure again when the fleet is idle."
            if whole
            else "Such a run cannot show that a node is slow: remove the cause, and measure again."
        ),
    )


def odd_nodes(fleet: Fleet) -> Iterator[Finding]:
    """Hardware or settings that few nodes have."""
    for said, nodes in odd_classes(fleet)[:_MOST_OF_A_KIND]:
        yield Finding(
            code="odd-node",
            severity="note",
            text=f"{names(nodes)}: {said}. Make {'it' if len(nodes) == 1 else 'them'} the"
            " same as the others, unless this is intended.",
        )


def drifted_nodes(fleet: Fleet) -> Iterator[Finding]:
    """Nodes, or whole classes, that are not as fast as they were."""
    found = [each for each in fleet.nodes if each.drift is not None]
    if found:
        first = min(found, key=lambda each: each.drift.effect if each.drift else 0.0)
        assert first.drift is not None, "it was chosen"
        yield Finding(
            code="drift",
            grade="sound",
            severity="note",
            text=f"{units(found)} slower than before: {names(found)}; {first.name}:"
            f" {drift_in_words(first.drift)}. Look for what changed since then.",
        )
    for each in fleet.classes:
        if each.change is not None:
            yield Finding(
                code="drift",
                grade="sound",
                severity="warning" if each.change < 0 else "note",
                reason=f"all of {each.name} changed by {format_change(each.change)}",
                text=f"All {noun_of(each.properties)}s of {each.name} changed by"
                f" {format_change(each.change)} against their own past. Look for what changed"
                " on all of them: kernel, BIOS, microcode, power limits.",
            )


def groups_in_classes(fleet: Fleet) -> Iterator[Finding]:
    """Find classes that an unrecorded difference divides."""
    for each in fleet.classes:
        if each.two_groups is not None:
            many = f"{noun_of(each.properties)}s"
            yield Finding(
                code="two-modes",
                severity="warning",
                reason=f"the {many} of {each.name} fall into two groups"
                + (", without a healthy majority" if _no_majority(each) else ""),
                text=f"The {many} of {each.name} fall into two groups:"
                f" {_groups_in_words(each.two_groups, many)}. {_majority_in_words(fleet, each)}"
                " Look for what differs between them: a setting of the firmware, the rack, the"
                " cooling.",
            )


def _no_majority(group: FleetClass) -> bool:
    share = 0.0 if group.two_groups is None else group.two_groups.slow_share
    return NO_MAJORITY <= share <= 1 - LEAST_FAST


def _majority_in_words(fleet: Fleet, group: FleetClass) -> str:
    """Whether the groups show which of them is the sound one."""
    if not _no_majority(group):
        return "Their median describes neither group."
    known = fleet.baseline is not None or group.below is not None
    more = "" if known else " A baseline (--baseline FILE) would show it."
    return f"There is no healthy majority, so nothing among them shows which is sound.{more}"


def _groups_in_words(groups: TwoSpeeds, many: str) -> str:
    return (
        f"{groups.kernel} is near {format_gbps(groups.slow_gbps)} on"
        f" {format_share(groups.slow_share)} of the {many} and near"
        f" {format_gbps(groups.fast_gbps)} on the others"
    )


CHECKS: tuple[tuple[str, Callable[[Fleet], Finding | Iterator[Finding] | None]], ...] = (
    ("other-load", other_load),
    ("two-modes", groups_in_classes),
    ("invalid", wrong_nodes),
    ("disturbed-node", disturbed_nodes),
    ("slow-node", slow_nodes),
    ("slow-node", slow_classes),
    ("slow-node", slow_racks),
    ("unjudged-node", few_to_compare),
    ("flapping-node", flapping_nodes),
    ("odd-node", odd_nodes),
    ("drift", drifted_nodes),
    ("silent-node", silent_nodes),
)
"""In the order of display, most important first."""

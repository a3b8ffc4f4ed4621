"""The fourth step: the verdict on each unit, by rules that follow each other.

A rule takes what is known of a unit and what the rules before it decided, and returns what is
decided now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import erfc, exp, expm1, log, log1p, sqrt

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.modes import Modes, two_modes
from streamgage.analysis.statistics.tails import Shape
from streamgage.results.fleet.causes import (
    AnyCause,
    BelowBaseline,
    BelowExpected,
    BelowOwnPast,
    FarBelowFew,
    LowPower,
    NoMajority,
    RunsDisagree,
    SamplesInTwoGroups,
    SlowPlace,
    SlowSetting,
    TwoSpeeds,
)
from streamgage.results.fleet.classes import Group
from streamgage.results.fleet.document import Verdict
from streamgage.results.fleet.drift import Drifts
from streamgage.results.fleet.effects import PLACE
from streamgage.results.fleet.expected import Expected
from streamgage.results.fleet.judging.low import FALSE_ALARM, Low, Slow, Tested, below
from streamgage.results.fleet.judging.model import Reference
from streamgage.results.fleet.judging.quantity import Quantity, important_first
from streamgage.results.fleet.judging.units import Unit, shown_quantity

FINE_FROM = 0.10
"""Where a greater loss of one unit would not have been found, no unit is called fine."""
_FAR_BELOW = 5.0
"""Scales below the slower group from which on a unit is slow by itself."""
_TOO_FAST, _RATHER_FAST = 0.002, 0.02
"""The chance that a sound unit was so fast before a loss that this stays unseen: in any class, and
in one where the same loss of most units would be seen."""
_OBVIOUS = 0.10
"""The effect from which a unit is a suspect in a class too small for statistics, ..."""
_COMPARABLE = 3
"""... if it has at least that many units."""
_FEWEST_SAMPLES = 10


@dataclass(frozen=True)
class Case:
    """What is known of one unit."""

    unit: Unit
    reference: Reference
    group: Group
    tested: Tested
    """The tests of the class that it is held against."""
    expected: Expected | None
    """What a source says of the figure that is shown."""
    drifts: Drifts
    shown: Quantity | None
    """The figure that is shown of each unit."""
    limit: float

    @property
    def least(self) -> float:
        """The logarithm of the least loss that matters."""
        return log1p(-self.limit)

    def effect(self, quantity: Quantity, run: int | None = None) -> float:
        """The logarithm of a figure over what the class reaches; of the compared run."""
        figures = self.unit.measured if run is None else self.unit.compared[run]
        return below(self.reference.bulks[quantity], figures[quantity])


@dataclass(frozen=True)
class Decision:
    """What is decided on a unit."""

    verdict: Verdict
    quantity: Quantity | None = None
    """The figure that decided."""
    loss: float | None = None
    """The logarithm of its figure over what decided, where that is not its class."""
    causes: tuple[AnyCause, ...] = ()

    def because(self, *causes: AnyCause) -> Decision:
        """The same, for these reasons, too."""
        return replace(self, causes=(*self.causes, *causes))


Rule = Callable[[Case, Decision], Decision]


def decide(case: Case) -> Decision:
    """The verdict on one unit, by its class and by what else is known of it."""
    if case.unit.is_wrong:
        return Decision("wrong")
    if not any(quantity in case.reference.bulks for quantity in case.unit.measured):
        return Decision("not-judged")
    found = Decision("fine")
    for rule in _RULES:
        found = rule(case, found)
    return found


def _by_class_and_baseline(case: Case, before: Decision) -> Decision:
    """Low in every run, or in the compared one alone."""
    unit, tested = case.unit, case.tested
    modes = _two_speeds(unit, case.limit)
    apart = _runs_apart(case)
    found = before.because(*modes, *apart)
    slow = [
        (low.always[unit.name], low)
        for low in (tested.of_class, tested.of_baseline)
        if unit.name in low.always
    ]
    surest, by = min(slow, key=lambda each: each[0].share, default=(None, None))
    first = tested.of_class.first.get(unit.name) or tested.of_baseline.first.get(unit.name)
    if by is tested.of_baseline or (first and unit.name not in tested.of_class.first):
        found = found.because(_below_baseline(case, surest, first))
    if surest is not None and surest.share <= FALSE_ALARM and unit.sound:
        loss = _loss(case, by, surest)
        return replace(found, verdict="slow", quantity=surest.quantity, loss=loss)
    if (modes or apart) and unit.sound:
        return replace(found, verdict="flapping")
    suspected = surest.quantity if surest is not None else first
    if surest is not None or (first and len(unit.lines) < 2):
        verdict: Verdict = "suspect" if unit.sound else "cannot-tell"
        return replace(found, verdict=verdict, quantity=suspected)
    if first and not unit.sound:
        return replace(found, verdict="cannot-tell", quantity=first)
    return found


def _below_baseline(case: Case, surest: Slow | None, first: Quantity | None) -> BelowBaseline:
    quantity = surest.quantity if surest is not None else first
    assert quantity is not None, "something is below the baseline"
    reference = case.reference.known[quantity]
    return BelowBaseline(
        kernel=quantity.name,
        effect=expm1(below(reference, case.unit.figures[case.unit.first][quantity])),
        baseline_gbps=exp(reference.middle),
    )


def _loss(case: Case, by: Low | None, surest: Slow) -> float | None:
    """Against the baseline, where that decided."""
    if by is not case.tested.of_baseline:
        return None
    figure = case.unit.figures[case.unit.first][surest.quantity]
    return below(case.reference.known[surest.quantity], figure)


def _by_groups(case: Case, before: Decision) -> Decision:
    """A group of units with one speed is no fault of each: something makes them differ.

    Where no group is a clear majority, nothing says which is the sound one.
    """
    if before.verdict not in ("fine", "slow", "suspect"):
        return before
    decided = None if before.quantity is None else case.effect(before.quantity)
    for quantity in important_first(case.unit.measured):
        bulk = case.reference.bulks.get(quantity)
        if bulk is None or bulk.slow_group is None or quantity in case.reference.known:
            continue
        slow = bulk.slow_group.below
        of_its_own = slow - max(-case.least, _FAR_BELOW * bulk.scale)
        effect = case.effect(quantity)
        if not of_its_own < effect < slow / 2 or (decided is not None and decided < of_its_own):
            continue
        if not bulk.slow_group.no_majority and expm1(slow) <= -FINE_FROM:
            continue  # so much is lost by a fault
        alone = case.unit.sound and not bulk.slow_group.no_majority
        speeds = speeds_of(quantity, bulk)
        assert speeds is not None, "it has a slower group"
        verdict: Verdict = "suspect" if alone else "cannot-tell"
        return replace(before, verdict=verdict, quantity=quantity).because(
            NoMajority(speeds=speeds)
        )
    return before


def _by_expected(case: Case, before: Decision) -> Decision:
    """A unit below what its source calls the least is slow; what is usual decides between groups.

    The operator knows better what units reach, so a baseline comes first.
    """
    unit, shown, expected = case.unit, case.shown, case.expected
    if shown is None or expected is None or shown in case.reference.known or not unit.sound:
        return before
    bulk = case.reference.bulks.get(shown)
    if bulk is None or shown not in unit.measured:
        return before
    if before.verdict not in ("fine", "suspect", "cannot-tell"):
        return before
    values = unit.gbps(shown)
    if max(values) >= expected.limit_gbps:
        return before
    speeds = speeds_of(shown, bulk)
    between = speeds is not None and speeds.fast_gbps >= expected.limit_gbps > speeds.slow_gbps
    if expected.firm != "limit" and not between:
        return before
    sure = len(values) > 1 and expected.firm != "peak"
    return replace(
        before,
        verdict="slow" if sure else "suspect",
        quantity=shown,
        loss=log(values[0] / expected.limit_gbps),
    ).because(below_expected(expected, shown, values[0]))


def below_expected(expected: Expected, quantity: Quantity, gbps: float) -> BelowExpected:
    """Say that a figure is below what a source calls the least."""
    return BelowExpected(
        kernel=quantity.name, gbps=gbps, limit_gbps=expected.limit_gbps, source=expected.source
    )


def _by_own_past(case: Case, before: Decision) -> Decision:
    """A unit that is slower than in its own past is a suspect; in two runs it is slow."""
    unit, drift = case.unit, case.drifts.nodes.get(case.unit.name)
    if drift is None or before.verdict not in ("fine", "suspect") or not unit.sound:
        return before
    assert case.shown is not None, "it is what drifts"
    values = [unit.figures[r][case.shown].gbps for r in unit.sound if case.shown in unit.figures[r]]
    # The effect is that of the first run, and against how the rest of the class has changed.
    expected = unit.measured[case.shown].gbps / (1 + drift.effect)
    again = all(each <= expected * (1 - case.limit) for each in values)
    found = replace(before, verdict="slow" if len(values) > 1 and again else "suspect")
    if found.quantity is None:
        found = replace(found, quantity=case.shown, loss=log1p(drift.effect))
    return found.because(BelowOwnPast(effect=drift.effect))


def _by_place_and_settings(case: Case, before: Decision) -> Decision:
    """All units with that place or setting are slow, and nothing else accuses this one."""
    if before.verdict != "fine":
        return before
    shifts = case.reference.shifts
    place = case.unit.place
    if (
        place is not None
        and shifts.get(PLACE, 0.0) <= case.least
        and _is_low_with_others(case, shifts[PLACE])
    ):
        return _with_others(case, before, PLACE).because(
            SlowPlace(place=place, effect=expm1(shifts[PLACE]))
        )
    name = min(shifts, key=lambda each: shifts[each], default=None)
    if name is None or shifts[name] > log1p(-max(case.limit, FINE_FROM)):
        return before
    if not _is_low_with_others(case, shifts[name]):
        return before
    cause = SlowSetting(name=name, value=case.unit.settings[name], effect=expm1(shifts[name]))
    return _with_others(case, before, name).because(cause)


def _is_low_with_others(case: Case, shift: float) -> bool:
    """Whether a unit is nearer to those of its place or setting than to all others."""
    if case.shown is None or case.shown not in case.unit.measured:
        return True
    return case.effect(case.shown) <= -shift / 2


def _with_others(case: Case, before: Decision, name: str) -> Decision:
    """Suspect a unit if all with that setting or place are slow; its loss includes theirs."""
    loss = None
    if case.shown is not None and case.shown in case.unit.measured:
        loss = case.effect(case.shown) + case.reference.shifts[name]
    return replace(before, verdict="suspect", quantity=case.shown, loss=loss)


def _by_memory(case: Case, before: Decision) -> Decision:
    """A class of few nodes with less memory than most is slow as a whole, if that costs as much."""
    shown = case.shown
    if before.verdict != "fine" or shown is None or shown not in case.unit.measured:
        return before
    of_class, more = case.reference.bulks.get(shown), case.reference.with_more_memory.get(shown)
    if of_class is None or more is None:
        return before
    if of_class.middle - more.middle > log1p(-max(case.limit, FINE_FROM)):
        return before
    loss = below(more, case.unit.measured[shown])
    return replace(before, verdict="suspect", quantity=shown, loss=loss)


def _by_power(case: Case, before: Decision) -> Decision:
    """Ask whether a unit that nothing accuses may be called fine."""
    if before.verdict != "fine":
        return before
    unit, found_from = case.unit, case.tested.found_from
    least = max(case.limit, FINE_FROM)
    effects = {
        quantity: expm1(max(case.effect(quantity, run) for run in unit.runs_with(quantity)))
        for quantity in case.reference.bulks
        if quantity in unit.measured
    }
    lowest = min(effects, key=lambda each: effects[each], default=None)
    found = before
    if lowest is not None and effects[lowest] <= -least:
        verdict: Verdict = "suspect" if unit.sound else "cannot-tell"
        found = replace(before, verdict=verdict, quantity=lowest)
    elif found_from is not None:
        powerful = found_from <= least
        if not _is_surely_fine(case, least, _RATHER_FAST if powerful else _TOO_FAST):
            decided = lowest if powerful else None
            found = replace(before, verdict="cannot-tell", quantity=decided)
    if found.verdict != "fine" and found_from is not None and found_from > least:
        return found.because(LowPower(found_from=found_from))
    return found


def _is_surely_fine(case: Case, loss: float, chance: float) -> bool:
    """Whether a unit with such a loss would have been too fast before it.

    A unit near the middle of its class is fine though a loss of one far above could stay unseen.
    One that is low may have been far above, also where a loss of most others would be seen.
    """
    return all(
        bulk.excludes(log(figure.gbps) - log1p(-loss), chance)
        for quantity, figure in case.unit.measured.items()
        if quantity.part is None and (bulk := case.reference.bulks.get(quantity)) is not None
    )


def _by_past_of_class(case: Case, before: Decision) -> Decision:
    """Where a whole class lost a tenth against its own past, none of its units is fine."""
    change = case.drifts.classes.get(case.unit.group)
    if before.verdict != "fine" or change is None or change > -FINE_FROM:
        return before
    return replace(before, verdict="suspect", quantity=case.shown, loss=log1p(change)).because(
        BelowOwnPast(effect=change)
    )


def _by_measurement(case: Case, before: Decision) -> Decision:
    """A unit that was measured in another way is not accused by the comparison."""
    if before.verdict == "fine" or case.group.comparable:
        return before
    return replace(before, verdict="cannot-tell")


_RULES: Sequence[Rule] = (
    _by_class_and_baseline,
    _by_groups,
    _by_expected,
    _by_own_past,
    _by_place_and_settings,
    _by_memory,
    _by_power,
    _by_past_of_class,
    _by_measurement,
)


def with_small_classes(
    units: Sequence[Unit], decisions: Mapping[str, Decision]
) -> dict[str, Decision]:
    """Suspect what lies far below the median of a class that is too small for statistics, too."""
    found = dict(decisions)
    by_group: dict[int, list[Unit]] = {}
    for each in units:
        if found[each.name].verdict == "not-judged":
            by_group.setdefault(each.group, []).append(each)
    for few in by_group.values():
        quantity = shown_quantity(few)
        shown = [each for each in few if quantity in each.measured]
        if quantity is None or len(shown) < _COMPARABLE:
            continue
        middle = median(sorted(each.measured[quantity].gbps for each in shown))
        for each in shown:
            effect = each.measured[quantity].gbps / middle - 1
            if effect <= -_OBVIOUS:
                verdict: Verdict = "suspect" if each.sound else "cannot-tell"
                suspected = replace(found[each.name], verdict=verdict, quantity=quantity)
                cause = FarBelowFew(effect=effect, nodes=len(shown))
                found[each.name] = suspected.because(cause)
    return found


def speeds_of(quantity: Quantity, bulk: Shape) -> TwoSpeeds | None:
    """The two groups of a class, if there are two."""
    if bulk.slow_group is None:
        return None
    return TwoSpeeds(
        kernel=quantity.name,
        slow_gbps=exp(bulk.middle + bulk.slow_group.below),
        fast_gbps=exp(bulk.middle),
        slow_share=bulk.slow_group.share,
    )


def _two_speeds(unit: Unit, limit: float) -> list[AnyCause]:
    """A figure whose samples fall into two groups."""
    for run, figures in enumerate(unit.figures):
        for quantity in important_first(figures):
            ordered = sorted(figures[quantity].samples)
            n = len(ordered)
            if n < _FEWEST_SAMPLES:
                continue
            # Groups that hold a tenth of the samples reach beyond these two.
            lower, upper = ordered[n // 10], ordered[-1 - n // 10]
            if upper < (1 + 2 * limit) * lower:
                continue
            modes = two_modes([1 / each for each in ordered])
            if modes is None or modes.slow < (1 + 2 * limit) * modes.fast:
                continue
            return [SamplesInTwoGroups(speeds=_speeds(quantity, modes), run=run + 1)]
    return []


def _speeds(quantity: Quantity, modes: Modes) -> TwoSpeeds:
    return TwoSpeeds(
        kernel=quantity.name,
        slow_gbps=1 / modes.slow,
        fast_gbps=1 / modes.fast,
        slow_share=1 - modes.fast_share,
    )


def _runs_apart(case: Case) -> list[AnyCause]:
    """A figure that runs disagree on by more than chance makes of all that were tested."""
    unit = case.unit
    for quantity in important_first(unit.measured) if len(unit.sound) > 1 else ():
        bulk = case.reference.bulks.get(quantity)
        if bulk is None:
            continue
        values = unit.compared_gbps(quantity)
        apart = log(max(values) / min(values))
        z = apart / (sqrt(2) * bulk.scale)
        if apart > -case.least and erfc(z / sqrt(2)) * case.tested.number <= FALSE_ALARM:
            return [RunsDisagree(kernel=quantity.name, gbps=unit.gbps(quantity))]
    return []

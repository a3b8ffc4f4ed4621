"""The third step: which figures of a class are lower than chance explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import NamedTuple

from streamgage.analysis.statistics.outliers import false_discovery
from streamgage.analysis.statistics.tails import Shape
from streamgage.records.node import NodeFigure
from streamgage.results.fleet.judging.model import Model, Reference, own_scale
from streamgage.results.fleet.judging.quantity import Quantity
from streamgage.results.fleet.judging.units import Unit

FALSE_SUSPECTS = 0.05
"""Share of the suspects that may be sound: they are only measured again."""
FALSE_ALARM = 0.01
"""Share of the slow nodes that may be sound, and so the chance that a class without a slow node has
one."""
_MOST_TOGETHER = 8
"""As many slow figures of a class at most make it more likely that another one is slow."""


class Chance(NamedTuple):
    """How likely chance makes a figure this low."""

    p: float
    """The probability that a sound unit of the class has it."""
    q: float
    """The expected share of false suspects among those this far out."""


class Slow(NamedTuple):
    """A unit that is low in every run."""

    share: float
    """The share of such units that is sound."""
    quantity: Quantity


@dataclass(frozen=True)
class Low:
    """Units that are lower than chance explains, by their names."""

    first: Mapping[str, Quantity]
    """In the run that is compared with others."""
    always: Mapping[str, Slow]
    """In every run."""
    chances: Mapping[str, Mapping[Quantity, Chance]]
    """How likely each figure is, whether it is low or not."""


@dataclass(frozen=True)
class Tested:
    """What the tests of the units of a class found."""

    number: int
    """How many figures were tested."""
    of_class: Low
    """Against the class itself."""
    of_baseline: Low
    """Against the baseline."""
    found_from: float | None
    """The loss of one unit from which on it would be found; ``None``: none would be."""


class _Test(NamedTuple):
    unit: Unit
    quantity: Quantity
    bulk: Shape
    runs: Sequence[Mapping[Quantity, NodeFigure]]
    """The figures of each run."""


def tested(
    units: Sequence[Unit],
    references: Mapping[str, Reference],
    model: Model,
    shown: Quantity | None,
    limit: float,
) -> Tested:
    """Test the units that are held against one class, whose model is given."""
    tests = [
        _Test(unit, quantity, bulk, unit.compared)
        for unit in units
        for quantity in unit.measured
        if (bulk := references[unit.name].bulks.get(quantity)) is not None
    ]
    of_baseline = [
        _Test(unit, quantity, bulk, unit.figures)
        for unit in units
        for quantity in unit.measured
        if (bulk := references[unit.name].known.get(quantity)) is not None
        and quantity in model.fits
    ]
    bulk = model.bulks.get(shown) if shown is not None else None
    bulk = bulk or next(iter(model.bulks.values()), None)
    known = model.known.get(shown) if shown is not None else None
    # A loss lowers all figures of a unit, so as many tests together find it.
    chance = FALSE_SUSPECTS / len(units)
    return Tested(
        number=len(tests),
        of_class=_find_low(tests, limit, _MOST_TOGETHER),
        of_baseline=_find_low(of_baseline, limit, None),  # all units may be below it
        found_from=min(
            (e.least_loss(chance) for e in (bulk, known) if e is not None), default=None
        ),
    )


def _find_low(tests: Sequence[_Test], limit: float, together: int | None) -> Low:
    """Find low figures. Suspects and slow units are chosen by the share that may be sound."""
    least = log1p(-limit)
    first: dict[str, Quantity] = {}
    slow: dict[str, Slow] = {}
    chances: dict[str, dict[Quantity, Chance]] = {}
    ps = [_chance(each.bulk, each.runs[each.unit.first][each.quantity]) for each in tests]
    shares = false_discovery(ps)
    confirmed = [
        max(_chance(bulk, figures[run][quantity]) for run in runs)
        if share <= FALSE_SUSPECTS and len(runs := unit.runs_with(quantity)) > 1
        else 1.0
        for (unit, quantity, bulk, figures), share in zip(tests, shares, strict=True)
    ]
    sure = false_discovery(confirmed)
    for (unit, quantity, bulk, figures), p, q, once, always in zip(
        tests, ps, shares, confirmed, sure, strict=True
    ):
        chances.setdefault(unit.name, {})[quantity] = Chance(p, q)
        if q > FALSE_SUSPECTS or below(bulk, figures[unit.first][quantity]) > least:
            continue
        if unit.name not in first or quantity.is_first:
            first[unit.name] = quantity
        mildest = max(below(bulk, figures[run][quantity]) for run in unit.runs_with(quantity))
        # However many units are slow, a sound one among them is not taken with them.
        share = always if together is None else max(always, once * len(tests) / together)
        if share < 1 and mildest <= least:
            found = Slow(share, quantity)
            slow[unit.name] = min(found, slow.get(unit.name, found), key=_more_important)
    return Low(first, slow, chances)


def _more_important(slow: Slow) -> tuple[bool, bool, float]:
    """Triad comes first if it is surely low, then what is the surest."""
    return slow.share > FALSE_ALARM, not slow.quantity.is_first, slow.share


def below(bulk: Shape, figure: NodeFigure) -> float:
    """The logarithm of a figure over the middle of a bulk."""
    return log(figure.gbps) - bulk.middle


def _chance(bulk: Shape, figure: NodeFigure) -> float:
    """The probability that a sound unit has a figure this low."""
    return bulk.lower_tail(log(figure.gbps), own_scale(figure))

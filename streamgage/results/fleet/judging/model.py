"""The second step: what the units of a class reach, and what each of them is held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.outliers import FEWEST, log_width
from streamgage.analysis.statistics.tails import Shape, shape_of
from streamgage.records.node import NodeFigure
from streamgage.results.fleet.baseline import Baseline
from streamgage.results.fleet.classes import Group, Properties
from streamgage.results.fleet.effects import PLACE, Fit, fitted
from streamgage.results.fleet.judging.quantity import Quantity
from streamgage.results.fleet.judging.units import Unit

_LEAST_SCALE = 1e-3
"""Units of a class that agree better than that do so by chance."""


@dataclass(frozen=True)
class Model:
    """What the units of a class reach: effects of settings and places, and what is left."""

    bulks: Mapping[Quantity, Shape]
    """What sound units reach without these effects."""
    fits: Mapping[Quantity, Fit]
    known: Mapping[Quantity, Shape]
    """The baseline."""
    varied: Sequence[str]
    """The properties in which units of the class differ."""

    def reference(self, unit: Unit, shown: Quantity | None) -> Reference:
        """What a unit of this class is held against."""
        if not any(fit.effects for fit in self.fits.values()):
            return Reference(self.bulks, self.known)
        settings = _varied(unit, self.varied)
        bulks = {
            quantity: _shifted(bulk, self.fits[quantity].shift(settings))
            if quantity in self.fits
            else bulk
            for quantity, bulk in self.bulks.items()
        }
        if shown is None or shown not in self.fits:
            return Reference(bulks, self.known)
        fit = self.fits[shown]
        shifts = {name: fit.shift({name: value}) for name, value in settings.items()}
        return Reference(bulks, self.known, shifts=shifts)


@dataclass(frozen=True)
class Reference:
    """What a unit is held against."""

    bulks: Mapping[Quantity, Shape]
    """What sound units with its settings reach."""
    known: Mapping[Quantity, Shape]
    """The baseline of its class."""
    with_more_memory: Mapping[Quantity, Shape] = field(default_factory=dict)
    """What the same nodes reach with all of their memory, where these few have less."""
    shifts: Mapping[str, float] = field(default_factory=dict)
    """The effects of its settings and its place on the figure that is shown, as logarithms."""


def references_of(
    units: Sequence[Unit], groups: Sequence[Group], models: Sequence[Model], shown: Quantity | None
) -> dict[str, Reference]:
    """What each unit is held against, by its name: its own class, or one that is like it."""
    found = {}
    for each in units:
        judged_by = groups[each.group].judged_by
        if judged_by == each.group:
            found[each.name] = models[each.group].reference(each, shown)
        else:
            by = each.group if judged_by is None else judged_by
            found[each.name] = Reference(models[by].bulks, models[each.group].known)
        more = groups[each.group].has_less_memory_than
        if more is not None:
            found[each.name] = replace(found[each.name], with_more_memory=models[more].bulks)
    return found


def model_of(units: Sequence[Unit], properties: Properties, baseline: Baseline | None) -> Model:
    """Estimate what the units of a class reach; of one that is too small only a baseline is known.

    ``properties``: those of the class.
    """
    quantities = dict.fromkeys(quantity for each in units for quantity in each.measured)
    known = _known(quantities, properties, baseline)
    names = dict.fromkeys(name for each in units for name in each.settings)
    varied = [
        name
        for name in names
        if name == PLACE or len({each.settings.get(name) for each in units} - {None}) > 1
    ]
    bulks: dict[Quantity, Shape] = {}
    fits: dict[Quantity, Fit] = {}
    for quantity in quantities:
        shown = [each for each in units if quantity in each.measured]
        sound = [each for each in shown if each.sound]
        used = sound if len(sound) >= FEWEST else shown
        if len(used) < FEWEST:
            if quantity in known:
                bulks[quantity] = known[quantity]
            continue
        figures = [each.measured[quantity] for each in used]
        floor = max(_LEAST_SCALE, median(sorted(own_scale(each) for each in figures)))
        settings = [_varied(each, varied) for each in used]
        fit = fitted([log(each.gbps) for each in figures], settings, floor)
        fits[quantity] = fit
        bulks[quantity] = shape_of(fit.rest, floor)
    return Model(bulks, fits, known, varied)


def _known(
    quantities: Mapping[Quantity, None], properties: Properties, baseline: Baseline | None
) -> dict[Quantity, Shape]:
    if baseline is None:
        return {}
    by_name = baseline.bulks_for(properties)
    return {
        each: Shape(bulk.middle, bulk.scale, bulk.n)
        for each in quantities
        if (bulk := by_name.get(each.name)) is not None
    }


def _varied(unit: Unit, varied: Sequence[str]) -> dict[str, str]:
    return {name: unit.settings[name] for name in varied if name in unit.settings}


def _shifted(bulk: Shape, shift: float) -> Shape:
    return replace(bulk, middle=bulk.middle + shift) if shift else bulk


def own_scale(figure: NodeFigure) -> float:
    """The standard error of the logarithm of a unit's own median."""
    if figure.low is None or figure.high is None:
        return 0.0
    return log_width(figure.low, figure.high)

"""The last step: units and classes as the result keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, expm1

from streamgage.analysis.statistics.intervals import median
from streamgage.results.fleet.causes import BelowExpected, TwoSpeeds
from streamgage.results.fleet.classes import Group
from streamgage.results.fleet.document import (
    ClassFigure,
    FleetClass,
    FleetFigure,
    FleetNode,
    NodeRun,
    SettingEffect,
)
from streamgage.results.fleet.expected import Expected
from streamgage.results.fleet.judging.decisions import (
    Case,
    Decision,
    below_expected,
    speeds_of,
)
from streamgage.results.fleet.judging.model import Model
from streamgage.results.fleet.judging.quantity import Quantity, important_first
from streamgage.results.fleet.judging.units import Unit

_LEAST_EFFECT = 0.01
"""Smaller effects of settings are not shown."""
_EDGE = 0.05
"""The share of a class below and above the range that is shown."""


def node_of(case: Case, decision: Decision) -> FleetNode:
    """A unit with its verdict."""
    unit = case.unit
    device = unit.lines[0].device
    return FleetNode(
        host=unit.lines[0].host,
        device=None if device is None else device.id,
        group=unit.group,
        verdict=decision.verdict,
        runs=[_run(case, run) for run in range(len(unit.lines))],
        causes=list(decision.causes),
        drift=case.drifts.nodes.get(unit.name),
        place=unit.place,
        oddities=case.group.unit_oddities.get(unit.name, []),
        kernel=None if decision.quantity is None else decision.quantity.name,
        effect=None if decision.loss is None else expm1(decision.loss),
    )


def _run(case: Case, run: int) -> NodeRun:
    line = case.unit.lines[run]
    return NodeRun(
        time=line.time,
        attempt=line.attempt,
        seconds=line.seconds,
        disturbed=case.unit.disturbed[run],
        figures=[_figure(case, run, quantity) for quantity in case.unit.figures[run]],
    )


def _figure(case: Case, run: int, quantity: Quantity) -> FleetFigure:
    unit = case.unit
    figure = unit.figures[run][quantity]
    judged = quantity in case.reference.bulks
    chance = (
        case.tested.of_class.chances[unit.name][quantity] if judged and run == unit.first else None
    )
    return FleetFigure(
        kernel=quantity.name,
        gbps=figure.gbps,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        effect=expm1(case.effect(quantity, run)) if judged else None,
        p=None if chance is None else chance.p,
        q=None if chance is None else chance.q,
    )


def class_of(
    group: Group,
    units: Sequence[Unit],
    model: Model,
    judged_by: Model | None,
    *,
    shown: Quantity | None,
    expected: Expected | None,
    found_from: float | None,
    change: float | None,
) -> FleetClass:
    """A class with its units. ``judged_by``: the model that these are held against."""
    quantities = important_first(dict.fromkeys(each for unit in units for each in unit.measured))
    figures = [_class_figure(each, units, model, judged_by) for each in quantities]
    two_groups = next(
        (
            speeds
            for each in quantities
            if each in model.fits and (speeds := speeds_of(each, model.bulks[each])) is not None
        ),
        None,
    )
    fit = None if shown is None else model.fits.get(shown)
    return FleetClass(
        name=group.name,
        properties={name: text for name, text in group.properties.items() if text is not None},
        nodes=len(group.units),
        judged_by=group.judged_by,
        figures=figures,
        oddities=group.oddities,
        found_from=found_from,
        below=_class_below(expected, figures, two_groups, shown),
        effects=[
            SettingEffect(
                name=each.name, value=each.value, nodes=each.nodes, effect=expm1(each.size)
            )
            for each in (fit.effects if fit is not None else ())
            if each.sure and abs(each.size) >= _LEAST_EFFECT
        ],
        two_groups=two_groups,
        change=change,
    )


def _class_figure(
    quantity: Quantity, units: Sequence[Unit], model: Model, judged_by: Model | None
) -> ClassFigure:
    values = sorted(each.measured[quantity].gbps for each in units if quantity in each.measured)
    bulk = None if judged_by is None else judged_by.bulks.get(quantity)
    known = model.known.get(quantity)
    edge = int(_EDGE * (len(values) - 1))
    return ClassFigure(
        kernel=quantity.name,
        median_gbps=median(values),
        scale=0.0 if bulk is None else bulk.scale,
        low_gbps=values[edge],
        high_gbps=values[-1 - edge],
        n=len(values),
        over_baseline=None if known is None else median(values) / exp(known.middle) - 1,
    )


def _class_below(
    expected: Expected | None,
    figures: Sequence[ClassFigure],
    two_groups: TwoSpeeds | None,
    shown: Quantity | None,
) -> BelowExpected | None:
    """The source that a whole class is below; of two groups, the faster one."""
    if expected is None or shown is None:
        return None
    level = next((each.median_gbps for each in figures if each.kernel == shown.name), None)
    if two_groups is not None and two_groups.kernel == shown.name:
        level = two_groups.fast_gbps
    if level is None or level >= expected.limit_gbps:
        return None
    return below_expected(expected, shown, level)

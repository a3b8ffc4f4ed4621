"""The first step: the runs of each unit, by what was measured, and what disturbed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from msgspec.structs import replace

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.outliers import FEWEST
from streamgage.records.node import NodeFigure, NodeLine
from streamgage.results.fleet.causes import KeptLow
from streamgage.results.fleet.classes import Group
from streamgage.results.fleet.effects import PLACE
from streamgage.results.fleet.gather import INVALID
from streamgage.results.fleet.judging.disturbances import Usual
from streamgage.results.fleet.judging.quantity import Quantity, of_node, of_part

_Runs = Sequence[Mapping[Quantity, NodeFigure]]
_MOST_OF_A_CLASS = 0.5
_NEARLY_ALL = 0.8
_LEAST_SHARED = 0.01
"""Smaller changes of a whole class from run to run are left in."""


@dataclass(frozen=True)
class Unit:
    """The processor of a node, or one of its devices, and its runs."""

    name: str
    group: int
    """The number of its class."""
    lines: Sequence[NodeLine]
    """Its runs, in the order in which they were made."""
    figures: Sequence[Mapping[Quantity, NodeFigure]]
    """The figures of each run."""
    compared: Sequence[Mapping[Quantity, NodeFigure]]
    """The same without what a run of most of the class has in common against their first: some of
    it is the hour, such as that of a cold machine, and no property of a unit."""
    disturbed: Sequence[str | None]
    """What disturbed each run; ``None``: nothing known."""
    kept_low: KeptLow | None
    settings: Mapping[str, str]
    """Its settings, and its place if that is known."""

    @cached_property
    def sound(self) -> list[int]:
        """The runs that nothing disturbed."""
        return [run for run, by in enumerate(self.disturbed) if by is None]

    @cached_property
    def first(self) -> int:
        """The run that is compared with others."""
        return self.sound[0] if self.sound else 0

    @cached_property
    def measured(self) -> Mapping[Quantity, NodeFigure]:
        """The figures of the run that is compared with others."""
        return self.compared[self.first]

    @property
    def place(self) -> str | None:
        """Its rack or switch; ``None`` if it is unknown."""
        return self.settings.get(PLACE)

    @property
    def is_wrong(self) -> bool:
        """Whether a run computed wrong results."""
        return any(
            INVALID in line.warnings or any(each.valid is False for each in line.figures)
            for line in self.lines
        )

    def runs_with(self, quantity: Quantity) -> list[int]:
        """The sound runs that have that figure; else the run that is compared with others."""
        return [run for run in self.sound if quantity in self.figures[run]] or [self.first]

    def gbps(self, quantity: Quantity) -> list[float]:
        """The figure in each of these runs."""
        return [self.figures[run][quantity].gbps for run in self.runs_with(quantity)]

    def compared_gbps(self, quantity: Quantity) -> list[float]:
        """The figure in each of these runs, without what most of the class have in common."""
        return [self.compared[run][quantity].gbps for run in self.runs_with(quantity)]


def units_of(
    runs: Mapping[str, Sequence[NodeLine]],
    groups: Sequence[Group],
    place: Callable[[str], str | None],
) -> list[Unit]:
    """The units, class by class. ``place``: the rack or switch of a node."""
    usual = [Usual.of([runs[unit][0] for unit in group.units]) for group in groups]
    figures = {
        name: [_figures(each) for each in runs[name]] for group in groups for name in group.units
    }
    shared = [_shared([figures[name] for name in group.units]) for group in groups]
    found = []
    for number, group in enumerate(groups):
        held_against = number if group.judged_by is None else group.judged_by
        of_class, of_runs = usual[held_against], shared[held_against]
        for name in group.units:
            lines = runs[name]
            where = place(lines[0].host)
            found.append(
                Unit(
                    name=name,
                    group=number,
                    lines=lines,
                    figures=figures[name],
                    compared=_without(of_runs, figures[name]),
                    disturbed=[of_class.disturbance(each) for each in lines],
                    kept_low=of_class.kept_low(lines),
                    settings=group.settings[name] | ({PLACE: where} if where else {}),
                )
            )
    return found


def _figures(line: NodeLine) -> dict[Quantity, NodeFigure]:
    """The figures of a run, those of NUMA nodes and cores included."""
    found = {of_node(each.kernel): each for each in line.figures}
    for each in line.domains:
        part = of_part("NUMA node", each.number)
        found[part] = NodeFigure(kernel=part.name, gbps=each.gbps)
    for each in line.cores:
        part = of_part("core", each.number)
        found[part] = NodeFigure(kernel=part.name, gbps=each.gbps)
    return found


def _shared(units: Sequence[_Runs]) -> list[dict[Quantity, float]]:
    """For each run, the factor by which nearly all units of a class changed since their first.

    A second run of suspects alone says nothing of their class.
    """
    found: list[dict[Quantity, float]] = []
    for run in range(max((len(runs) for runs in units), default=0)):
        ratios: dict[Quantity, list[float]] = {}
        for runs in units if run else ():
            for quantity, figure in runs[run].items() if run < len(runs) else ():
                if quantity in runs[0]:
                    ratios.setdefault(quantity, []).append(figure.gbps / runs[0][quantity].gbps)
        found.append(
            {
                quantity: median(sorted(of))
                for quantity, of in ratios.items()
                if len(of) >= max(FEWEST, _MOST_OF_A_CLASS * len(units)) and _have_in_common(of)
            }
        )
    return found


def _have_in_common(ratios: Sequence[float]) -> bool:
    """Whether nearly all are nearer to their median than to no change."""
    middle = median(sorted(ratios))
    near = sum(abs(each - middle) < abs(middle - 1) / 2 for each in ratios)
    return abs(middle - 1) >= _LEAST_SHARED and near >= _NEARLY_ALL * len(ratios)


def _without(shared: Sequence[Mapping[Quantity, float]], runs: _Runs) -> _Runs:
    if not any(shared):
        return runs
    return [
        {quantity: _scaled(figure, shift.get(quantity, 1.0)) for quantity, figure in run.items()}
        for number, run in enumerate(runs)
        for shift in shared[number : number + 1] or ({},)
    ]


def _scaled(figure: NodeFigure, shift: float) -> NodeFigure:
    if shift == 1.0:
        return figure
    low, high = figure.low, figure.high
    return replace(
        figure,
        gbps=figure.gbps / shift,
        low=None if low is None else low / shift,
        high=None if high is None else high / shift,
    )


def change_in_common(units: Sequence[Unit], quantity: Quantity) -> float | None:
    """The greatest change of a run of a class that is held against no unit, as a factor."""
    changes = [
        figures[quantity].gbps / compared[quantity].gbps
        for unit in units
        if unit.compared is not unit.figures
        for figures, compared in zip(unit.figures, unit.compared, strict=True)
        if quantity in figures
    ]
    return max(changes, key=lambda each: abs(log(each)), default=None)


def shown_quantity(units: Sequence[Unit]) -> Quantity | None:
    """Triad where most units have it, else the most frequent figure of a whole node."""
    counts = Counter(of_node(each.kernel) for unit in units for each in unit.lines[0].figures)
    if not counts:
        return None
    return max(counts, key=lambda each: (counts[each], each.is_first))

"""The first step: the runs of each unit, by what was measured, and what disturbed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from streamgage.records.node import NodeFigure, NodeLine
from streamgage.results.fleet.causes import KeptLow
from streamgage.results.fleet.classes import Group
from streamgage.results.fleet.effects import PLACE
from streamgage.results.fleet.gather import INVALID
from streamgage.results.fleet.judging.disturbances import Usual
from streamgage.results.fleet.judging.quantity import Quantity, of_node, of_part


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
        return self.figures[self.first]

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


def units_of(
    runs: Mapping[str, Sequence[NodeLine]],
    groups: Sequence[Group],
    place: Callable[[str], str | None],
) -> list[Unit]:
    """The units, class by class. ``place``: the rack or switch of a node."""
    usual = [Usual.of([runs[unit][0] for unit in group.units]) for group in groups]
    found = []
    for number, group in enumerate(groups):
        of_class = usual[number if group.judged_by is None else group.judged_by]
        for name in group.units:
            lines = runs[name]
            where = place(lines[0].host)
            found.append(
                Unit(
                    name=name,
                    group=number,
                    lines=lines,
                    figures=[_figures(each) for each in lines],
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


def shown_quantity(units: Sequence[Unit]) -> Quantity | None:
    """Triad where most units have it, else the most frequent figure of a whole node."""
    counts = Counter(of_node(each.kernel) for unit in units for each in unit.lines[0].figures)
    if not counts:
        return None
    return max(counts, key=lambda each: (counts[each], each.is_first))

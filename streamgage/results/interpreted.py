"""Makes results from the outputs of other benchmarks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.charts import (
    AnyChart,
    LinkTables,
    LoadedCurves,
    NodeMatrix,
    SizeCurves,
    SizeLatencies,
)
from streamgage.interop.settings import (
    Setting,
    SizeSeries,
    best_rates,
    describe,
    place_in,
    place_of,
    settings_and_series,
)
from streamgage.interop.tables import Table, is_wrong, records_of
from streamgage.records.run import collect
from streamgage.results.document import Document
from streamgage.results.kinds import result_of, result_of_run
from streamgage.results.result import Result
from streamgage.results.scale.interpreted import scale_of


class InterpretedResult(ABC):
    """One result in the output of a benchmark, computed when it is first used."""

    is_scaling = False
    """``True`` if it has several numbers of workers."""
    is_wrong = False
    """``True`` if the benchmark's own check failed."""
    is_in_series = False
    """``True`` if its figures are also part of another result, a series."""
    settings: Sequence[Setting] = ()
    """The settings of its tables."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Its program, threads and arrays, in words."""

    @abstractmethod
    def place(self, *, sources: bool) -> str:
        """Where its table stands: ``NPS1 (line 25)``. ``sources``: name the file, too."""

    @property
    @abstractmethod
    def files(self) -> list[str]:
        """The files that it comes from, without repetitions."""

    @property
    @abstractmethod
    def rates(self) -> Mapping[str, float]:
        """The rate of each kernel in GB/s."""

    @property
    @abstractmethod
    def result(self) -> Result[Any]:
        """The result."""


@dataclass
class ResultOfTables(InterpretedResult):
    """The result of tables with one setting: a ``measure`` or a ``scale``."""

    setting: Setting
    user_facts: UserFacts
    is_in_series: bool = False

    @property
    def settings(self) -> Sequence[Setting]:  # type: ignore[override]
        return (self.setting,)

    @property
    def is_scaling(self) -> bool:  # type: ignore[override]
        """``True`` if it has several numbers of workers."""
        return len(self.setting.counts) > 1

    @property
    def is_wrong(self) -> bool:  # type: ignore[override]
        """``True`` if the benchmark's own check failed in any of its tables."""
        return any(is_wrong(table) for table in self.setting.tables)

    @property
    def title(self) -> str:
        return describe(self.setting)

    def place(self, *, sources: bool) -> str:
        return place_of(self.setting.tables, sources=sources)

    @property
    def files(self) -> list[str]:
        return self.setting.files

    @property
    def rates(self) -> Mapping[str, float]:
        return best_rates(self.setting)

    @cached_property
    def result(self) -> Result[Any]:
        """The result of ``scale``, or of ``measure`` for a single number of workers."""
        if self.is_scaling:
            return result_of(scale_of(self.setting, self.user_facts))
        return result_of_run(collect(records_of(self.setting.tables)), self.user_facts)


@dataclass
class ResultOfSizes(InterpretedResult):
    """A ``ladder`` made from tables that differ only in the size of their arrays."""

    series: SizeSeries
    user_facts: UserFacts

    @property
    def settings(self) -> Sequence[Setting]:  # type: ignore[override]
        return self.series.settings

    @property
    def is_wrong(self) -> bool:  # type: ignore[override]
        """``True`` if the benchmark's own check failed in any of its tables."""
        return any(is_wrong(table) for table in self.series.whole.tables)

    @property
    def title(self) -> str:
        return describe(self.series.whole)

    def place(self, *, sources: bool) -> str:
        return place_of(self.series.whole.tables, sources=sources)

    @property
    def files(self) -> list[str]:
        return self.series.whole.files

    @property
    def rates(self) -> Mapping[str, float]:
        """The rates at the largest arrays."""
        return best_rates(self.series.largest)

    @cached_property
    def result(self) -> Result[Any]:
        from streamgage.results.ladder.interpreted import series_over

        return result_of(series_over(self.series, self.user_facts))


@dataclass
class ResultOfChart(InterpretedResult):
    """The result of a matrix or a curve."""

    chart: AnyChart

    @property
    def title(self) -> str:
        return self.chart.title

    def place(self, *, sources: bool) -> str:
        chart = self.chart
        return place_in(chart.source, chart.line, chart.heading, sources=sources)

    @property
    def files(self) -> list[str]:
        return [self.chart.source]

    @property
    def rates(self) -> Mapping[str, float]:
        return self.chart.rates

    @cached_property
    def result(self) -> Result[Any]:
        return result_of(_document_of(self.chart))


def _document_of(chart: AnyChart) -> Document:
    from streamgage.results.ladder.interpreted import ladder_of
    from streamgage.results.latency.interpreted import idle_of, loaded_of
    from streamgage.results.links.interpreted import links_of
    from streamgage.results.numa.interpreted import numa_of

    match chart:
        case NodeMatrix():
            return numa_of(chart)
        case LoadedCurves():
            return loaded_of(chart)
        case SizeCurves():
            return ladder_of(chart)
        case SizeLatencies():
            return idle_of(chart)
        case LinkTables():
            return links_of(chart)


def interpreted(
    tables: Sequence[Table],
    user_facts: UserFacts,
    charts: Sequence[AnyChart] = (),
    *,
    runs: bool = False,
) -> list[InterpretedResult]:
    """Make a result for each setting of the tables, and for each chart, in the order of the files.

    A setting with several numbers of workers is a scaling. Settings that differ only in the size of
    their arrays are a series. The setting with the largest arrays, whose figures count for the
    machine, is also a result of its own. Tables of different programs or machines are never mixed.
    ``runs``: tables of one setting count as its runs, wherever they stand.
    """
    found: list[tuple[Table | AnyChart, InterpretedResult]] = []
    for each in settings_and_series(tables, runs=runs):
        if isinstance(each, SizeSeries):
            found.append((each.first, ResultOfSizes(each, user_facts)))
            found.append((each.first, ResultOfTables(each.largest, user_facts, is_in_series=True)))
        else:
            found.append((each.tables[0], ResultOfTables(each, user_facts)))
    found += [(each, ResultOfChart(each)) for each in charts]
    order = {name: n for n, name in enumerate(dict.fromkeys(e.source for e in (*tables, *charts)))}
    found.sort(key=lambda each: (order[each[0].source], each[0].line))
    return [each for _, each in found]

"""The kind ``numa``: from the CPUs of each NUMA node to the memory of each node."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.cpu_list import format_cpu_list
from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.numa.document import Numa
from streamgage.results.settings import Settings, each_or_all
from streamgage.results.summary import SummaryRate
from streamgage.units import count


def _headlines(numa: Numa) -> Iterator[Headline]:
    for each in numa.kernels:
        for cell in each.cells:
            what = f"{each.kernel}, node {cell.cpu_node} to {cell.memory_node}"
            yield Headline(what, cell.median, low=cell.low, high=cell.high)


def _rates(numa: Numa) -> Iterator[SummaryRate]:
    for each in numa.kernels:
        if not each.cells:
            continue
        best = max(each.cells, key=lambda cell: cell.median)
        yield SummaryRate(
            kernel=each.kernel,
            store=best.store or "plain",
            n=best.n,
            median_gbps=best.median,
            low_gbps=best.low,
            high_gbps=best.high,
        )


def _settings(numa: Numa) -> Settings:
    if numa.reported is not None:
        return Settings(rounds=numa.rounds)
    nodes = [(f"node {each.node}", each.cpus) for each in numa.cpu_nodes]
    return Settings(
        threads=each_or_all(
            ((name, [count(len(cpus), "thread")]) for name, cpus in nodes), same=" on each node"
        ),
        cpus=each_or_all((name, [format_cpu_list(cpus)]) for name, cpus in nodes),
        rounds=numa.rounds,
    )


KIND = Kind(
    name="numa",
    document=Numa,
    page=of_document("streamgage.results.numa.page:page"),
    conclusions=deferred("streamgage.results.numa.words:conclusions"),
    findings=checks("streamgage.results.numa.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    reported=lambda numa: numa.reported,
    settings=_settings,
    comparable=of_document("streamgage.results.numa.comparable:figures"),
    gives=frozenset({"picture", "mlc"}),
    own={"mlc": of_document("streamgage.results.numa.mlc:text")},
)

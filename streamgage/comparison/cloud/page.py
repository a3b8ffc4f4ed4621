"""The page of ``expected --cloud``: a row for each group of server types, a dot for each type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from streamgage.analysis.cloud.servers import Operation, ServerType
from streamgage.analysis.expected.doubt import in_words
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.comparison.cloud.document import Cloud, CloudGroup
from streamgage.comparison.cloud.judge import per_core
from streamgage.show.page import (
    DASH,
    RATE,
    Axis,
    Cell,
    Column,
    Data,
    Datum,
    Lines,
    Page,
    Ring,
    Series,
    Table,
    Words,
    figure,
    stamped,
)
from streamgage.show.swarm import swarm
from streamgage.units import count, format_gbps, format_rate, format_share

_BY = {
    "read": "bw_mem (reading), one process for each CPU",
    "write": "sc-membench, ordinary stores",
    "copy": "sc-membench, ordinary stores, each byte counted once",
}
_CARE = (
    "Each server was measured once, on a shared host, with other programs than yours. This shows"
    " the order of magnitude and the rank; it is not a reference."
)
_MAKERS = (("Intel", "intel"), ("AMD", "amd"))
_LOOKS = {"Intel": 0, "AMD": 1, "Arm": 2}
_BETWEEN = 1.07
"""The factor between the columns of dots of two makers whose servers have equal numbers of
cores."""
_HALF = 0.6
"""The sideways offset from ``swarm`` that equals one such factor, so that columns do not touch."""
_TICKS = tuple(1 << power for power in range(11))
_YOURS = 6
"""The number of the mark for this machine."""


def page_of(cloud: Cloud, servers: Sequence[ServerType]) -> Page:
    """Make the page from the document and the server types."""
    drawn = [each for each in servers if per_core(each, cloud.operation) is not None]
    return Page(
        "Among cloud servers",
        cloud.machine,
        headline=f"Among {count(len(drawn), 'cloud server type')}",
        body=[
            Words([f"By {_BY[cloud.operation]}. {cloud.source}."], quiet=True),
            _table(cloud),
            Words(list(_sentences(cloud))),
            Words([_CARE], quiet=True),
        ],
        picture=f"Memory bandwidth of {count(len(drawn), 'cloud server type')}",
        caption=f"By {_BY[cloud.operation]}. {cloud.source}. {_CARE}",
        taken=cloud.taken,
        plots=stamped([_plot(cloud, drawn)], cloud.trust),
        data=_data(servers),
    )


def _table(cloud: Cloud) -> Table[CloudGroup]:
    def share(each: CloudGroup) -> Cell:
        below = each.per_core.below
        if below is None:
            return Cell(DASH)
        return Cell(format_share(below / each.per_core.types), below / each.per_core.types)

    return Table(
        columns=[
            Column("server types", lambda each: Cell(each.what), left=True, roomy=True),
            Column("number", lambda each: Cell(f"{each.per_core.types:,}", each.per_core.types)),
            Column("least", lambda each: _rate(each.per_core.least), group="GB/s per core"),
            Column("median", lambda each: _rate(each.per_core.middle), group="GB/s per core"),
            Column("most", lambda each: _rate(each.per_core.most), group="GB/s per core"),
            *([Column("below yours", share)] if cloud.yours is not None else []),
        ],
        rows=cloud.groups,
        split="groups",
    )


def _rate(gbps: float) -> Cell:
    return figure(Estimate(value=gbps, low=None, high=None))


def _sentences(cloud: Cloud) -> Iterator[str]:
    yours = cloud.yours
    if yours is None:
        reason = cloud.yours_reason or "not known"
        yield f"Your machine is not among them: {reason}."
        return
    yield (
        f"Yours ({yours.called}): {format_gbps(yours.gbps)} with {count(yours.cores, 'core')},"
        f" {format_rate(yours.gbps_per_core)} per core ({yours.kernel} {yours.store})."
    )
    for each in cloud.groups:
        if each.doubts:
            yield f"Compare with {each.what} with care: {in_words(each.doubts)}."


def _maker(server: ServerType) -> str:
    name = server.processor.casefold()
    known = (maker for maker, part in _MAKERS if part in name)
    return next(known, "Arm" if server.architecture == "aarch64" else "others")


def _plot(cloud: Cloud, servers: Sequence[ServerType]) -> Lines:
    made: dict[str, list[ServerType]] = {maker: [] for maker in _LOOKS}
    for each in servers:
        made.setdefault(_maker(each), []).append(each)
    series = [
        _dots(maker, group, cloud.operation, _LOOKS.get(maker, 3))
        for maker, group in made.items()
        if group
    ]
    marks = []
    if (yours := cloud.yours) is not None:
        series.append(
            Series(
                name=f"yours: {format_rate(yours.gbps_per_core)} with {count(yours.cores, 'core')}",
                xs=[yours.cores],
                figures=[Estimate(value=yours.gbps_per_core, low=None, high=None)],
                texts=[f"{yours.called}: {format_gbps(yours.gbps)}"],
                look=_YOURS,
                joined=False,
            )
        )
        marks.append(Ring(yours.cores, yours.gbps_per_core, _YOURS))
    return Lines(
        title=f"GB/s per core ({cloud.operation}) over cores",
        about="A dot for each type of cloud server: bandwidth per core over the number of cores,"
        " both logarithmic; a ring marks your machine.",
        x=Axis("cores (dots of as many cores stand side by side)", scale="log", ticks=_TICKS),
        y=Axis(f"GB/s per core ({cloud.operation})", RATE, "log"),
        series=series,
        marks=marks,
        rings="your machine",
        wide=True,
        tall=True,
    )


def _dots(maker: str, servers: Sequence[ServerType], operation: Operation, look: int) -> Series:
    rates = [per_core(each, operation) or 0.0 for each in servers]
    return Series(
        name=f"{maker} ({count(len(servers), 'type')})",
        xs=_places([each.cores for each in servers], rates, look),
        figures=[Estimate(value=rate, low=None, high=None) for rate in rates],
        texts=[f"{each.vendor} {each.server}: {each.processor}" for each in servers],
        look=look,
        joined=False,
    )


def _places(cores: Sequence[float], rates: Sequence[float], look: int) -> list[float]:
    """The places of one maker's dots.

    Dots with similar rates stand side by side around their number of cores.
    """
    places = list(cores)
    for number in set(cores):
        column = [place for place, each in enumerate(cores) if each == number]
        offsets = swarm([log(rates[place]) for place in column])
        for place, offset in zip(column, offsets, strict=True):
            places[place] = number * _BETWEEN ** (look - 1 + offset / _HALF)
    return places


def _data(servers: Sequence[ServerType]) -> Data[ServerType]:
    """The data with one row per server type. Rates are GB/s."""
    return Data(
        columns=[
            Datum("vendor", lambda each: each.vendor),
            Datum("server", lambda each: each.server),
            Datum("architecture", lambda each: each.architecture),
            Datum("processor", lambda each: each.processor),
            Datum("cpus", lambda each: each.cpus),
            Datum("cores", lambda each: each.cores),
            Datum("read_gbps", lambda each: each.rate("read")),
            Datum("write_gbps", lambda each: each.rate("write")),
            Datum("copy_gbps", lambda each: each.rate("copy")),
            Datum("read_gbps_per_core", lambda each: per_core(each, "read")),
            Datum("latency_ns", lambda each: each.latency_ns),
        ],
        rows=servers,
    )

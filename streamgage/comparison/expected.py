"""The document and the page of ``streamgage expected``: peak, published values, cloud servers."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence

import msgspec

from streamgage.analysis.cloud.servers import SOURCE, ServerType
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.expected.words import amount
from streamgage.analysis.machine.name_parts import sockets_in
from streamgage.analysis.named_hardware import (
    NamedPeak,
    are_other_sizes,
    maker_of,
    peak_named,
    peaks_named,
    with_most_bandwidth,
)
from streamgage.analysis.peak.gates import HIGHEST
from streamgage.analysis.peak.usual import USUAL
from streamgage.records.quantities import Amount, Rate
from streamgage.show.page import (
    DASH,
    RATE,
    SHARE,
    Cell,
    Column,
    Data,
    Datum,
    Listing,
    Page,
    Table,
    Value,
)
from streamgage.units import count, format_gbps, format_share

_LEAD = "Others published these values; streamgage did not measure them."
_NOTE = (
    "GB/s as STREAM counts, for all cores. Compare with your best figure for the same kernel and"
    " the same stores."
)
_MOST_SERVERS = 8


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What ``streamgage expected --format json`` prints. Rates are GB/s (10^9 bytes per second)."""

    name: str | None
    """The hardware as it was asked for; ``None``: everything that is known."""
    peak: NamedPeak | None = None
    """The theoretical peak of one processor or device, if it is known."""
    members: list[NamedPeak] = []
    """The peaks of those that the name stands for, lowest first, if there are several."""
    rate_gbps: Rate | None = None
    """The rate that was asked about."""
    rate_share: Amount | None = None
    """That rate divided by the peak of one processor or device."""
    values: list[ExpectedValue]
    """What others published, in the order of the list."""
    servers: list[ServerType] = []
    """The types of cloud servers of this name, or with this processor; those that read fastest."""
    servers_known: int = 0
    """The number of all such types."""


def expected_of(
    name: str | None,
    rate_gbps: float | None,
    values: Sequence[ExpectedValue],
    servers: Sequence[ServerType],
) -> Expected:
    """Make the document. ``servers``: the types of this name, or with this processor."""
    peaks = [] if name is None else peaks_named(name) or _peaks_of(servers)
    peak = peaks[0] if len(peaks) == 1 else None
    known = peak is not None and rate_gbps is not None
    return Expected(
        name=name,
        peak=peak,
        members=sorted(peaks, key=lambda each: each.gbps) if len(peaks) > 1 else [],
        rate_gbps=rate_gbps,
        rate_share=rate_gbps / peak.gbps if known and peak and rate_gbps else None,
        values=list(values),
        servers=with_most_bandwidth(servers, _MOST_SERVERS),
        servers_known=len(servers),
    )


def _peaks_of(servers: Sequence[ServerType]) -> list[NamedPeak]:
    """The peaks of the processors of these servers; empty if one of them is not known."""
    processors = {each.processor: maker_of(each) for each in servers}
    peaks = [peak_named(processor, maker) for processor, maker in processors.items()]
    known = {peak.title: peak for peak in peaks if peak is not None}
    return [*known.values()] if None not in peaks else []


def page_of(expected: Expected) -> Page:
    """Make the page; numbers in the table of values refer to the sources."""
    values = expected.values
    sources = list(dict.fromkeys((each.who, each.benchmark, each.page) for each in values))
    notes = {each.hardware: each.note for each in values if each.note}

    def number(value: ExpectedValue) -> int:
        return 1 + sources.index((value.who, value.benchmark, value.page))

    table = Table(
        columns=[
            Column("hardware", lambda each: Cell(each.hardware), left=True, roomy=True),
            Column("kernel", lambda each: Cell(each.kernel), left=True),
            Column("stores", lambda each: Cell(each.stores), left=True, may_go=1),
            Column("GB/s", lambda each: Cell(_amount(each), each.low_gbps), left=True),
            Column("memory", lambda each: Cell(each.memory), left=True, may_go=2),
            Column("guest", _guest, left=True, may_go=3),
            Column("source", lambda each: Cell(f"[{number(each)}]", number(each))),
        ],
        rows=values,
        merge=True,
    )
    return Page(
        "Published bandwidths",
        None,
        lines=[*_about(expected), *([_LEAD] if values else [])],
        tables=[*([table] if values else []), *_servers(expected)],
        nothing="No published value is known for it.",
        note=_NOTE if values else "",
        lists=[
            Listing(
                [
                    (f"[{place}]", f"{who}, {benchmark}: {page}")
                    for place, (who, benchmark, page) in enumerate(sources, 1)
                ],
                title="Sources",
                heading="Sources",
            ),
            Listing(list(notes.items()), title="Notes", heading="Notes"),
        ],
        data=Data(_DATA, values),
    )


def _about(expected: Expected) -> Iterator[str]:
    """The peak, what is usual, and the rate that was asked about."""
    peak = expected.peak
    if expected.name is None:
        return
    if are_other_sizes(expected.name, expected.servers):
        yield f"{expected.name} is not in the list. What follows is of other sizes of its family."
    if expected.members:
        least, most = (format_gbps(expected.members[place].gbps) for place in (0, -1))
        yield (
            f"{expected.name} has several meanings: at most {least.removesuffix(' GB/s')} to"
            f" {most}, by which one it is. Ask for one by its own name to get what is usual for it."
        )
        for member in expected.members:
            yield f"{_most(member, expected.name)}{_share(expected.rate_gbps, member)}"
        return
    if peak is None:
        yield f"The peak of {expected.name} is not in the tables."
        return
    yield _most(peak, expected.name)
    if not peak.device or peak.usual != USUAL:
        low, high = peak.gbps * peak.usual_low, peak.gbps * peak.usual_high
        source = f" Source: {peak.usual_source}." if peak.usual_source else ""
        yield f"{peak.usual.words('of the peak')}: {low:.0f} to {format_gbps(high)}.{source}"
    if expected.rate_gbps is not None:
        yield _about_rate(expected.rate_gbps, peak)


def _share(rate: float | None, peak: NamedPeak) -> str:
    return (
        "" if rate is None else f" {format_gbps(rate)} is {format_share(rate / peak.gbps)} of it."
    )


def _most(peak: NamedPeak, name: str) -> str:
    """What one processor or device has at most, and as many as the name says, with the source."""
    each = "device" if peak.device else "processor"
    several = ""
    number = sockets_in(name)
    if number is not None and number > 1 and not peak.device:
        several = f", {format_gbps(number * peak.gbps)} for {number}"
    faster = " It is often overclocked." if peak.overclocked else ""
    return (
        f"{peak.title}: at most {format_gbps(peak.gbps)} for one {each}{several}{_memory(peak)}."
        f"{faster} Source: {peak.source}{_unread(peak)}."
    )


def _memory(peak: NamedPeak) -> str:
    """The memory in brackets, or that which the name says, and what the processor takes."""
    if peak.named is None:
        return f" ({peak.memory})"
    return f" at the named {peak.named} (by itself: {peak.memory})"


def _unread(peak: NamedPeak) -> str:
    """Say so where the source is named but was not opened when the value was written down."""
    return "" if peak.looked_up else " (from memory of that page, not looked up)"


def _about_rate(rate: float, peak: NamedPeak) -> str:
    share = rate / peak.gbps
    text = f"{format_gbps(rate)} is {format_share(share)} of it"
    if share > HIGHEST:
        more = "two processors or more, or a cache" if not peak.device else "a cache"
        return f"{text}, which only {more} can give."
    usual = peak.usual
    place = (
        "more than is usual"
        if share > usual.high
        else "as usual"
        if share >= usual.low
        else f"less than is usual{'' if peak.device else ' with a thread on every core'}"
    )
    two = "" if peak.device else f", and {format_share(share / 2)} of two processors' peak"
    return f"{text} ({place}){two}."


def _servers(expected: Expected) -> Iterator[Table[ServerType]]:
    """The cloud servers that read fastest, with the share of the peak of their processors."""
    if not expected.servers:
        return
    peak = expected.peak

    def share(server: ServerType) -> Cell:
        rate = server.rate("read")
        if peak is None or rate is None or server.packages is None:
            return Cell(DASH)
        found = rate / (peak.gbps * server.packages)
        return Cell(DASH) if found > HIGHEST else Cell("", found, unit=SHARE)

    more = expected.servers_known - len(expected.servers)
    yield Table(
        columns=[
            Column("cloud server", lambda each: Cell(f"{each.vendor} {each.server}"), left=True),
            Column("processor", lambda each: Cell(each.processor), left=True, may_go=2),
            Column("CPUs", lambda each: Cell(str(each.cpus), each.cpus)),
            Column("sockets", lambda each: Cell(str(each.packages or DASH), each.packages)),
            Column("read GB/s", lambda each: Cell("", each.rate("read"), unit=RATE)),
            *([Column("of the peak", share)] if peak is not None else []),
        ],
        rows=expected.servers,
        title="Cloud servers that read fastest",
        foot=[
            f"{SOURCE}. One run each, on shared hosts; sockets as the server shows them."
            + (f" {count(more, 'type')} that read less or were not measured." if more else "")
        ],
    )


def _amount(value: ExpectedValue) -> str:
    less = f", -{format_share(value.tolerance)}" if value.tolerance else ""
    return f"{amount(value)}{less}"


def _guest(value: ExpectedValue) -> Cell:
    if value.device == "gpu":
        return Cell(DASH)
    return Cell("unknown" if value.guest is None else "yes" if value.guest else "no")


def _field(name: str) -> Callable[[ExpectedValue], Value]:
    """Make a function that reads a field; an empty text becomes ``None``."""

    def value(of: ExpectedValue) -> Value:
        found: Value | datetime.date = getattr(of, name)
        if isinstance(found, datetime.date):
            return found.isoformat()
        return None if found == "" else found

    return value


_DATA = [Datum(name, _field(name)) for name in ExpectedValue.__struct_fields__]

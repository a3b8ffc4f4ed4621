"""Words and figures that all views of memory traffic share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.results.traffic.document import (
    CurvePlace,
    CurveState,
    OnCurve,
    Phase,
    Rates,
    TrafficResult,
    Trust,
    Volume,
)
from streamgage.show.symbols import Symbols
from streamgage.units import (
    count,
    format_gbps,
    format_nanoseconds,
    format_parts,
    format_rate,
    format_share,
    format_volume,
)

REPLAYED = "REPLAYED: these figures come from a recording or a made-up machine, not from this one."
UNKNOWN = "n/a"
COLUMNS = ("", "total", "average", "reads", "writes", "busiest", "share")
"""The columns that are shown for each domain."""
_MOST_PHASES = 4
_MULTIPLEXED = 0.995
STATES: dict[CurveState, str] = {
    "free": "unhindered",
    "slowed": "slowed",
    "bound": "bound",
    "beyond": "above the curve",
    "unknown": "not counted",
}
"""The names of the states of intervals on a curve."""


def distrust(trust: Trust) -> str | None:
    """What the reader must know before any figure; ``None`` if the source is believed."""
    if trust.refused:
        return f"NOT BELIEVED: {trust.text}"
    return f"NOT CALIBRATED: {trust.text}" if trust.state == "not-calibrated" else None


def rate_or_unknown(gbps: float | None) -> str:
    """The rate in GB/s without the unit; an unknown rate is not 0."""
    return UNKNOWN if gbps is None else format_rate(gbps)


def parts_of(rates: Rates) -> list[tuple[str, float]]:
    """How the traffic divides: words, and the share of the first part.

    The words are ``75 % reads, 25 % writes``, and ``60 % local, 40 % remote`` if the source counts
    that.
    """
    known = (
        (rates.read_share, "reads", "writes"),
        (rates.local_share, "local", "remote"),
    )
    return [
        (format_parts(share, one, other), share) for share, one, other in known if share is not None
    ]


def heading(traffic: TrafficResult, symbols: Symbols) -> str:
    """Name the program, the source and the duration."""
    during = f" during {' '.join(traffic.command)}" if traffic.command else ""
    number = len(traffic.intervals)
    parts = [
        f"Memory traffic{during}",
        traffic.source,
        f"{traffic.seconds:.3g} s" if traffic.seconds < 100 else f"{traffic.seconds:.0f} s",
        f"{number} interval" if number == 1 else f"{number} intervals",
    ]
    return symbols.separator.join(parts)


def volumes_shown(traffic: TrafficResult) -> list[Volume]:
    """The domains, then all of them together if there are several."""
    return [*traffic.domains, traffic.whole] if len(traffic.domains) != 1 else traffic.domains


def row_of(volume: Volume) -> tuple[str, ...]:
    """The texts of the columns for a domain; an unknown figure is not 0."""
    least = "" if not volume.lost_seconds else ">= "
    total = UNKNOWN if volume.bytes_total is None else least + format_volume(volume.bytes_total)
    return (
        volume.name,
        total,
        rate_or_unknown(volume.average.total_gbps),
        rate_or_unknown(volume.average.read_gbps),
        rate_or_unknown(volume.average.written_gbps),
        rate_or_unknown(volume.peak_gbps),
        "" if volume.share is None else format_share(volume.share),
    )


def limits(traffic: TrafficResult) -> Iterator[str]:
    """Write sentences on the traffic as a share of what the memory can give."""
    average, busiest = traffic.whole.average.total_gbps, traffic.whole.peak_gbps
    if traffic.ceiling is not None:
        ceiling = traffic.ceiling
        known = "" if ceiling.evidence == "exact" else f", {ceiling.evidence}"
        yield (
            f"Share of the {format_gbps(ceiling.gbps)} that this machine was measured to reach"
            f" ({ceiling.kernel} {ceiling.store}{known}, {count(ceiling.threads, 'thread')},"
            f" {ceiling.time}, {ceiling.file}): {_shares(average, busiest, ceiling.gbps)}."
        )
    elif traffic.ceiling_reason is not None:
        yield (
            "Share of the bandwidth that this memory reaches: unknown, because"
            f" {traffic.ceiling_reason}."
        )
    if traffic.peak_gbps is not None:
        yield (
            f"Share of the theoretical peak of {format_gbps(traffic.peak_gbps)}"
            f" ({traffic.peak_detail}): {_shares(average, busiest, traffic.peak_gbps)}."
        )


def of_state(places: Sequence[CurvePlace], whole: float) -> tuple[str, ...]:
    """The share of the time, GB/s, share of saturation and latency of the places in one state."""
    time = sum(each.seconds for each in places)
    latencies = [s for e in places for s in (e.latency_low, e.latency_high) if s is not None]
    rates = [each.gbps for each in places if each.gbps is not None]
    shares = [s for e in places for s in (e.share_low, e.share_high) if s is not None]
    return (
        format_share(time / whole) if whole else UNKNOWN,
        _between([format_rate(each) for each in rates and (min(rates), max(rates))]),
        _between([format_share(each) for each in shares and (min(shares), max(shares))]),
        _between(
            [format_nanoseconds(each) for each in latencies and (min(latencies), max(latencies))]
        ),
    )


def _between(texts: Sequence[str]) -> str:
    """The range of the texts: ``10.1 to 12.0``.

    One text if all are the same, ``n/a`` if there are none.
    """
    return " to ".join(dict.fromkeys(texts)) or UNKNOWN


def phases(curve: OnCurve) -> Iterator[str]:
    """Say when the longest phases were in which memory was not free."""
    busy = [each for each in curve.phases if each.state in ("bound", "slowed", "beyond")]
    if not busy or len(curve.phases) < 2:
        return
    shown = sorted(sorted(busy, key=lambda each: -each.seconds)[:_MOST_PHASES], key=_start)
    texts = [
        f"{STATES[each.state]} from {each.start:.3g} to {each.start + each.seconds:.3g} s"
        f" ({'' if each.gbps is None else format_gbps(each.gbps)})"
        for each in shown
    ]
    more = len(busy) - len(shown)
    yield f"Phases: {'; '.join(texts)}{f'; {more} more' if more else ''}."


def _start(phase: Phase) -> float:
    return phase.start


def _shares(average: float | None, busiest: float | None, limit: float) -> str:
    if average is None or busiest is None:
        return UNKNOWN
    return (
        f"{format_share(average / limit)} on average, {format_share(busiest / limit)} in the"
        " busiest interval"
    )


def troubles(traffic: TrafficResult) -> Iterator[tuple[str, str]]:
    """Yield what is missing from the figures, each with its severity."""
    if traffic.failure is not None:
        yield "error", f"Counting ended early: {traffic.failure.rstrip('.')}."
    for domain in traffic.domains:
        if domain.lost_seconds:
            yield (
                "warning",
                f"{domain.name} could not be counted for"
                f" {domain.lost_seconds:.3g} s ({domain.reason}); its figures cover the rest.",
            )
    if traffic.source_trust.state == "own" and traffic.whole.bytes_total is None:
        yield (
            "note",
            "There is no total: the lines do not say for how long each rate held. Each is taken to"
            " hold since the line before.",
        )
    if traffic.running_share < _MULTIPLEXED:
        yield (
            "note",
            "The counters took turns and counted for at least"
            f" {format_share(traffic.running_share)} of the time: the figures are scaled up.",
        )

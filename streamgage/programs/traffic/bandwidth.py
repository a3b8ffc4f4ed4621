"""Judges whether the memory's bandwidth was the limit.

The *utilisation* of an interval is the traffic divided by the most traffic that is possible. It is
the greater of two values: all domains together over the ceiling, and the busiest domain over its
share of the ceiling. One full memory stops its users, even if the other memories are idle. The
shares are
equal: all domains are assumed to be equal.

A source that counts by the package that asked for the bytes (resctrl) does not show whether a
single memory was full. For such a source, only all domains together are compared. If they are not
busy, but one memory would have been busy if it had given everything, the answer is unknown.

An interval is *busy* from ``BUSY`` on. Kernels that do nothing but use the memory differ by some
20 % of the best, because of their mix of reads and writes. So a program between 80 % and 100 % of
the best of them may have all that its own mix can get. The verdict follows from the share of the
time that was busy, as in the metric "DRAM Bandwidth Bound" of Intel's VTune (the share of elapsed
time with high utilisation). From ``BOUND`` on that is most of the time; from ``PARTLY`` on, some
phases are worth a look.

The theoretical peak is above any achievable bandwidth. If only the peak is known, busy
intervals prove that the memory was the limit, and their absence proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.advice import command_line
from streamgage.results.traffic.document import Ceiling, SeenInterval, Verdict
from streamgage.units import format_gbps, format_share

BUSY = 0.8
BOUND = 0.5
PARTLY = 0.1
BEATEN = 1.05
"""A program that moves more than this many times the ceiling shows that the ceiling is too low."""


def judge_bandwidth(
    seen: Sequence[SeenInterval],
    names: Sequence[str],
    ceiling: Ceiling | None,
    peak_gbps: float | None,
    *,
    by_asker: bool = False,
) -> Verdict:
    """Judge whether memory bandwidth was the limit, by the ceiling or the theoretical peak."""
    limit = ceiling.gbps if ceiling is not None else peak_gbps
    if limit is None:
        return _cannot_tell("the bandwidth that this memory reaches is unknown")
    utilisation = _utilisation_of_all if by_asker else _utilisation
    used = [(each.seconds, *utilisation(each, limit)) for each in seen]
    counted = [(seconds, share, domain) for seconds, share, domain in used if share is not None]
    time = sum(seconds for seconds, _, _ in counted)
    if not time:
        return _cannot_tell("nothing was counted")
    busy = [(seconds, domain) for seconds, share, domain in counted if share >= BUSY]
    share = sum(seconds for seconds, _ in busy) / time
    if ceiling is None and share < PARTLY:
        return _cannot_tell(
            f"it was below {format_share(BUSY)} of the theoretical peak, which no program reaches,"
            " and the bandwidth that this memory reaches is unknown"
        )
    of = f"the {format_gbps(limit)} that " + (
        "this machine was measured to give" if ceiling is not None else "are the theoretical peak"
    )
    if by_asker and share < PARTLY and _could_be_busy(seen, limit) >= PARTLY * time:
        return _cannot_tell(
            f"all packages together were below {format_share(BUSY)} of {of} most of the time. The"
            " source counts by the requesting package, so it does not show whether one of the"
            " memories was saturated"
        )
    crossed = _crossed([domain for _, domain in busy], names, of)
    rates = [each.whole.total_gbps for each in seen if each.whole.total_gbps is not None]
    return Verdict(
        question="bandwidth",
        answer="bound" if share >= BOUND else "partly" if share >= PARTLY else "not-bound",
        text=_text(share, crossed) + _doubts(max(rates, default=0.0), ceiling),
    )


def _utilisation(interval: SeenInterval, limit: float) -> tuple[float | None, int | None]:
    """The utilisation, and the number of the domain that decides it (``None``: all together)."""
    number = len(interval.domains)
    shares: list[tuple[float, int | None]] = [
        (number * each.total_gbps / limit, index if number > 1 else None)
        for index, each in enumerate(interval.domains)
        if each.total_gbps is not None
    ]
    whole = interval.whole.total_gbps
    if whole is not None and whole / limit >= BUSY:
        return whole / limit, None
    return max(shares, key=lambda each: each[0], default=(None, None))


def _utilisation_of_all(interval: SeenInterval, limit: float) -> tuple[float | None, int | None]:
    whole = interval.whole.total_gbps
    return None if whole is None else whole / limit, None


def _could_be_busy(seen: Sequence[SeenInterval], limit: float) -> float:
    """Seconds in which one memory would have been busy if it had delivered all traffic."""
    return sum(
        each.seconds
        for each in seen
        if each.whole.total_gbps is not None
        and len(each.domains) * each.whole.total_gbps / limit >= BUSY
    )


def _crossed(busy: Sequence[int | None], names: Sequence[str], of: str) -> str:
    """Describe the traffic of busy intervals, and the domains that alone were the limit."""
    least = f"at least {format_share(BUSY)} of"
    alone = sorted({number for number in busy if number is not None})
    if not alone:
        return f"{least} {of}"
    where = " or ".join(names[number] for number in alone)
    if None in busy:
        return f"{least} {of}, or of an equal share of them in {where}"
    return f"{least} an equal share of {of}, in {where}"


def _text(share: float, crossed: str) -> str:
    if share == 0:
        return f"Memory bandwidth was not the limit: no interval had {crossed}."
    time = f"{format_share(share)} of the time"
    if share >= BOUND:
        return f"Memory bandwidth was the limit: {time} had {crossed}."
    if share >= PARTLY:
        return f"Memory bandwidth was the limit for part of the time: {time} had {crossed}."
    return f"Memory bandwidth was not the limit: only {time} had {crossed}."


def _doubts(busiest: float, ceiling: Ceiling | None) -> str:
    if ceiling is None:
        return ""
    if busiest > BEATEN * ceiling.gbps:
        return (
            f" The busiest interval was at {format_share(busiest / ceiling.gbps)}, so that figure"
            f" is too low: run {command_line('measure')} again."
        )
    if ceiling.limit in ("cores", "quota"):
        what = "cores" if ceiling.limit == "cores" else "CPU quota"
        return f" That measurement was limited by its {what}: the memory may give more."
    return ""


def _cannot_tell(why: str) -> Verdict:
    return Verdict(
        question="bandwidth",
        answer="cannot-tell",
        text=f"It is unknown whether memory bandwidth was the limit: {why}.",
    )

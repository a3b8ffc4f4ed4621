"""The first screen of ``measure``: the figures that are read first, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from streamgage.advice import command_line
from streamgage.analysis.conclusion import hedged
from streamgage.analysis.finding import Finding
from streamgage.analysis.peak.reason import WhyNoPeak
from streamgage.analysis.peak.usual import USUAL, Usual, usual_named
from streamgage.analysis.ranks import describe_threads
from streamgage.analysis.thread_places import places_of
from streamgage.analysis.traffic.reason import ReasonCode
from streamgage.analysis.trust import Trust
from streamgage.results.measure.as_stream import as_stream_text
from streamgage.results.measure.crossing import crossed
from streamgage.results.measure.document import KernelResult, Measure, SaturationResult
from streamgage.results.measure.expected import expected_line
from streamgage.results.measure.facts import Fact
from streamgage.results.measure.facts.limits import BelowRule
from streamgage.results.measure.facts.memory import AbovePeak
from streamgage.results.measure.facts.output import UnevenKernels
from streamgage.results.measure.facts.states import (
    TwoSpeeds,
    changed_together,
    rates_of_states,
)
from streamgage.results.measure.headline import (
    STORES,
    headline_kernel,
    headline_of,
    known_to,
    least_moved,
    main_figure,
    standard,
)
from streamgage.results.measure.limit import points_of, why_open
from streamgage.results.measure.standing import standing_line
from streamgage.results.measure.tiers import shown_kernels
from streamgage.results.measure.time_given import not_measured_line
from streamgage.results.measure.time_to_settle import time_to_settle
from streamgage.results.measure.words import device_text, own_kernel_lines
from streamgage.results.result import Result
from streamgage.show.page import (
    DASH,
    RATE,
    Cell,
    Column,
    FirstScreen,
    Point,
    Table,
    rate_text,
    words,
)
from streamgage.units import (
    capitalised,
    count,
    format_bytes,
    format_gbps,
    format_range,
    format_rate,
    format_share,
)

_MOST_POINTS = 2
"""Findings on the first screen; the others are one command away."""
_LIMITS = {
    "memory": "The memory, or the path to it",
    "cores": "The cores, not the memory",
    "quota": "The CPU quota",
}
_LOAD = ("other-load", "steal")
_SAID = ("not-saturated",)
"""Findings that another point of the first screen says."""


def headline(result: Measure) -> str:
    """``STREAM triad 29.1 ±0.2 GB/s; this memory moved at least 46.5``."""
    best = main_figure(result)
    what = subject_of(result)
    if best is None:
        return f"{what}: nothing that counts was measured"
    figure, name = _main_rate(result, best), _named(result, best)
    if not is_of_memory(result):
        return f"{what}: {figure} ({name})"
    return f"{name} {figure}{_and_moved(result, best)}"


def _main_rate(result: Measure, best: KernelResult) -> str:
    """``29.1 ±0.2 GB/s``, that of each state, or the range of runs that have no median."""
    if (speeds := _speeds(result)) is not None:
        return rates_of_states(speeds.states)
    spread = best.spread
    if spread is not None and not spread.of_one_state:
        return f"{format_range(spread.minimum_gbps, spread.maximum_gbps)}, no median"
    ranged = best.bounded_by == "range"
    return rate_text(best.median_gbps or 0.0, best.low_gbps, best.high_gbps, ranged=ranged)


def _named(result: Measure, best: KernelResult) -> str:
    """``STREAM triad``, if it is that; else the kernel with its stores."""
    own = best.kernel in own_names(result)
    name = best.kernel if best.store in ("plain", "unknown") else f"{best.kernel} {best.store}"
    elsewhere = result.reported is not None and result.reported.tool != "STREAM"
    if own or best.tuned or result.device is not None or elsewhere:
        return name
    is_stream = best.kernel in STREAM_KERNELS and best.store in ("plain", "unknown")
    return f"STREAM {name}" if is_stream else name


def _and_moved(result: Measure, best: KernelResult) -> str:
    """What the memory surely moved, if that is more than the figure of the headline."""
    moved = least_moved(result)
    if moved is None or moved <= (best.high_gbps or best.median_gbps or 0.0):
        return ""
    what = "this memory" if result.device is None else f"the memory of {result.device.id}"
    return f"; {what} moved at least {format_rate(moved)}"


def subject_of(result: Measure) -> str:
    """``Memory bandwidth``, or what the rates are where they may not be the memory's."""
    if is_of_memory(result):
        return "Memory bandwidth"
    sizes = [each.array_bytes for each in result.findings if isinstance(each, BelowRule)]
    reported = result.reported.array_bytes if result.reported is not None else None
    size = next(iter(sizes), reported if any(map(_is_of_caches, result.findings)) else None)
    if size is None:
        return "Rates that may not be the memory's"
    return f"Bandwidth of arrays of {format_bytes(size)}"


def is_of_memory(result: Measure) -> bool:
    """Return whether nothing shows that the rates are not those of the memory."""
    impossible = any(isinstance(each, AbovePeak) for each in result.findings)
    if result.reported is None:
        return not impossible
    apart = any(
        reason.why is ReasonCode.NO_BANDWIDTH
        for each in result.kernels
        for reason in each.alpha.reasons
    )
    caches = any(map(_is_of_caches, result.findings))
    return not (impossible or caches or apart or result.reported.validated is False)


def _is_of_caches(fact: Fact) -> bool:
    """Return whether caches, and not the memory, may have given the figures."""
    uneven = isinstance(fact, UnevenKernels) and fact.ratio is not None and fact.ratio > 1
    return uneven or isinstance(fact, BelowRule | AbovePeak)


def _speeds(result: Measure) -> TwoSpeeds | None:
    return next((each for each in result.findings if isinstance(each, TwoSpeeds)), None)


def own_names(result: Measure) -> set[str]:
    """The names of the user's own kernels."""
    return {each.kernel for each in result.own_kernels}


def first_screen(measured: Result[Measure]) -> FirstScreen:
    """The first screen of streamgage's own run."""
    result, trust = measured.document, measured.trust
    best = headline_of(result.kernels, own_names(result))
    spoiled = trust.verdict == "not-quotable"
    return FirstScreen(
        before=[
            *([_spoiled(best)] if spoiled and best is not None else []),
            *([f"What to do: {_what_to_do(trust.reasons[0].code)}"] if spoiled else []),
        ],
        subject=_subject(measured),
        table=_table(replace(result, kernels=[e.in_main_state for e in result.kernels])),
        points=list(_points(measured, best)),
        quote="" if spoiled else measured.words.quote or "",
        more=_more(trust),
    )


def _more(trust: Trust) -> str:
    """The commands that show more; first the page on the headline's verdict."""
    code = f"explain {trust.reasons[0].code}" if trust.reasons else "explain · scale"
    return f"{command_line('show', '--details')} · report · {code}"


STREAM_KERNELS = ("copy", "scale", "add", "triad")
"""The kernels of STREAM."""


def _spoiled(best: KernelResult) -> str:
    """What is still known of a spoiled run."""
    name, low, high = best.kernel.capitalize(), best.low_gbps, best.high_gbps
    if best.n == 1:
        return f"The only sample of {best.kernel} was {format_gbps(best.median_gbps or 0.0)}."
    known = f"{name} was {format_gbps(best.median_gbps or 0.0)}"
    if low is not None and high is not None and format_rate(low) != format_rate(high):
        known = f"{name} was somewhere from {format_rate(low)} to {format_gbps(high)}"
    best_sample = (
        "" if best.best_gbps is None else f"; the best sample was {format_rate(best.best_gbps)}"
    )
    return f"{known}{best_sample}."


def _what_to_do(code: str) -> str:
    if code in _LOAD:
        return "streamgage doctor shows the cause; stop it; measure again."
    return f"streamgage explain {code} says why; then measure again."


def _subject(measured: Result[Measure]) -> str:
    machine, placement = measured.document.machine, measured.run.placement
    places = places_of(measured.run)
    device, parts = measured.document.device, []
    if machine is not None and machine.host:
        parts.append(machine.host)
    if device is not None:
        parts.append(device_text(device))
    elif machine is not None:
        parts.append(machine.processor or f"unknown processor ({machine.architecture})")
    if placement is not None:
        bound = places is not None and placement.bound
        on = f" on {count(places.cores, 'core')}" if places and bound else ", not bound"
        parts.append(f"{describe_threads(placement)}{on}")
    if device is None and machine is not None and machine.hypervisor:
        parts.append(f"{machine.hypervisor} guest")
    peak = measured.document.peak
    parts.append("peak unknown" if peak is None else f"peak {format_gbps(peak.gbps)}")
    return " · ".join(parts)


def _table(result: Measure) -> Table[str]:
    kernels = list(dict.fromkeys(each.kernel for each in result.kernels if each.n))
    first = headline_kernel(result.kernels, own_names(result))
    shown = shown_kernels(kernels, first)
    streaming = any(each.store == "streaming" and each.n for each in result.kernels)
    columns = [
        Column[str]("GB/s", lambda kernel: Cell(_name(kernel)), left=True),
        Column("as STREAM counts", _of(result, _median)),
        Column("really moved", _of(result, _moved), may_go=1),
    ]
    if streaming:
        columns.append(
            Column("streaming stores", lambda kernel: _median(_streaming(result, kernel)), may_go=2)
        )
    return Table(columns if shown else (), shown, empty="No timed sample was taken.", gap=3)


def _name(kernel: str) -> str:
    return {"sum": "read only"}.get(kernel, kernel)


def _of(result: Measure, cell: Callable[[KernelResult | None], Cell]) -> Callable[[str], Cell]:
    def shown(kernel: str) -> Cell:
        found = standard(result.kernels, kernel)
        if found is None:
            found = next((each for each in result.kernels if each.kernel == kernel), None)
        elif found.store not in STORES and _lacks_ordinary(result, kernel):
            return cell(None)
        return cell(found)

    return shown


def _lacks_ordinary(result: Measure, kernel: str) -> bool:
    """Return whether a figure with ordinary stores was asked for, and has too few samples."""
    return any(f"{kernel} {store}" in result.not_measured for store in STORES)


def _streaming(result: Measure, kernel: str) -> KernelResult | None:
    known = (each for each in result.kernels if each.kernel == kernel and not each.tuned)
    return next((each for each in known if each.store == "streaming"), None)


def _median(result: KernelResult | None) -> Cell:
    if result is None or result.median_gbps is None:
        return Cell(DASH)
    low, high, wrong = result.low_gbps, result.high_gbps, result.valid is False
    return Cell("", result.median_gbps, low, high, RATE, wrong=wrong)


def _moved(result: KernelResult | None) -> Cell:
    """The real traffic, and how it is known; its bounds if they are far apart, as in the table."""
    if result is None:
        return Cell("unknown")
    bounded = crossed(result)
    if bounded.value is None:
        return Cell("unknown")
    return bounded if bounded.text or " to " in words(bounded) else crossed(result, bounds=False)


def _points(measured: Result[Measure], best: KernelResult | None) -> Iterator[Point]:
    result, trust, findings = measured.document, measured.trust, measured.words.findings
    for name, text in own_kernel_lines(result):
        yield Point("Your kernel", f"{name}: {text}.")
    if (speeds := _speeds(result)) is not None:
        yield Point("Two speeds" if len(speeds.states) == 2 else "Three speeds", _together(speeds))
    if best is not None:
        yield from _two_figures(best.in_main_state, as_stream=as_stream_text(result))
    if result.saturation is not None:
        yield Point("The limit", hedged(_limit(result.saturation), trust))
    if best is not None:
        split = any(e.code == "two-modes" and e.severity == "warning" for e in findings)
        said_above = trust.verdict != "quotable"
        sure = _how_sure(measured, best, split=split)
        may_go = said_above and result.settle_seconds is None
        yield Point("How sure", sure, may_go=1 if may_go else 0)
        if result.device is None and result.machine is not None and result.machine.hypervisor:
            yield Point("", "Guests share their host: another run may differ by more.", may_go=4)
    if result.not_measured:
        yield Point("", f"{not_measured_line(result.not_measured)}.", may_go=1)
    yield from _look_out([e for e in findings if e.severity == "note" and e.code not in _SAID])
    if best is not None:
        yield from _expected(result, trust)
    if (others := standing_line(result)) is not None:
        yield Point("Others", hedged(others, trust), may_go=2)


def _together(speeds: TwoSpeeds) -> str:
    main = format_share(max(each.share for each in speeds.states))
    return f"{changed_together(speeds.changes_at, speeds.cause)} The table is of {main} of the run."


def _two_figures(best: KernelResult, *, as_stream: str | None) -> Iterator[Point]:
    """What each column compares with; ``as_stream``: why the first one does not with STREAM."""
    nominal, moved = best.median_gbps or 0.0, best.hardware_gbps
    if moved is None and best.alpha.verdict == "cannot-tell":
        why, _, _ = (best.alpha.why or "there is no evidence").partition(":")
        why = why.rstrip(".")
        known = "Unknown" if best.hardware_high_gbps is None else "Only bounds are certain"
        text = f"{known}: {why}. -> explain write-allocate"
        yield Point("Really moved", text, may_go=1)
    elif moved is not None and format_rate(moved) != format_rate(nominal):
        yield Point(
            "Two figures",
            "An ordinary store first reads the line that it overwrites. Compare the"
            f" {'' if as_stream else 'first column with STREAM, the '}second"
            f" {'column ' if as_stream else ''}with a data sheet.",
        )
    if as_stream is not None:
        yield Point("As STREAM", as_stream)


def _limit(found: SaturationResult) -> str:
    """``The memory, or the path to it: triad has 43.4 GB/s with 1 thread, 49.4 with 2.``."""
    points = points_of(found)
    if not points:
        return f"Not clear: {why_open(found)}."
    lead = f"{points[0].name} has {format_gbps(points[0].gbps)} with"
    lead += f" {count(points[0].threads, 'thread')}"
    grown = ", ".join([lead, *(f"{format_rate(e.gbps)} with {e.threads}" for e in points[1:])])
    if found.limit is None:
        if found.open_because == "rows-differ" and found.row_gbps is not None:
            return f"Not clear: {grown}, but {format_rate(found.row_gbps)} over whole arrays."
        why = "" if found.open_because == "coarse" else f"; {why_open(found)}"
        return f"Not clear: {grown}{why}."
    return f"{_LIMITS[found.limit]}: {grown}."


def _how_sure(measured: Result[Measure], best: KernelResult, *, split: bool) -> str:
    """``split``: its samples fall into two groups, between which the median lies by chance."""
    name = best.kernel.capitalize()
    width = known_to(best.in_main_state)
    if split:
        known = f"Not very: the samples of {best.kernel} fall into two groups."
    elif (seconds := measured.document.settle_seconds) is not None:
        takes = time_to_settle(seconds)
        known = f"Unknown: {name} has too few samples; enough of them take {takes} here."
    elif width is None:
        known = f"Unknown: {name} has too few samples."
    else:
        in_one = " at one speed" if best.states else ""
        known = f"{name} is {width}{in_one}."
    passed = {each.code for each in measured.passed}
    seen = [
        text
        for codes, text in (
            (("not-bound", "moved"), "threads stayed bound"),
            (("remote-pages",), "pages are local"),
            (("other-load",), "nothing else ran"),
            (("invalid",), "every element is correct"),
        )
        if passed.issuperset(codes)
    ]
    if not seen:
        return known
    text = ", ".join(seen)
    return f"{known} {text[:1].upper()}{text[1:]} ({count(len(passed), 'check')} passed)."


def _look_out(findings: Sequence[Finding]) -> Iterator[Point]:
    """The most important findings, in few words each."""
    more = len(findings) - _MOST_POINTS
    for number, each in enumerate(findings[:_MOST_POINTS]):
        last = number == min(len(findings), _MOST_POINTS) - 1
        rest = f" {more} more: --details." if last and more > 0 else ""
        text = f"{each.sentence} -> explain {each.code}{rest}"
        yield Point("" if number else "Look out", text, may_go=1 + number)


def _peak_not_found(result: Measure) -> bool:
    """Return whether ``--peak`` would help: nothing says what the peak is."""
    exceeded = any(each.why is WhyNoPeak.EXCEEDED for each in result.peak_unknown)
    return result.peak is None and not exceeded


def _expected(result: Measure, trust: Trust) -> Iterator[Point]:
    """Published values, the share of the peak, and the usual share."""
    published = expected_line(result)
    shares = [each.peak_share for each in result.kernels if each.peak_share is not None]
    if result.peak is not None and shares:
        peak = f"{format_gbps(result.peak.gbps)} ({result.peak.detail})"
        usual = Usual(result.peak.usual_low, result.peak.usual_high, result.peak.usual_reason)
        ordinary = result.device is not None and usual == USUAL
        words = "" if ordinary else f"; {usual.words('of the peak')}"
        text = f"The most was {format_share(max(shares))} of {peak}{words}."
        yield Point("Expected", hedged(text, trust))
    elif _peak_not_found(result) and published is None and result.device is None:
        sockets = [each.socket.words for each in result.peak_unknown if each.socket is not None]
        known = "".join(f" {capitalised(each)}." for each in sockets)
        machine = result.machine
        name = None if machine is None else f"{machine.processor} {machine.system or ''}"
        usual = USUAL if name is None else usual_named(name, None)
        text = f"{usual.words('of the peak')}; give --peak to see yours.{known}"
        yield Point("Expected", text, may_go=3)
    if published is not None:
        yield Point("" if shares else "Expected", hedged(published, trust), may_go=1)

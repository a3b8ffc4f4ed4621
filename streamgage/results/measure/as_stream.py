"""What STREAM itself would print, and why that differs from the figures of this run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.arrays import least_huge_share
from streamgage.analysis.outside import taken_by_others
from streamgage.analysis.statistics.intervals import median, median_bounds
from streamgage.records.run import Run
from streamgage.records.stream_view import PagePairs, StreamPasses
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.measure.document import (
    AsStream,
    KernelResult,
    Measure,
    PageRates,
    StreamFigure,
)
from streamgage.results.measure.headline import standard
from streamgage.units import count, format_bytes, format_gbps, format_rate, format_share

_KERNEL = "triad"
_APART = 0.05
"""The share from which on a difference is worth a sentence."""
_MOSTLY = 0.5
_SMALL_PAGE = 4096


def as_stream(run: Run, kernels: Sequence[KernelResult]) -> AsStream | None:
    """What STREAM would print, in the form of the document; ``None`` if it was not measured."""
    view = run.stream_view
    if view is None or not all(each.seconds for each in view.kernels):
        return None
    triad = next(each for each in view.kernels if each.kernel == _KERNEL)
    own = standard(kernels, _KERNEL)
    best = triad.seconds.index(min(triad.seconds))
    taken = taken_by_others(run) or 0.0
    return AsStream(
        figures=[StreamFigure(kernel=each.kernel, gbps=_best(each)) for each in view.kernels],
        threads=view.threads,
        array_bytes=view.array_bytes,
        huge_share=view.huge_share,
        own_huge_share=least_huge_share(run),
        page_bytes=(run.machine.page_bytes if run.machine else None) or _SMALL_PAGE,
        own_gbps=None if own is None else own.median_gbps,
        own_threads=run.threads(),
        other_programs=triad.switches[best] > 0 and taken > MUCH_LOAD,
        pages=None if view.pairs is None else _page_rates(view.pairs, triad.bytes),
    )


def _best(passes: StreamPasses) -> float:
    return passes.bytes / min(passes.seconds) / 1e9


def _page_rates(pairs: PagePairs, pass_bytes: int) -> PageRates | None:
    """``None`` if fewer than two pairs were quiet."""
    ratios = sorted(
        own / system for own, system in zip(pairs.own_seconds, pairs.system_seconds, strict=True)
    )
    bounds = median_bounds(ratios)
    if bounds is None:
        return None
    return PageRates(
        own_gbps=pass_bytes / median(sorted(pairs.own_seconds)) / 1e9,
        system_gbps=pass_bytes / median(sorted(pairs.system_seconds)) / 1e9,
        n=len(ratios),
        ratio=median(ratios),
        low=bounds.low,
        high=bounds.high,
        bounded_by=bounds.bounded_by,
    )


def differs(result: Measure) -> bool:
    """Return whether STREAM would print another triad than this run, by more than 5 %."""
    found = result.as_stream
    if found is None or found.own_gbps is None:
        return False
    return _is_apart(_triad(found) / found.own_gbps)


def as_stream_text(result: Measure) -> str | None:
    """The difference and its reasons in a sentence or two; ``None`` if there is none."""
    found = result.as_stream
    if found is None or not differs(result):
        return None
    why = ", ".join(_reasons(found))
    return (
        f"STREAM, run now, would print about {format_gbps(_triad(found))} for {_KERNEL}: {why}."
        " Compare that with other people's STREAM."
    )


def as_stream_pairs(result: Measure) -> Iterator[tuple[str, str]]:
    """What STREAM would print, kernel by kernel, and what its pages cost."""
    found = result.as_stream
    if found is None:
        return
    figures = ", ".join(f"{each.kernel} {format_rate(each.gbps)}" for each in found.figures)
    pages = _name_of_pages(found, found.huge_share)
    yield (
        "STREAM, run now",
        f"{figures} GB/s (best of ten passes without the first; {count(found.threads, 'thread')},"
        f" not bound; 3 arrays, {format_bytes(found.array_bytes)} each, {pages})",
    )
    if found.pages is not None:
        own = _name_of_pages(found, found.own_huge_share)
        yield (
            "Only other pages",
            f"{_KERNEL} {format_gbps(found.pages.own_gbps)} with {own} as in this run,"
            f" {format_gbps(found.pages.system_gbps)} with {pages}"
            f" ({count(found.pages.n, 'pair')} of passes, threads bound)",
        )


def _reasons(found: AsStream) -> Iterator[str]:
    """The causes that explain more than 5 % each."""
    pages, system = found.pages, _name_of_pages(found, found.huge_share)
    if pages is None or found.own_gbps is None:
        yield f"{system}, unbound threads and whole passes, which were not measured one by one"
        return
    any_found = False
    like_own = pages.own_gbps
    own = _name_of_pages(found, found.own_huge_share)
    if own != system and _is_known(pages) and _is_apart(pages.ratio):
        what = "cost" if pages.ratio < 1 else "gain"
        rates = f"{format_rate(pages.system_gbps)} in place of {format_rate(pages.own_gbps)}"
        yield f"{system} {what} {format_share(abs(1 - pages.ratio))} ({rates})"
        any_found, like_own = True, pages.system_gbps
    rest = _triad(found) / like_own
    if rest < 1 - _APART:
        yield f"{_others(found)} cost {format_share(1 - rest)}"
        any_found = True
    elif rest > 1 + _APART:
        yield f"its best pass is {format_share(rest - 1)} above the usual one"
        any_found = True
    then = pages.own_gbps / found.own_gbps
    if _is_apart(then):
        pace = "slower" if then < 1 else "faster"
        yield f"the machine was {format_share(abs(1 - then))} {pace} in that second"
        any_found = True
    if not any_found:
        yield "no cause makes more than 5 % alone"


def _others(found: AsStream) -> str:
    if found.own_threads is not None and found.threads != found.own_threads:
        return f"{count(found.threads, 'thread')} in place of {found.own_threads}"
    return "other programs" if found.other_programs else "unbound threads"


def _name_of_pages(found: AsStream, share: float | None) -> str:
    is_huge = share is not None and share >= _MOSTLY
    return "huge pages" if is_huge else f"{format_bytes(found.page_bytes)} pages"


def _is_known(pages: PageRates) -> bool:
    """Return whether all bounds say which pages are quicker."""
    return pages.bounded_by == "interval" and (pages.high < 1 or pages.low > 1)


def _is_apart(ratio: float) -> bool:
    return abs(ratio - 1) > _APART


def _triad(found: AsStream) -> float:
    return next(each.gbps for each in found.figures if each.kernel == _KERNEL)

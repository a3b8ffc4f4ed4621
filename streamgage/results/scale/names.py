"""What curves and their axes are called, in every format."""

from __future__ import annotations

from streamgage.analysis.statistics.bootstrap import FEWEST
from streamgage.results.scale.document import Binding, Curve, ScalePoint, Scaling
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_bytes, format_half_width, format_rate, format_share

DASH = "-"


def kinds(answer: Scaling) -> list[tuple[str, str]]:
    """Kernels with their kinds of stores, each once."""
    return list(dict.fromkeys((each.kernel, each.store) for each in answer.curves))


def curves_of(answer: Scaling, kernel: str, store: str) -> list[Curve]:
    """The curves of a kernel, a binding each."""
    return [each for each in answer.curves if (each.kernel, each.store) == (kernel, store)]


def point_at(curve: Curve, n: int) -> ScalePoint | None:
    """The point with ``n`` workers; null where there is a gap."""
    return next((each for each in curve.points if each.n == n), None)


def counts_of(answer: Scaling, curves: list[Curve]) -> list[int]:
    """Numbers of workers of these curves, with those whose runs failed."""
    names = {each.binding for each in curves}
    asked = {each.n for each in answer.runs if each.binding in names}
    return sorted(asked | {point.n for each in curves for point in each.points})


def rate(point: ScalePoint, symbols: Symbols) -> str:
    """``23.9 ±0.2``: the median, and the wider half of its interval where that is known."""
    bounds = point.gbps
    if bounds.low is None or bounds.high is None:
        return format_rate(bounds.value)
    half = max(bounds.high - bounds.value, bounds.value - bounds.low)
    return (
        f"{format_rate(bounds.value)} {symbols.plus_minus}{format_half_width(half, bounds.value)}"
    )


def speedup(point: ScalePoint) -> str:
    """``1.98``."""
    return DASH if point.speedup is None else f"{point.speedup.value:.2f}"


def efficiency(point: ScalePoint) -> str:
    """``99 %``."""
    return DASH if point.efficiency is None else f"{100 * point.efficiency.value:.0f} %"


def series(answer: Scaling, symbols: Symbols) -> str:
    """What ran: ``3 rounds, points in mixed order (seed 5) · arrays of 132 MiB at every point``."""
    parts = []
    if answer.workers == "ranks":
        each = count(answer.threads_per_worker, "thread")
        parts.append(f"MPI ranks of {each}, started by {answer.launcher}")
    parts.append(f"{count(answer.rounds, 'round')}, points in mixed order (seed {answer.seed})")
    if answer.array_bytes is not None:
        parts.append(f"arrays of {format_bytes(answer.array_bytes)} at every point")
    return symbols.separator.join(parts)


def proof(binding: Binding) -> str:
    """What the records prove of a binding: bound or not, and how often workers moved."""
    if not binding.points:
        return "nothing was measured"
    bound = {each.bound for each in binding.points}
    moved = sum(each.moved for each in binding.points)
    how = "bound" if bound == {True} else "not bound" if bound == {False} else "bound in part"
    if moved == 0:
        return f"{how}, none moved"
    return f"{how}, a worker moved in {count(moved, 'sample')}"


def uncertainty(answer: Scaling) -> str:
    """What the bounds of a figure are."""
    if answer.rounds == 1:
        return "95 % interval of the median of the samples"
    if answer.rounds < FEWEST:
        return f"the extremes of {answer.rounds} rounds"
    return f"95 % interval of the median of {answer.rounds} rounds"


def foot(answer: Scaling, symbols: Symbols) -> str:
    """What the figures are."""
    worker = answer.workers.removesuffix("s")
    return (
        f"GB/s of nominal bytes, median; {symbols.plus_minus}: {uncertainty(answer)}. Speedup over"
        f" one {worker} with the same binding, efficiency = speedup / n."
    )


def best(curve: Curve) -> str:
    """Such as: best 47.0 at n = 4, 90 % of it from n = 3."""
    return (
        f"best {format_rate(curve.best_gbps)} at n = {curve.best_n},"
        f" {format_share(0.9)} of it from n = {curve.enough_n}"
    )

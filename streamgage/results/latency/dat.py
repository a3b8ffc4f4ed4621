"""``--format dat``: columns for gnuplot, a block a curve, two empty lines apart.

The first block is idle latency over the working set; then follows one for each mix, latency over
bandwidth.
"""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.latency.document import Latencies
from streamgage.results.latency.rows import series, uncertainty
from streamgage.results.latency.words import MIXES
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import ASCII

_NONE = "NaN"


def render(answer: Latencies) -> str:
    """Comments, then the blocks."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Latencies) -> Iterator[str]:
    yield "# streamgage latency: ns of a load that depends on the one before"
    if answer.machine is not None:
        yield f"# {line_of_machine(answer.machine, ASCII)}"
        yield f"# {answer.machine.host}, {answer.machine.time}"
    yield f"# {series(answer, ASCII)}"
    yield f"# low, high: {uncertainty(answer)}"
    yield "# index 0: idle"
    yield _row("bytes", ("ns", "low", "high"), comment=True)
    for point in answer.idle:
        yield _row(str(point.bytes), _bounded(point.seconds, 1e9))
    for number, curve in enumerate(answer.loaded, 1):
        yield from ("", "")
        yield f"# index {number}: {MIXES[curve.mix]}, {curve.generators} loading"
        heads = ("ns", "GB/s_low", "GB/s_high", "ns_low", "ns_high", "share")
        yield _row("GB/s", heads, comment=True)
        for each in curve.points:
            rate, *rates = _bounded(each.gbps, 1.0)
            latency, *bounds = _bounded(each.seconds, 1e9)
            yield _row(rate, (latency, *rates, *bounds, f"{each.share:g}"))


def _row(first: str, rest: tuple[str, ...], *, comment: bool = False) -> str:
    lead = f"#{first:>13}" if comment else f"{first:>14}"
    return f"{lead} {' '.join(f'{each:>12}' for each in rest)}"


def _bounded(figure: Bounded, scale: float) -> tuple[str, ...]:
    values = (figure.value, figure.low, figure.high)
    return tuple(_NONE if value is None else f"{scale * value:.6g}" for value in values)

"""``--format dat``: columns for gnuplot, a block a curve, two empty lines apart."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.rows import mode_of, series, uncertainty
from streamgage.results.ladder.words import title_of
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import ASCII

_NONE = "NaN"


def render(answer: Ladder) -> str:
    """Comments, then for each curve a comment and a line for each working set."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Ladder) -> Iterator[str]:
    yield "# streamgage ladder: GB/s of nominal bytes (10^9 bytes a second), medians"
    if answer.machine is not None:
        yield f"# {line_of_machine(answer.machine, ASCII)}"
        yield f"# {answer.machine.host}, {answer.machine.time}"
    yield f"# {series(answer, ASCII)}"
    yield f"# low, high: {uncertainty(answer)}"
    for number, curve in enumerate(answer.curves):
        yield from ("", "") if number else ()
        yield f"# index {number}: {title_of(curve)}: {mode_of(curve)}"
        yield f"#{'bytes':>13} {'GB/s':>12} {'low':>12} {'high':>12}"
        for point in curve.points:
            bounds = (point.gbps.low, point.gbps.high)
            low, high = (_NONE if each is None else f"{each:.6g}" for each in bounds)
            yield f"{point.bytes:>14} {f'{point.gbps.value:.6g}':>12} {low:>12} {high:>12}"

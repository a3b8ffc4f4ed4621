"""``--format dat``: columns for gnuplot, a block a binding.

``plot 'scaling.dat' index 0 using 1:2 with lines`` draws the first kernel of the first binding.
Blocks are two empty lines apart; a point that could not be measured is NaN, where gnuplot leaves a
gap.
"""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.scale.document import Curve, Scaling
from streamgage.results.scale.names import kinds, point_at, series, uncertainty
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import ASCII

_WIDTH = 12
_NONE = "NaN"


def render(answer: Scaling) -> str:
    """Comments, then for each binding a comment and a line for each number of workers."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Scaling) -> Iterator[str]:
    yield "# streamgage scale: GB/s of nominal bytes (10^9 bytes a second), medians"
    if answer.machine is not None:
        yield f"# {line_of_machine(answer.machine, ASCII)}"
        yield f"# {answer.machine.host}, {answer.machine.time}"
    yield f"# {series(answer, ASCII)}"
    yield f"# low, high: {uncertainty(answer)}; speedup over n = 1"
    number = 0
    for binding in answer.bindings:
        curves = [each for each in answer.curves if each.binding == binding.name]
        if not curves:
            continue
        yield from ("", "") if number else ()
        yield f"# index {number}: {binding.name}, {binding.meaning}"
        yield from _block(answer, curves)
        number += 1


def _block(answer: Scaling, curves: list[Curve]) -> Iterator[str]:
    names = [f"{kernel}_{store}" for kernel, store in kinds(answer)]
    of_kind = {f"{each.kernel}_{each.store}": each for each in curves}
    names = [name for name in names if name in of_kind]
    heads = [
        *names,
        *(f"{name}_{what}" for name in names for what in ("low", "high", "speedup", "efficiency")),
    ]
    widths = [max(_WIDTH, len(head)) for head in heads]
    titled = (head.rjust(width) for head, width in zip(heads, widths, strict=True))
    yield f"#{'nt':>5} {' '.join(titled)}"
    asked = {each.n for each in answer.runs if each.binding == curves[0].binding}
    for n in sorted(asked | {point.n for each in curves for point in each.points}):
        points = [point_at(of_kind[name], n) for name in names]
        values = [_NONE if each is None else f"{each.gbps.value:.6g}" for each in points]
        for each in points:
            values += (
                [_NONE] * 4
                if each is None
                else [*_bounds(each.gbps), _value(each.speedup), _value(each.efficiency)]
            )
        row = (value.rjust(width) for value, width in zip(values, widths, strict=True))
        yield f"{n:>6} {' '.join(row)}"


def _bounds(figure: Bounded) -> list[str]:
    return [_NONE if value is None else f"{value:.6g}" for value in (figure.low, figure.high)]


def _value(figure: Bounded | None) -> str:
    return _NONE if figure is None else f"{figure.value:.6g}"

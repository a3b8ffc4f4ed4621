"""``measure``: every timed sample in the order measured, and how they are distributed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt

from streamgage.analysis.sampled import Sampled, five_numbers, sampled
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.report_rates import figure
from streamgage.show.report.drawing import axis, floats, integers
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Layout, Table, Trace
from streamgage.units import format_rate

_MOST_DOTS = 4000
"""Samples beyond which a line is drawn in place of dots, which a browser would labour at."""
_FEWEST_BINS, _MOST_BINS = 10, 60
_MOST_LINES = 40


def samples_figure(answer: Answer) -> Iterator[Figure]:
    """The samples of one variant at a time; none where there are no two to see apart."""
    found = sampled(answer.run)
    if not any(len(each.gbps) > 1 for each in found):
        return
    reported = answer.run.reported is not None
    afresh = (
        " Dotted lines: the arrays were allocated afresh."
        if any(each.allocations for each in found)
        else ""
    )
    unit = "runs" if reported else "timed samples"
    yield Figure(
        title="The runs" if reported else "The samples over time, and their distribution",
        about=f"The bandwidth of the {unit} of a variant in the order measured, with the median as"
        " a line and its 95 % interval as a band, and beside them a histogram: two groups or a"
        f" drift can be seen.{afresh}",
        drawings=[_drawing(each, _result_of(answer, each), reported=reported) for each in found],
        table=Table(
            f"GB/s of the {unit}: extremes, quartiles and median",
            [
                Column("variant", left=True),
                *(Column(title) for title in ("n", "least", "25 %", "median", "75 %", "most")),
            ],
            [_row(each) for each in found],
        ),
        select="Variant",
        first=next((place for place, each in enumerate(found) if _is_first(each)), 0),
        wide=True,
    )


def _is_first(each: Sampled) -> bool:
    return each.variant.kernel == "triad" and each.variant.purpose == "rate"


def _result_of(answer: Answer, of: Sampled) -> KernelResult | None:
    return next((each.result for each in answer.measured if each.variant == of.variant), None)


def _row(each: Sampled) -> list[Cell]:
    found = five_numbers(each.gbps)
    figures = (found.minimum, found.lower, found.median, found.upper, found.maximum)
    return [Cell(each.name), Cell(str(found.n), found.n), *map(figure, figures)]


def _drawing(each: Sampled, result: KernelResult | None, *, reported: bool) -> Drawing:
    many = len(each.gbps) > _MOST_DOTS
    over_time: Trace = {
        "type": "scatter",
        "mode": "lines" if many else "markers",
        "x": integers(each.blocks),
        "y": {"shared": 0},
        "marker": {"color": "series0", "size": 6, "opacity": 0.75},
        "line": {"color": "series0", "width": 1},
        "hovertemplate": "%{x}: %{y:.4~g} GB/s<extra></extra>",
    }
    spread: Trace = {
        "type": "histogram",
        "y": {"shared": 0},
        "nbinsy": min(_MOST_BINS, max(_FEWEST_BINS, 2 * isqrt(len(each.gbps)))),
        "xaxis": "x2",
        "marker": {"color": "series0"},
        "hovertemplate": "%{y} GB/s: %{x}<extra></extra>",
    }
    layout: Layout = {
        "showlegend": False,
        "bargap": 0.05,
        "xaxis": axis("table" if reported else "block, in the order measured", domain=[0, 0.74]),
        "xaxis2": axis("how many", domain=[0.77, 1]),
        "yaxis": axis("GB/s of nominal bytes", range=_range(each.gbps)),
        "shapes": [*_allocations(each), *(_middle(result) if result is not None else [])],
    }
    return Drawing(each.name, [over_time, spread], layout, shared=[floats(each.gbps)])


def _range(rates: Sequence[float]) -> list[float]:
    """That of the samples: of few samples the median's interval may be far wider."""
    least, most = min(rates), max(rates)
    room = 0.08 * (most - least) or 0.05 * most
    return [least - room, most + room]


def _allocations(each: Sampled) -> Iterator[Layout]:
    """A dotted line before the first sample of each allocation, unless there are very many."""
    if len(each.allocations) > _MOST_LINES:
        return
    for place in each.allocations:
        x = (each.blocks[place - 1] + each.blocks[place]) / 2
        yield {
            "type": "line",
            "yref": "paper",
            "x0": x,
            "x1": x,
            "y0": 0,
            "y1": 1,
            "line": {"color": "grey", "width": 1, "dash": "dot"},
        }


def _middle(result: KernelResult) -> Iterator[Layout]:
    """The median, and its interval."""
    across = {"xref": "paper", "x0": 0, "x1": 1}
    if result.low_gbps is not None and result.high_gbps is not None:
        yield across | {
            "type": "rect",
            "y0": result.low_gbps,
            "y1": result.high_gbps,
            "fillcolor": "plateau",
            "line": {"width": 0},
            "layer": "below",
        }
    if result.median_gbps is not None:
        yield across | {
            "type": "line",
            "y0": result.median_gbps,
            "y1": result.median_gbps,
            "line": {"color": "limit", "width": 1.5},
            "label": {
                "text": f"median {format_rate(result.median_gbps)}",
                "textposition": "start",
                "font": {"color": "limit", "size": 11},
            },
        }

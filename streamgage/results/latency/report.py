"""``latency``: the levels and each load, idle latency over size, latency over bandwidth."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.latency.document import Latencies, LoadCurve
from streamgage.results.latency.rows import blocks, foot
from streamgage.results.latency.words import MIXES
from streamgage.show.report.bounded import bounded_cell
from streamgage.show.report.drawing import axis, line, plateau, size_axis, upright, value_axis
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Layout, Part, Table, Trace
from streamgage.show.symbols import UNICODE
from streamgage.units import format_bytes, format_nanoseconds, format_rate, format_share

_LEFT = ("level", "working sets")


def tables(answer: Latencies) -> Iterator[Part]:
    """The levels, then each mix."""
    shown = blocks(answer, UNICODE)
    orders = [_orders_of_levels(answer)] if answer.steps else []
    orders += [_orders_of_paces(each) for each in answer.loaded]
    for block, order in zip(shown, orders, strict=True):
        columns = [Column(head, left=head in _LEFT) for head in block.heads]
        rows = [
            [Cell(text, by) for text, by in zip(texts, keys, strict=True)]
            for texts, keys in zip(block.rows, order, strict=True)
        ]
        last = foot(answer, UNICODE) if block is shown[-1] else ""
        yield Table(f"{block.title}: {block.what}", columns, rows, last)


def _orders_of_levels(answer: Latencies) -> list[tuple[float | None, ...]]:
    return [
        (
            each.low_bytes,
            each.seconds.value,
            each.seconds.low,
            each.low_bytes,
            each.effective_bytes,
            each.claimed_bytes,
        )
        for each in answer.steps
    ]


def _orders_of_paces(curve: LoadCurve) -> list[tuple[float | None, ...]]:
    return [
        (each.share, each.gbps.value, each.seconds.value, each.seconds.value)
        for each in curve.points
    ]


def figures(answer: Latencies) -> Iterator[Figure]:
    """Idle latency, and what becomes of it under load."""
    if answer.idle:
        yield _idle(answer)
    if answer.loaded:
        yield _loaded(answer)


def _idle(answer: Latencies) -> Figure:
    sizes = [each.bytes for each in answer.idle]
    traces: list[Trace] = []
    marks: list[Layout] = []
    shapes: list[Layout] = []
    for step in answer.steps:
        text = f"{step.level} {format_nanoseconds(step.seconds.value)} ns"
        ends = (step.low_bytes, step.high_bytes)
        bar, label = plateau(text, ends, 1e9 * step.seconds.value)
        traces.append(bar)
        marks.append(label)
        claimed = step.claimed_bytes
        if claimed is not None and min(sizes) <= claimed <= max(sizes):
            shape, label = upright(claimed, f"{step.level} claims {format_bytes(claimed)}")
            shapes.append(shape)
            marks.append(label)
    texts = [
        f"{format_bytes(each.bytes)}: {format_nanoseconds(each.seconds.value)} ns"
        for each in answer.idle
    ]
    points = [each.seconds for each in answer.idle]
    traces.append(line("idle", sizes, points, 0, scale=1e9, texts=texts))
    values = [1e9 * v for each in points for v in (each.low, each.value, each.high) if v]
    layout: Layout = {
        "showlegend": False,
        "xaxis": size_axis("working set", sizes),
        "yaxis": value_axis("ns a load", values),
        "shapes": shapes,
        "annotations": marks,
    }
    rows = [
        [Cell(format_bytes(e.bytes), e.bytes), bounded_cell(e.seconds, format_nanoseconds)]
        for e in answer.idle
    ]
    return Figure(
        title="Idle latency over the working set",
        about="Nanoseconds of a load that depends on the one before, over the size of the working"
        " set, both logarithmic. Broad bars: the levels. Dashed lines: what the caches claim to"
        " hold.",
        drawings=[Drawing("", traces, layout)],
        table=Table("Idle latency", [Column("working set"), Column("ns a load")], rows),
        wide=True,
    )


def _loaded(answer: Latencies) -> Figure:
    traces: list[Trace] = []
    rows = []
    for number, curve in enumerate(answer.loaded):
        name = MIXES[curve.mix]
        texts = [
            f"{name}, {format_share(each.share)} of the load: {format_rate(each.gbps.value)} GB/s,"
            f" {format_nanoseconds(each.seconds.value)} ns"
            for each in curve.points
        ]
        traces.append(
            line(
                name,
                [each.gbps.value for each in curve.points],
                [each.seconds for each in curve.points],
                number,
                scale=1e9,
                texts=texts,
            )
        )
        rows += [
            [
                Cell(name),
                Cell(format_share(each.share), each.share),
                bounded_cell(each.gbps, format_rate),
                bounded_cell(each.seconds, format_nanoseconds),
            ]
            for each in curve.points
        ]
    layout: Layout = {
        "xaxis": axis("GB/s by the loading threads", rangemode="tozero"),
        "yaxis": axis("ns a load", rangemode="tozero"),
    }
    columns = [Column("mix", left=True), Column("load"), Column("GB/s"), Column("ns a load")]
    return Figure(
        title="Latency under load",
        about="Nanoseconds of a load over the bandwidth that other threads take meanwhile, a curve"
        " for each mix of reads and writes.",
        drawings=[Drawing("", traces, layout)],
        table=Table("Latency under load", columns, rows),
        wide=True,
    )

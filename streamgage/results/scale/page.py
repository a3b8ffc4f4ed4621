"""The page of a scaling: bandwidth, speedup and efficiency over the workers, for each placement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from streamgage.analysis.saturation import ENOUGH
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.cpu_list import name_cpus
from streamgage.results.member import Member
from streamgage.results.members import table_of_members
from streamgage.results.reported import source_words
from streamgage.results.rounds import bounds_of_rounds, failures, settings_of
from streamgage.results.scale.document import (
    OWN_LOOPS,
    Curve,
    PlacedPoint,
    PlacedWorkers,
    Scale,
    ScalePoint,
    name_of,
    placement_named,
    workers_of,
)
from streamgage.results.scale.placements import UNRECORDED, meaning_of
from streamgage.results.scale.words import left_out
from streamgage.show.page import (
    RATIO,
    SHARE,
    Axis,
    Block,
    Cell,
    Column,
    Columns,
    Data,
    Datum,
    Guide,
    Lines,
    Listing,
    Page,
    Ring,
    Series,
    Table,
    Unit,
    Value,
    bounded,
    figure,
)
from streamgage.units import count, format_bytes, format_rate, format_share

_MOST_COUNTS = 4
"""The most numbers of workers in a table that has a row for each curve."""
_RATES = "GB/s of nominal bytes"
Read = Callable[[ScalePoint], Estimate | None]


def page(scale: Scale) -> Page:
    """The page of a result of ``streamgage scale``."""
    meanings = list(_meanings(scale))
    return Page(
        title="Scaling",
        machine=scale.machine,
        lines=[_series(scale)],
        terms=meanings,
        tables=[*(_table(scale, curves) for curves in _over_counts(scale)), *_members(scale)],
        note=_note(scale),
        lists=[_places(scale)],
        remarks=[*left_out(scale.left_out), *missing(scale)],
        settings=settings_of(
            _series(scale),
            scale.runs,
            *((f"Placement {name}", meaning) for name, meaning in meanings),
        ),
        picture=f"Scaling over {_workers(scale)}",
        caption=_caption(scale),
        plots=[
            plot
            for curves in _over_counts(scale)
            for of_one in _by_compiler(scale, curves)
            for plot in (_bandwidth(scale, of_one, curves), _speedup(scale, of_one, curves))
        ],
        across=2,
        data=_data(scale),
        columns=_columns(scale),
    )


def _members(scale: Scale) -> list[Table[Any]]:
    """What crossed the memory bus at each number of workers, as another benchmark's tables show."""
    n = Column[Member]("n", lambda each: Cell(str(each.n), each.n), about=scale.workers)
    found = table_of_members(scale.members, n)
    return [] if found is None else [found]


def missing(scale: Scale) -> list[str]:
    """Say why points are missing."""
    return failures(
        scale.rounds,
        scale.runs,
        lambda each: f"{each.placement} with {workers_of(each.n, scale.workers)}",
    )


def _series(scale: Scale) -> str:
    """Say what ran: the rounds, the order of the points, and the size of the arrays."""
    parts = [] if scale.reported is None else source_words(scale.reported, len(scale.runs))
    if scale.launcher is not None or scale.workers == "ranks":
        threads = count(scale.threads_per_worker, "thread")
        both = "threads of one process, and " if scale.workers == "workers" else ""
        by = "" if scale.launcher is None else f", started by {scale.launcher}"
        parts.append(f"{both}MPI ranks of {threads}{by}")
    if scale.reported is None:
        parts.append(f"{count(scale.rounds, 'round')}, points in mixed order (seed {scale.seed})")
    if scale.array_bytes is not None:
        parts.append(f"arrays of {format_bytes(scale.array_bytes)} at every point")
    return " · ".join(parts)


def _meanings(scale: Scale) -> Iterator[tuple[str, str]]:
    """Yield the meaning of each way of placing workers, and what the records show about it."""
    for way in dict.fromkeys(each.way for each in scale.placements):
        points = [e for each in scale.placements if each.way == way for e in each.points]
        meaning = meaning_of(way)
        yield way, meaning if way == UNRECORDED else f"{meaning} ({_proof(points)})"


def _proof(points: Sequence[PlacedPoint]) -> str:
    """Say what the records show about a placement: bound or not, and how often workers moved."""
    if not points:
        return "nothing was measured"
    bound = {each.bound for each in points}
    moved = sum(each.moved for each in points)
    how = "bound" if bound == {True} else "not bound" if bound == {False} else "bound in part"
    if moved == 0:
        return f"{how}, none moved"
    return f"{how}, a worker moved in {count(moved, 'sample')}"


def _places(scale: Scale) -> Listing:
    """The list of where every worker was, point by point."""
    return Listing(
        pairs=[
            (f"{each.name}, n = {point.n}", place_of(point))
            for each in scale.placements
            for point in each.points
        ],
        heading="Where the workers ran, in their order",
        details=True,
    )


def place_of(point: PlacedPoint) -> str:
    """Describe the CPUs, cores and nodes of a point."""
    nodes = ", ".join(f"{number} on node {node}" for node, number in point.per_node.items())
    moved = f"; one moved in {count(point.moved, 'sample')}" if point.moved else ""
    return f"{name_cpus(point.cpus)}; {count(point.cores, 'core')}; {nodes}{moved}"


def _bounds(scale: Scale) -> str:
    if scale.reported is not None and scale.rounds == 1:
        return "unknown, because there is only one run of each"
    figures = [point.gbps for curve in scale.curves for point in curve.points]
    return bounds_of_rounds(scale.rounds, figures, single="samples")


def _note(scale: Scale) -> str:
    worker = scale.workers.removesuffix("s")
    if scale.reported is not None:
        bounds = "one run of each" if scale.rounds == 1 else f"± or a to b: {_bounds(scale)}"
        return (
            f"GB/s of nominal bytes, as printed; of several runs the median; {bounds}. Speedup over"
            f" one {worker}, efficiency = speedup / n."
        )
    return (
        f"GB/s of nominal bytes, median; ± or a to b: {_bounds(scale)}. Speedup over one"
        f" {worker} with the same placement, efficiency = speedup / n."
    )


def _by_kernel(scale: Scale) -> list[list[Curve]]:
    """The curves of each kernel with its stores, one per placement."""
    found: dict[tuple[str, str], list[Curve]] = {}
    for each in scale.curves:
        found.setdefault((each.kernel, each.store), []).append(each)
    return list(found.values())


def _over_counts(scale: Scale) -> list[list[Curve]]:
    """The curves of each kernel that has several numbers of workers; all curves if none has.

    A saved output may have many kernels for only one number of workers; a sentence reports these.
    """
    every = _by_kernel(scale)
    return [each for each in every if len(_counts(scale, each)) > 1] or every


def _name(curve: Curve) -> str:
    return name_of(curve.kernel, curve.store)


def _at(curve: Curve, n: int) -> ScalePoint | None:
    """The point with ``n`` workers; ``None`` if there is a gap."""
    return next((each for each in curve.points if each.n == n), None)


def _counts(scale: Scale, curves: Sequence[Curve]) -> list[int]:
    """The numbers of workers in these curves, including those whose runs failed."""
    names = {each.placement for each in curves}
    failed = {each.n for each in scale.runs if each.placement in names and each.failure is not None}
    return sorted(failed | {point.n for each in curves for point in each.points})


def _by_compiler(scale: Scale, curves: Sequence[Curve]) -> list[list[Curve]]:
    """The curves of each compiler, which have plots of their own."""
    found: dict[str | None, list[Curve]] = {}
    for each in curves:
        found.setdefault(_placement(scale, each).compiler, []).append(each)
    return list(found.values())


def _placement(scale: Scale, curve: Curve) -> PlacedWorkers:
    return placement_named(scale.placements, curve.placement)


def _label(scale: Scale, curve: Curve) -> str:
    """The label that distinguishes a curve from the others of its compiler."""
    placement = _placement(scale, curve)
    return f"{placement.workers}, {placement.way}" if scale.workers == "workers" else placement.way


def _built_by(scale: Scale, curve: Curve) -> str:
    """Name the compiler, as in ``, gcc -O3``, if there are several; else the text is empty."""
    if len({each.compiler for each in scale.placements}) == 1:
        return ""
    return f", {_placement(scale, curve).compiler or OWN_LOOPS}"


def _table(scale: Scale, curves: Sequence[Curve]) -> Table[Any]:
    """The table with a column per placement, or a row per curve if compilers or workers differ."""
    if len({each.way for each in scale.placements}) < len(scale.placements):
        return _table_of_curves(scale, curves)
    return Table(
        title=_name(curves[0]),
        columns=[
            Column("n", lambda n: Cell(str(n), n), about=scale.workers),
            *(column for each in curves for column in _columns_of(each)),
        ],
        rows=_counts(scale, curves),
        notes=[(each.placement, _best(each)) for each in curves],
        split="groups",
    )


def _table_of_curves(scale: Scale, curves: Sequence[Curve]) -> Table[Curve]:
    counts = _counts(scale, curves)
    most = counts[-1]

    def at(n: int, read: Read, unit: Unit | None = None) -> Callable[[Curve], Cell]:
        def of_row(curve: Curve) -> Cell:
            point = _at(curve, n)
            found = None if point is None else read(point)
            strong = unit is None and n == curve.enough_n
            if unit is None:
                return figure(found, strong=strong)
            return figure(found, unit, bounds=False)

        return of_row

    def of_compiler(curve: Curve) -> Cell:
        return Cell(_placement(scale, curve).compiler or OWN_LOOPS)

    shown = counts if len(counts) <= _MOST_COUNTS else [*counts[: _MOST_COUNTS - 1], most]
    return Table(
        title=_name(curves[0]),
        columns=[
            *([Column("loops", of_compiler, left=True)] if _built_by(scale, curves[0]) else []),
            Column("workers", lambda each: Cell(_placement(scale, each).workers), left=True),
            Column("placed", lambda each: Cell(_placement(scale, each).way), left=True, roomy=True),
            *(Column(f"n = {n}", at(n, _gbps), group="GB/s", may_go=int(n != most)) for n in shown),
            Column("speedup", at(most, lambda each: each.speedup, RATIO), group=f"n = {most}"),
            Column("eff.", at(most, lambda each: each.efficiency, _PERCENT), group=f"n = {most}"),
            Column("90 % from", lambda each: Cell(f"n = {each.enough_n}", each.enough_n)),
        ],
        rows=list(curves),
    )


def _columns_of(curve: Curve) -> Iterator[Column[int]]:
    """Yield the columns of a placement; the row with enough workers stands out."""

    def cell(read: Read, unit: Unit | None = None) -> Callable[[int], Cell]:
        def of_row(n: int) -> Cell:
            point = _at(curve, n)
            found = None if point is None else read(point)
            strong = n == curve.enough_n
            if unit is None:
                return figure(found, strong=strong)
            return figure(found, unit, strong=strong, bounds=False)

        return of_row

    yield Column("GB/s", cell(lambda each: each.gbps), group=curve.placement)
    yield Column("speedup", cell(lambda each: each.speedup, RATIO), group=curve.placement)
    yield Column(
        "eff.",
        cell(lambda each: each.efficiency, _PERCENT),
        group=curve.placement,
        long_title="efficiency",
    )


_PERCENT = Unit("", lambda share: f"{100 * share:.0f} %", SHARE.half)


def _best(curve: Curve) -> str:
    """Summarise a curve: best 47.0 at n = 4, 90 % of it from n = 3."""
    return (
        f"best {format_rate(curve.best_gbps)} at n = {curve.best_n},"
        f" {format_share(ENOUGH)} of it from n = {curve.enough_n}"
    )


def _gbps(point: ScalePoint) -> Estimate:
    return point.gbps


_Placed = tuple[Curve, ScalePoint, PlacedPoint | None]


def _data(scale: Scale) -> Data[_Placed]:
    of_name = {each.name: each for each in scale.placements}
    places = {(each.name, point.n): point for each in scale.placements for point in each.points}
    return Data(
        columns=[
            Datum("placement", lambda row: row[0].placement),
            Datum("kernel", lambda row: row[0].kernel),
            Datum("store", lambda row: row[0].store),
            Datum("way", lambda row: of_name[row[0].placement].way),
            Datum("workers", lambda row: of_name[row[0].placement].workers),
            Datum("launcher", lambda row: of_name[row[0].placement].launcher),
            Datum("compiler", lambda row: of_name[row[0].placement].compiler),
            Datum("n", lambda row: row[1].n),
            Datum("threads_per_worker", lambda _: scale.threads_per_worker),
            *bounded("gbps", lambda row: row[1].gbps),
            *bounded("speedup", lambda row: row[1].speedup),
            *bounded("efficiency", lambda row: row[1].efficiency),
            Datum("rounds", lambda row: row[1].rounds),
            Datum("samples", lambda row: row[1].samples),
            _of_place("cpus", lambda place: place.cpus),
            _of_place("threads_per_node", _per_node),
            _of_place("cores", lambda place: place.cores),
            _of_place("crowded_samples", lambda place: place.crowded),
            _of_place("bound", lambda place: place.bound),
            _of_place("moved", lambda place: place.moved),
        ],
        rows=[
            (curve, point, places.get((curve.placement, point.n)))
            for curve in scale.curves
            for point in curve.points
        ],
    )


def _of_place(key: str, read: Callable[[PlacedPoint], Value]) -> Datum[_Placed]:
    return Datum(key, lambda row: None if row[2] is None else read(row[2]))


def _per_node(place: PlacedPoint) -> str:
    return " ".join(f"{node}:{number}" for node, number in place.per_node.items())


def _columns(scale: Scale) -> Columns:
    of_placements = [
        (each, [curve for curve in scale.curves if curve.placement == each.name])
        for each in scale.placements
    ]
    return Columns(
        about=["streamgage scale: GB/s of nominal bytes (10^9 bytes a second), medians"],
        notes=[_series(scale), f"low, high: {_bounds(scale)}; speedup over n = 1"],
        blocks=[_block(scale, each, curves) for each, curves in of_placements if curves],
    )


def _block(scale: Scale, placement: PlacedWorkers, curves: Sequence[Curve]) -> Block:
    """The block of a placement: the rates of all kernels, then the other values of each."""
    names = [f"{each.kernel}_{each.store}" for each in curves]
    parts = ("low", "high", "speedup", "efficiency")
    rows: list[list[float | None]] = []
    for n in _counts(scale, curves):
        points = [_at(each, n) for each in curves]
        rates = [None if point is None else point.gbps.value for point in points]
        rows.append([n, *rates, *(value for point in points for value in _values(point))])
    return Block(
        f"{placement.name}, {meaning_of(placement.way)}",
        ("nt", *names, *(f"{name}_{part}" for name in names for part in parts)),
        rows,
        width=6,
    )


def _values(point: ScalePoint | None) -> tuple[float | None, ...]:
    if point is None:
        return (None,) * 4
    ratios = (point.speedup, point.efficiency)
    return (point.gbps.low, point.gbps.high, *(None if e is None else e.value for e in ratios))


def _workers(scale: Scale) -> str:
    if scale.workers != "ranks":
        return "threads" if scale.workers == "threads" else "threads or MPI ranks"
    threads = scale.threads_per_worker
    return "MPI ranks" if threads == 1 else f"MPI ranks of {threads} threads"


def _caption(scale: Scale) -> str:
    how = f"streamgage scale ({count(scale.rounds, 'round')}, seed {scale.seed})"
    if scale.reported is not None:
        how = ", ".join(source_words(scale.reported, len(scale.runs)))
    return (
        f"{how}. GB/s of nominal bytes,"
        f" medians; bars {_bounds(scale)}. Ring: the fewest {scale.workers} with 90 % of the best."
    )


def _bandwidth(scale: Scale, curves: Sequence[Curve], of_all: Sequence[Curve]) -> Lines:
    """Plot the curves of one compiler.

    ``of_all``: the curves of all compilers, so that their plots share an axis.
    """
    name = f"{_name(curves[0])}{_built_by(scale, curves[0])}"
    rings = [
        Ring(curve.enough_n, point.gbps.value, _look(scale, curve))
        for curve in curves
        if (point := _at(curve, curve.enough_n)) is not None
    ]
    figures = [point.gbps for each in of_all for point in each.points]
    highest = max(each.value if each.high is None else each.high for each in figures)
    return Lines(
        title=f"{name}: bandwidth",
        about=f"Bandwidth of {name} in GB/s of nominal bytes over the number of {scale.workers},"
        " a curve for each placement, with intervals. Rings mark the fewest that reach 90 % of the"
        " best.",
        x=_axis(scale, curves),
        y=Axis(_RATES, from_zero=True, to=None if curves == of_all else 1.05 * highest),
        series=[_line(scale, each, lambda point: point.gbps, "GB/s") for each in curves],
        marks=rings,
        rings="90 % of the best",
    )


def _speedup(scale: Scale, curves: Sequence[Curve], of_all: Sequence[Curve]) -> Lines:
    name = f"{_name(curves[0])}{_built_by(scale, curves[0])}"
    known = [
        (point.n, point.speedup.value) for each in of_all for point in each.points if point.speedup
    ]
    most = max((n for n, _ in known), default=1)
    return Lines(
        title=f"{name}: speedup",
        panel=f"{name}: speedup and efficiency",
        about=f"Bandwidth of {name} over that of one of the {scale.workers} with the same"
        " placement; the dashed line is the ideal.",
        x=_axis(scale, curves),
        y=Axis("speedup", from_zero=True, to=1.1 * max([most, *(value for _, value in known)])),
        series=[_line(scale, each, lambda point: point.speedup, "times one") for each in curves]
        if known
        else [],
        marks=[Guide("ideal", ((1, 1), (most, most)))],
        caption="Speedup",
        shares=[_line(scale, each, lambda point: point.efficiency) for each in curves],
        nothing="n = 1 was not measured",
    )


def _axis(scale: Scale, curves: Sequence[Curve]) -> Axis:
    return Axis(_workers(scale), scale="counts", ticks=_counts(scale, curves), head="n")


def _look(scale: Scale, curve: Curve) -> int:
    """The look of a placement, the same in all plots and for loops of any compiler."""
    placement = _placement(scale, curve)
    known = dict.fromkeys((each.workers, each.way) for each in scale.placements)
    return [*known].index((placement.workers, placement.way))


def _line(scale: Scale, curve: Curve, read: Read, what: str = "") -> Series:
    """Make a line; a number of workers that could not be measured interrupts it."""
    points = {n: _at(curve, n) for n in _counts(scale, [curve])}
    figures = {n: None if point is None else read(point) for n, point in points.items()}
    name = _label(scale, curve)
    return Series(
        name=name,
        xs=list(figures),
        figures=list(figures.values()),
        texts=[
            f"{name}, n = {n}: {'none' if found is None else format_rate(found.value)} {what}"
            for n, found in figures.items()
        ],
        look=_look(scale, curve),
    )

"""The tables of bandwidths on a terminal.

Of our own runs kernels stand down and ways to store across; another benchmark has a row for each
kernel with its stores. A column goes before a digit does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from streamgage.results.measure.crossing import crossed, crossed_gbps, ordinary_of, verdict
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.time_given import not_measured_line
from streamgage.results.measure.words import modes
from streamgage.results.result import Result
from streamgage.show.page import CHANGE, RATE, SHARE, Cell, Column, Table, words
from streamgage.units import count, format_rate

NO_SAMPLE = "No timed sample was taken."
_ORDER = ("plain", "regular", "streaming", "claim", "libc")
_DROPPED_FIRST = ("libc", "claim", "regular", "streaming")
_DROPPED_LAST = ("plain", "streaming")
_NONE = "–"


@dataclass(frozen=True)
class _Way:
    """One way to run a kernel, with columns of its own; ``isa`` is empty where there is but one."""

    store: str
    isa: str
    tuned: bool

    @property
    def title(self) -> str:
        name = " ".join(part for part in (self.store, self.isa) if part)
        return f"{name} tuned" if self.tuned else name


_Cells = dict[tuple[str, _Way], KernelResult]


def rates_table(measured: Result[Measure]) -> Table[str]:
    """Median with its bounds and best of every kernel and way to run it.

    Next to a standard figure stands the tuned one, with the share that its shape gained where the
    run confirms that it did.
    """
    results = measured.document.kernels
    if not any(result.n for result in results):
        return Table((), (), empty=NO_SAMPLE, legend=True)
    several = measured.run.stores_of_several_isas()
    cells = {(result.kernel, _way(result, several)): result for result in results}
    ways = sorted({way for _, way in cells}, key=lambda way: _rank(way, results))
    return Table(_columns(ways, cells), _kernels(measured), foot=_foot(measured), legend=True)


def _kernels(measured: Result[Measure]) -> list[str]:
    """Kernels in the order of the catalogue."""
    names = {result.kernel for result in measured.document.kernels}
    known = [kernel for kernel in measured.run.kernels if kernel in names]
    return known + sorted(names.difference(known))


def _way(result: KernelResult, several: set[str]) -> _Way:
    isa = (result.isa or "") if result.store in several else ""
    return _Way(result.store, isa, result.tuned)


def _rank(way: _Way, results: Sequence[KernelResult]) -> tuple[int, str, int, bool]:
    isas = [result.isa for result in results]
    known = _ORDER.index(way.store) if way.store in _ORDER else len(_ORDER)
    return known, way.store, isas.index(way.isa) if way.isa in isas else 0, way.tuned


def _may_go(ways: Sequence[_Way]) -> tuple[dict[_Way, int], int]:
    """For each way but the last its place among the columns that go, and that of the traffic.

    The greatest goes first: kinds of store, then what crossed the bus, then streaming and plain
    stores.
    """
    left, order = list(ways), []

    def drop(way: _Way) -> None:
        left.remove(way)
        order.append(way)

    # Instruction sets were asked for, to be compared with each other.
    while (lesser := [e for e in left if e.store not in _DROPPED_LAST and not e.isa]) and len(
        left
    ) > 1:
        drop(_least(lesser))
    traffic = len(ways) - len(order)
    while len(left) > 1:
        drop(_least(left))
    before = {way: len(ways) - place for place, way in enumerate(order)}
    return {way: each if each > traffic else each - 1 for way, each in before.items()}, traffic


def _columns(ways: Sequence[_Way], cells: _Cells) -> list[Column[str]]:
    places, traffic = _may_go(ways)
    columns = [Column[str]("GB/s", Cell, left=True)]
    for way in ways:
        # To the right of its standard figure a tuned one needs no longer name.
        follows = way.tuned and replace(way, tuned=False) in ways
        may_go = places.get(way, 0)
        of = _of(way, cells)
        columns.append(
            Column(
                "tuned" if follows else way.title,
                of(_median, _NONE),
                may_go=may_go,
                long_title=way.title,
            )
        )
        if way.tuned and any(of_way == way and e.gained for (_, of_way), e in cells.items()):
            about = "of the tuned shape over the default one, pair by pair; --details"
            columns.append(Column("gain", of(_gain), may_go=may_go, about=about))
        columns.append(Column("best", of(_best), may_go=len(ways) + 1))
    return [*columns, *_traffic(cells, traffic)]


def _of(way: _Way, cells: _Cells) -> Callable[..., Callable[[str], Cell]]:
    """Makes of what a result shows what the row of its kernel shows."""

    def column(cell: Callable[[KernelResult], Cell], unknown: str = "") -> Callable[[str], Cell]:
        def shown(kernel: str) -> Cell:
            result = cells.get((kernel, way))
            return Cell(unknown) if result is None else cell(result)

        return shown

    return column


def _median(result: KernelResult) -> Cell:
    """``29.7 ±0.1``, ``10.1 to 18.2``; ``29.7 ±?`` of a single sample."""
    if result.median_gbps is None:
        return Cell("none")
    wrong = result.valid is False
    low, high = result.low_gbps, result.high_gbps
    if low is None or high is None:
        text = f"{format_rate(result.median_gbps)} ±?"
        return Cell(text, result.median_gbps, unit=RATE, wrong=wrong)
    return Cell("", result.median_gbps, low, high, RATE, wrong=wrong)


def _gain(result: KernelResult) -> Cell:
    return Cell("", result.gain if result.gained else None, unit=CHANGE)


def _best(result: KernelResult) -> Cell:
    return Cell("", result.best_gbps, unit=RATE, tone="quiet")


def _traffic(cells: _Cells, may_go: int) -> list[Column[str]]:
    """What the ordinary stores of each kernel made cross, and the greatest share of the peak.

    No column where none is known.
    """
    by_kernel: dict[str, list[KernelResult]] = {}
    for (kernel, _), each in cells.items():
        by_kernel.setdefault(kernel, []).append(each)
    ordinary = {kernel: ordinary_of(results) for kernel, results in by_kernel.items()}
    stores = {way.store for _, way in cells}
    texts = {k: _NONE if each is None else crossed(each) for k, each in ordinary.items()}
    shares = {
        kernel: max((e.peak_share for e in results if e.peak_share is not None), default=None)
        for kernel, results in by_kernel.items()
    }
    columns = []
    if any(each != _NONE for each in texts.values()):
        about = "plain stores, else regular ones" if len(stores) > 1 else ""
        columns.append(
            Column[str](
                "crossed the bus",
                lambda kernel: Cell(texts[kernel], tone="quiet"),
                left=True,
                may_go=may_go,
                about=about,
            )
        )
    if any(each is not None for each in shares.values()):
        columns.append(Column("of peak", lambda kernel: _share(shares[kernel]), may_go=may_go))
    return columns


def _least(ways: list[_Way]) -> _Way:
    """The way to run a kernel that is missed least."""
    stores = [way.store for way in ways]
    first = next((name for name in _DROPPED_FIRST if name in stores), stores[-1])
    return [way for way in ways if way.store == first][-1]


def _numbers(results: Sequence[KernelResult]) -> str:
    """``n = 24 each, 8 allocations``: samples, and the allocations that they come from."""
    measured = [result for result in results if result.n]
    samples = sorted({result.n for result in measured})
    n = f"{samples[0]} each" if len(samples) == 1 else f"{samples[0]} to {samples[-1]}"
    few = any(result.low_gbps is None for result in measured)
    epochs = sorted({result.epochs for result in measured})
    most = count(epochs[-1], "allocation")
    allocations = most if len(epochs) == 1 else f"{epochs[0]} to {most}"
    return f"n = {n}{' (too few for bounds)' if few else ''}, {allocations}"


def _foot(measured: Result[Measure]) -> list[str]:
    results = measured.document.kernels
    parts = [f"nominal bytes, median; ± or a to b: {bounds_of(results)}", _numbers(results)]
    if not any(result.tuned for result in results) and any(
        tuning.source in ("raced", "known") for tuning in measured.document.tunings
    ):
        parts.append("no other shape was quicker than the default one beyond doubt: --details")
    elif any(result.unconfirmed for result in results):
        parts.append("a tuned figure without a gain is not quicker beyond doubt: --details")
    if measured.document.not_measured:
        parts.append(not_measured_line(measured.document.not_measured))
    return parts


def bounds_of(results: Sequence[KernelResult]) -> str:
    """``its 95 % interval``, ``the range of 4 allocations`` or ``the range of 3 samples``.

    Where results differ, that of the fewest: their figures are the least sure ones.
    """
    few = [each for each in results if each.bounded_by == "range" and each.low_gbps is not None]
    if not few:
        return "its 95 % interval"
    least = min(few, key=lambda each: (each.epochs, each.n))
    what = count(least.epochs, "allocation") if least.epochs > 1 else count(least.n, "sample")
    sure = [each for each in results if each.bounded_by == "interval" and each.low_gbps is not None]
    return f"{'its 95 % interval, or ' if sure else ''}the range of {what}"


def reported_table(measured: Result[Measure]) -> Table[KernelResult]:
    """Nominal rates of another benchmark, what crossed the memory bus, and the evidence."""
    results = measured.document.kernels
    numbers = sorted({result.n for result in results})
    n = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    columns = _reported_columns(results)
    return Table(
        [e for e in columns if not e.may_go or any(words(e.cell(row)) for row in results)],
        results,
        foot=["GB/s of nominal bytes, as printed", f"n = {n} run{'' if n == '1' else 's'} each"],
        notes=[
            ("", f"{each.kernel}: the runs fall into two groups, {modes(each)}")
            for each in results
            if modes(each)
        ]
        + [
            ("", f"{each.kernel}: the runs differ too much for one median")
            for each in results
            if each.spread and not each.spread.of_one_state
        ],
        legend=True,
    )


def _reported_columns(results: Sequence[KernelResult]) -> list[Column[KernelResult]]:
    spread = any(result.spread for result in results)

    def of(name: str) -> Callable[[KernelResult], Cell]:
        return lambda each: Cell("", getattr(each.spread, name, None), unit=RATE, tone="quiet")

    def middle(each: KernelResult) -> Cell:
        if each.spread and not each.spread.of_one_state:
            return Cell("none", tone="doubtful")
        shown = each.spread.median_gbps if each.spread else each.median_gbps
        return Cell("", shown, unit=RATE, wrong=each.valid is False)

    columns = [
        Column[KernelResult]("kernel", lambda each: Cell(each.kernel), left=True),
        Column("stores", lambda each: Cell(each.store), left=True, may_go=1),
        Column("isa", lambda each: Cell(each.isa or ""), left=True, may_go=7),
    ]
    if len({result.threads for result in results}) > 1:
        columns.append(Column("threads", lambda each: Cell(str(each.threads), each.threads)))
    columns.append(Column("median" if spread else "GB/s", middle))
    if spread:
        columns += [
            Column("mean", of("mean_gbps"), may_go=6),
            Column("sd", of("deviation_gbps"), may_go=5),
            Column("min", of("minimum_gbps"), may_go=4),
            Column("max", of("maximum_gbps"), may_go=3),
        ]
    return [
        *columns,
        Column("crossed the bus", lambda each: Cell(crossed_gbps(each) or "?")),
        Column("of peak", lambda each: _share(each.peak_share), may_go=2),
        Column("write-allocate", lambda each: Cell(verdict(each)), left=True),
    ]


def _share(share: float | None) -> Cell:
    return Cell("", share, unit=SHARE, tone="quiet")

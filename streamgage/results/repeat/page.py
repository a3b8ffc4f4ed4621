"""The page of repeated runs: each kernel with each setting, and each run as a dot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from streamgage.analysis.statistics.intervals import FEWEST
from streamgage.analysis.statistics.spread import Spread
from streamgage.cpu_list import name_cpus
from streamgage.results.repeat.document import Repeat, RepeatedKernel, RepeatedRate, RepeatedRun
from streamgage.results.rounds import settings_of
from streamgage.show.page import (
    COUNT,
    DASH,
    RATE,
    Axis,
    Cell,
    Column,
    Data,
    Datum,
    Dots,
    Page,
    Strip,
    Table,
)
from streamgage.units import count, format_gbps, format_share, listed

_MOST_IN_A_ROW = 4


def page(repeat: Repeat) -> Page:
    """The page of a result of ``streamgage measure --runs``."""
    return Page(
        title="Repeated runs",
        machine=repeat.machine,
        lines=[_series(repeat)],
        tables=[_table(repeat)] if repeat.kernels else [],
        nothing="No run was finished.",
        settings=settings_of(
            f"{count(repeat.rounds, 'round')}, {_in_mixed_order(repeat)}",
            repeat.runs,
            *_placements(repeat),
        ),
        picture=f"Bandwidth of {count(_finished(repeat), 'fresh run')}, each a dot; the line is the"
        " median",
        caption=f"streamgage measure --runs: {count(repeat.rounds, 'round')},"
        f" {_in_mixed_order(repeat)}.",
        plots=[_plot(repeat)] if repeat.kernels else [],
        across=min(len(_kernels(repeat)), _MOST_IN_A_ROW),
        data=_data(repeat),
    )


def _in_mixed_order(repeat: Repeat) -> str:
    """Say what was mixed, and how to mix it so again."""
    names = ", ".join(each.name for each in repeat.settings)
    return f"{repeat.compared} {names} in mixed order (seed {repeat.seed})"


def _kernels(repeat: Repeat) -> list[str]:
    return list(dict.fromkeys(each.kernel for each in repeat.kernels))


def _finished(repeat: Repeat) -> int:
    return len([each for each in repeat.runs if each.failure is None])


def _series(repeat: Repeat) -> str:
    """Say what ran."""
    done, planned = _finished(repeat), repeat.rounds * len(repeat.settings)
    parts = [
        count(repeat.rounds, "round"),
        f"{done} of {count(planned, 'run')}" if done < planned else count(done, "run"),
        _in_mixed_order(repeat),
    ]
    return " · ".join(parts)


def _placements(repeat: Repeat) -> Iterator[tuple[str, str]]:
    for placement in dict.fromkeys(each.placement for each in repeat.settings):
        names = {each.name for each in repeat.settings if each.placement == placement}
        seen = Counter(each.cpus for each in repeat.runs if each.setting in names and each.cpus)
        yield f"Placement {placement}", _cpus(seen)


def _cpus(seen: Counter[str]) -> str:
    """The CPUs in words: ``CPUs 0-1``, or ``CPU 0 in 6 runs and CPUs 0-1 in 4 runs``."""
    if not seen:
        return "CPUs not known"
    if len(seen) == 1:
        return name_cpus(*seen)
    return listed([f"{name_cpus(at)} in {count(runs, 'run')}" for at, runs in seen.most_common()])


def _table(repeat: Repeat) -> Table[RepeatedKernel]:
    columns = [
        Column[RepeatedKernel](
            f"kernel, {repeat.compared}", lambda e: Cell(f"{e.kernel}, {e.setting}"), left=True
        ),
        Column("median", _rate(lambda spread: spread.median_gbps, single=True)),
        Column("n", lambda each: Cell("", len(each.rates), unit=COUNT), may_go=2),
        Column("mean", _rate(lambda spread: spread.mean_gbps), may_go=6),
        Column("sd", _rate(lambda spread: spread.deviation_gbps), may_go=5),
        Column("min", _rate(lambda spread: spread.minimum_gbps, single=True), may_go=4),
        Column("max", _rate(lambda spread: spread.maximum_gbps, single=True), may_go=3),
        Column("worst", _worst, may_go=1),
    ]
    foot = (
        "GB/s of nominal bytes, the median of each run's samples; n runs, each a new process."
        " worst: how far the worst run lies below the best."
    )
    if len(repeat.settings) > 1:
        few = any(e.ratio is not None and e.ratio.n < FEWEST for e in repeat.kernels)
        bounds = "range" if few else "95 %"
        columns.append(Column(f"over {repeat.baseline} [{bounds}]", _ratio))
        foot += f" over {repeat.baseline}: ratio of the rates, paired round by round."
    return Table(columns, repeat.kernels, caption="Bandwidth over fresh runs", foot=(foot,))


def _rate(
    read: Callable[[Spread], float], *, single: bool = False
) -> Callable[[RepeatedKernel], Cell]:
    """Make the cell of a figure of the spread.

    ``single``: whether a single run also has the figure.
    """

    def cell(each: RepeatedKernel) -> Cell:
        if each.spread is not None:
            return Cell("", read(each.spread), unit=RATE)
        return Cell("", each.rates[0].gbps, unit=RATE) if single else Cell(DASH)

    return cell


def _worst(each: RepeatedKernel) -> Cell:
    if each.spread is None:
        return Cell(DASH)
    share = each.spread.below_best
    return Cell(format_share(share), share)


def _ratio(each: RepeatedKernel) -> Cell:
    ratio = each.ratio
    if ratio is None:
        return Cell()
    return Cell(f"{ratio.value:.3f} [{ratio.low:.3f} to {ratio.high:.3f}]", ratio.value)


_Rate = tuple[RepeatedKernel, RepeatedRate, RepeatedRun]


def _data(repeat: Repeat) -> Data[_Rate]:
    runs = {(each.setting, each.round): each for each in repeat.runs}
    of_name = {each.name: each for each in repeat.settings}
    return Data(
        columns=[
            Datum("kernel", lambda each: each[0].kernel),
            Datum("placement", lambda each: of_name[each[0].setting].placement),
            Datum("pages", lambda each: of_name[each[0].setting].pages),
            Datum("round", lambda each: each[1].round),
            Datum("gbps", lambda each: each[1].gbps),
            Datum("threads", lambda each: each[2].threads),
            Datum("cpus", lambda each: each[2].cpus),
            Datum("samples", lambda each: each[2].samples),
            Datum("samples_sharing_a_cpu", lambda each: each[2].sharing),
            Datum("huge_share", lambda each: each[2].huge_share),
            Datum("bound", lambda each: each[2].bound),
        ],
        rows=[
            (kernel, rate, runs[kernel.setting, rate.round])
            for kernel in repeat.kernels
            for rate in kernel.rates
        ],
    )


def _plot(repeat: Repeat) -> Dots:
    """The plot with dots by setting, one kernel at a time."""
    kernels = _kernels(repeat)
    return Dots(
        title="Every run",
        about="The bandwidth of every fresh run as a dot, a column per setting, with the median"
        " as a line.",
        y=Axis("GB/s of nominal bytes", RATE),
        columns=[each.name for each in repeat.settings],
        panels={
            name: [_strip(each) for each in repeat.kernels if each.kernel == name]
            for name in kernels
        },
        table=_every_run(repeat),
        select="Kernel",
        first=next((i for i, name in enumerate(kernels) if name.startswith("triad")), 0),
    )


def _strip(kernel: RepeatedKernel) -> Strip:
    return Strip(
        column=kernel.setting,
        values=[each.gbps for each in kernel.rates],
        middle=kernel.spread.median_gbps if kernel.spread else kernel.rates[0].gbps,
        texts=[
            f"{kernel.setting}, round {each.round}: {format_gbps(each.gbps)}"
            for each in kernel.rates
        ],
    )


def _every_run(repeat: Repeat) -> Table[tuple[RepeatedKernel, RepeatedRate]]:
    return Table(
        columns=[
            Column("kernel", lambda each: Cell(each[0].kernel), left=True),
            Column(repeat.compared, lambda each: Cell(each[0].setting), left=True),
            Column("round", lambda each: Cell("", each[1].round, unit=COUNT)),
            Column("GB/s", lambda each: Cell("", each[1].gbps, unit=RATE)),
        ],
        rows=[(kernel, rate) for kernel in repeat.kernels for rate in kernel.rates],
        caption="Median GB/s of each run",
    )

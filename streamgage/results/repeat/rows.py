"""The rows of the table and of Markdown: a line a kernel and placement, as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamgage.results.repeat.document import RepeatedKernel, Repetition
from streamgage.units import format_rate, format_share

DASH = "-"


@dataclass(frozen=True)
class Column:
    """A column; ``may_go``: the greatest is left out first where there is no room, 0 never."""

    title: str
    cell: Callable[[RepeatedKernel], str]
    left: bool = False
    may_go: int = 0


def columns(answer: Repetition) -> list[Column]:
    """Kernel, placement, the figures over the runs, and the ratio over the baseline."""
    shown = [
        Column("kernel", lambda each: each.kernel, left=True),
        Column("placement", lambda each: each.placement, left=True),
        Column("n", lambda each: str(len(each.rates)), may_go=1),
        Column("median", _of("median_gbps")),
        Column("mean", _of("mean_gbps"), may_go=5),
        Column("sd", _of("deviation_gbps"), may_go=4),
        Column("min", _of("minimum_gbps"), may_go=3),
        Column("max", _of("maximum_gbps"), may_go=3),
        Column("worst", _worst, may_go=1),
    ]
    if len(answer.placements) > 1:
        shown.append(Column(f"over {answer.baseline} [95 %]", _ratio))
    return shown


def foot(answer: Repetition) -> str:
    """What the figures are."""
    text = (
        "GB/s of nominal bytes, the median of each run's samples; n runs, each a process of its"
        " own. worst: how far the worst run lies below the best."
    )
    if len(answer.placements) > 1:
        text += f" over {answer.baseline}: ratio of the rates, paired round by round."
    return text


def _of(name: str) -> Callable[[RepeatedKernel], str]:
    def cell(each: RepeatedKernel) -> str:
        if each.spread is not None:
            return format_rate(getattr(each.spread, name))
        single = name in ("median_gbps", "minimum_gbps", "maximum_gbps")
        return format_rate(each.rates[0].gbps) if single else DASH

    return cell


def _worst(each: RepeatedKernel) -> str:
    spread = each.spread
    return DASH if spread is None else format_share(1 - spread.minimum_gbps / spread.maximum_gbps)


def _ratio(each: RepeatedKernel) -> str:
    ratio = each.ratio
    return "" if ratio is None else f"{ratio.value:.3f} [{ratio.low:.3f} to {ratio.high:.3f}]"

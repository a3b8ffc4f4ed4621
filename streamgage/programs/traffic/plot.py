"""Draws memory traffic over time: stacked reads and writes, a panel per domain, and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamgage.results.latency.document import MIX_NAMES
from streamgage.results.traffic.document import CurveState, OnCurve, Rates, TrafficResult
from streamgage.results.traffic.words import STATES, heading, parts_of
from streamgage.show.picture import LIMIT, READ, TEXT, WRITTEN, new_figure, stamp, style
from streamgage.show.symbols import UNICODE
from streamgage.units import count, format_gbps, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 10.0
_PANEL = 2.3
_LEAST_HEIGHT = 4.2
_MOST_TITLE = 90
_HEADROOM = 1.12
_CURVE = 2
"""The height of the curve, in panels."""
_STATE_COLOURS: dict[CurveState, str] = {
    "free": "#5a5a5a",
    "slowed": WRITTEN,
    "bound": LIMIT,
    "beyond": LIMIT,
}


def draw(traffic: TrafficResult) -> Figure:
    """Draw the figure; if there are several domains, the first panel shows all together."""
    panels = _panels(traffic)
    rows = len(panels) + (_CURVE if traffic.curve is not None else 0)
    figure = new_figure(_WIDTH, max(_LEAST_HEIGHT, 1.1 + _PANEL * rows))
    parts = figure.add_gridspec(rows, 1)
    first = figure.add_subplot(parts[0])
    more = [figure.add_subplot(parts[row], sharex=first) for row in range(1, len(panels))]
    axes = [first, *more]
    for each in axes[:-1]:
        each.tick_params(labelbottom=False)
    if traffic.curve is not None:
        _curve(figure.add_subplot(parts[len(panels) :]), traffic.curve)
    volumes = {each.name: each.average for each in (*traffic.domains, traffic.whole)}
    for each, (name, rates, share) in zip(axes, panels, strict=True):
        _panel(each, traffic, rates)
        _limits(each, traffic, share)
        title = ": ".join([name, *(words for words, _ in parts_of(volumes[name]))])
        each.set_title(title, loc="left", fontsize=10, fontweight="bold", color=TEXT)
    axes[-1].set_xlabel("seconds", color=TEXT)
    axes[-1].set_xlim(0, max(traffic.seconds, 1e-9))
    doubt = _doubt(traffic)
    figure.suptitle(
        _title(traffic) + (f"\n{doubt}" if doubt else ""),
        fontsize=11,
        color=LIMIT if doubt else TEXT,
    )
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    if traffic.replayed:
        stamp(figure, "REPLAYED")
    return figure


def _panels(traffic: TrafficResult) -> list[tuple[str, list[Rates], float]]:
    """The name of each panel, its rates by interval, and its share of the machine's bandwidth."""
    number = len(traffic.domains)
    domains = [
        (domain.name, [each.domains[index] for each in traffic.intervals], 1 / number)
        for index, domain in enumerate(traffic.domains)
    ]
    if number == 1:
        return domains
    return [("together", [each.whole for each in traffic.intervals], 1.0), *domains]


def _title(traffic: TrafficResult) -> str:
    title = shortened(heading(traffic, UNICODE), _MOST_TITLE)
    return f"REPLAYED, not of this machine: {title}" if traffic.replayed else title


def _doubt(traffic: TrafficResult) -> str | None:
    """A warning below the title; ``None`` if the source is trusted."""
    if traffic.source_trust.refused:
        return "NOT BELIEVED: the source of these figures is known to be wrong"
    if traffic.source_trust.state == "not-calibrated":
        return "NOT CALIBRATED on this machine: run streamgage measure, which compares the source"
    return None


def _curve(axes: Axes, curve: OnCurve) -> None:
    """Draw the curves, and each interval as a dot on that of its mix, coloured by its state."""
    for number, each in enumerate(curve.lines):
        look = style(number)
        axes.plot(
            each.gbps,
            [1e9 * seconds for seconds in each.seconds],
            color=look.colour,
            marker=look.marker,
            markersize=3,
            linewidth=1.2,
            label=MIX_NAMES[each.mix],
        )
    for state, colour in _STATE_COLOURS.items():
        found = [e for e in curve.places if e.state == state and e.latency_low is not None]
        xs = [each.gbps or 0.0 for each in found]
        lows = [1e9 * (each.latency_low or 0.0) for each in found]
        highs = [1e9 * (each.latency_high or 0.0) for each in found]
        if not found:
            continue
        axes.vlines(xs, lows, highs, color=colour, linewidth=1.2, zorder=3)
        middles = [(low + high) / 2 for low, high in zip(lows, highs, strict=True)]
        name = f"{STATES[state]}: {count(len(found), 'interval')}"
        axes.plot(xs, middles, "o", color=colour, markersize=7, label=name, zorder=4)
    above = [each.gbps or 0.0 for each in curve.places if each.state == "beyond"]
    for gbps in above:
        axes.axvline(gbps, color=LIMIT, linewidth=0.7, linestyle=":")
    axes.set_title(f"on the curve of {curve.file}", loc="left", fontsize=10, fontweight="bold")
    axes.set_xlabel("GB/s that cross the bus", color=TEXT)
    axes.set_ylabel("latency of a load, ns", color=TEXT)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.tick_params(colors=TEXT, labelsize=9)
    axes.legend(loc="best", frameon=False, fontsize=8.5)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _panel(axes: Axes, traffic: TrafficResult, rates: list[Rates]) -> None:
    edges = [each.start for each in traffic.intervals]
    edges += [traffic.seconds] if edges else []
    total = _steps([each.total_gbps for each in rates])
    read = _steps([each.read_gbps for each in rates])
    apart = any(each.read_gbps is not None for each in rates)
    nothing = [0.0] * len(edges)
    if apart:
        _fill(axes, edges, (nothing, read), READ, "reads")
        _fill(axes, edges, (read, total), WRITTEN, "writes")
    else:
        _fill(axes, edges, (nothing, total), READ, "reads and writes")
    axes.step(edges, total, where="post", color=TEXT, linewidth=0.7)
    known = [each.total_gbps for each in rates if each.total_gbps is not None]
    axes.set_ylim(0, _HEADROOM * max([*known, 1e-9]))
    axes.set_ylabel("GB/s", color=TEXT)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=TEXT, labelsize=9)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _fill(
    axes: Axes, edges: list[float], between: tuple[list[float], list[float]], colour: str, what: str
) -> None:
    low, high = between
    axes.fill_between(edges, low, high, color=colour, label=what, step="post", linewidth=0)


def _steps(values: list[float | None]) -> list[float]:
    """The values, with the last one repeated for the right edge; a gap if one is unknown."""
    numbers = [float("nan") if value is None else value for value in values]
    return [*numbers, *numbers[-1:]]


def _limits(axes: Axes, traffic: TrafficResult, share: float) -> None:
    """Draw lines at the measured ceiling of the machine and at the theoretical peak.

    If a source counts by the requesting package, its panels have no lines: a package may request
    more than its own memory gives.
    """
    if traffic.by_asker and share < 1.0:
        return
    ceiling = traffic.ceiling.gbps if traffic.ceiling is not None else None
    equal = "" if share == 1.0 else "equal share of "
    for gbps, what, dash in (
        (ceiling, "achievable", "--"),
        (traffic.peak_gbps, "theoretical peak", ":"),
    ):
        if gbps is None:
            continue
        level = share * gbps
        axes.axhline(level, color=LIMIT, linestyle=dash, linewidth=1.2, label=what)
        axes.set_ylim(0, max(axes.get_ylim()[1], _HEADROOM * 1.08 * level))
        axes.annotate(
            f"{equal}{what}: {format_gbps(level)}",
            (0.995, level),
            xycoords=("axes fraction", "data"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="right",
            fontsize=8,
            color=LIMIT,
        )

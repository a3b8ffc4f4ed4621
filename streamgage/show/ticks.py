"""Keeps the labels of axes apart: leaves out numbers, and turns names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from streamgage.show.page import Scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.transforms import Bbox

_APART = 0.45
"""The least gap between two labels side by side, as a share of their height."""
_APART_UPRIGHT = 0.05
"""The least gap between two labels one above the other, as a share of their height."""
_TURNED = 35
"""The angle of turned names, in degrees."""


def part_ticks(axes: Axes, x: Scale, y: Scale) -> None:
    """Leave out numbers that touch each other, on the axes that are not linear.

    Requires: the figure has been laid out.
    """
    for axis, scale, across in ((axes.xaxis, x, True), (axes.yaxis, y, False)):
        if scale != "linear":
            _part(axis, scale, across=across)


def turn_names(panels: Sequence[Axes]) -> None:
    """Turn the names below all panels if those of any panel touch.

    Requires: the figure has been laid out.
    """
    if any(touching(_boxes(each.xaxis), across=True) for each in panels):
        for axes in panels:
            for label in axes.get_xticklabels():
                label.set(rotation=_TURNED, ha="right", rotation_mode="anchor")


def touching(boxes: Sequence[Bbox], *, across: bool) -> bool:
    """Return whether two neighbouring labels are too close to each other."""
    return any(_touch(one, other, across=across) for one, other in pairwise(boxes))


def _part(axis: Axis, scale: Scale, *, across: bool) -> None:
    low, high = sorted(axis.get_view_interval())
    shown = {
        float(place): label
        for place, label in zip(axis.get_majorticklocs(), axis.get_ticklabels(), strict=True)
        if low <= place <= high
    }
    for fewer in fewer_ticks(sorted(shown), scale):
        boxes = [shown[place].get_window_extent() for place in fewer]
        if not touching(boxes, across=across):
            if len(fewer) < len(shown):
                axis.set_ticks(fewer, [shown[place].get_text() for place in fewer])
            return


def fewer_ticks(ticks: Sequence[float], scale: Scale) -> Iterator[list[float]]:
    """Yield the ticks, then fewer and fewer of them, evenly spaced and at round numbers."""
    yield [*ticks]
    match scale:
        case "counts":
            for step in (2, 4, 5, 8, *(digit * 10**n for n in range(1, 7) for digit in (1, 2, 5))):
                yield [*ticks[:1], *(each for each in ticks[1:] if each % step == 0)]
        case "log":
            tens = [each for each in ticks if f"{each:e}".startswith("1.000000e")]
            yield from (tens[::step] for step in range(1, len(tens) + 1))
        case _:
            yield from (list(ticks[::step]) for step in range(2, len(ticks) + 1))
    yield [*ticks[:1]]


def _boxes(axis: Axis) -> list[Bbox]:
    return [label.get_window_extent() for label in axis.get_ticklabels()]


def _touch(first: Bbox, second: Bbox, *, across: bool) -> bool:
    if across:
        gap = max(first.x0, second.x0) - min(first.x1, second.x1)
        return bool(gap < _APART * min(first.height, second.height))
    gap = max(first.y0, second.y0) - min(first.y1, second.y1)
    return bool(gap < _APART_UPRIGHT * min(first.height, second.height))

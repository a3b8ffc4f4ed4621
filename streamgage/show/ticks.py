"""Keeps labels of axes apart: some numbers are left out, and names are turned."""

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
"""The least room between two labels side by side, as a share of their height."""
_APART_UPRIGHT = 0.05
"""The same distance for labels one above the other."""
_TURNED = 35
"""Degrees."""


def part_ticks(axes: Axes, x: Scale, y: Scale) -> None:
    """Leave out what touches another label, of axes that have their numbers from us.

    Requires: the figure has been laid out.
    """
    for axis, scale, across in ((axes.xaxis, x, True), (axes.yaxis, y, False)):
        if scale != "linear":
            _part(axis, scale, across=across)


def turn_names(panels: Sequence[Axes]) -> None:
    """Turn the names below all panels where those of any panel touch.

    Requires: the figure has been laid out.
    """
    if any(touching(_boxes(each.xaxis), across=True) for each in panels):
        for axes in panels:
            for label in axes.get_xticklabels():
                label.set(rotation=_TURNED, ha="right", rotation_mode="anchor")


def touching(boxes: Sequence[Bbox], *, across: bool) -> bool:
    """Return whether any two neighbouring labels have too little room between them."""
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
    """The ticks, and ever fewer of them: of the same distance, and at round numbers."""
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


def _touch(one: Bbox, other: Bbox, *, across: bool) -> bool:
    if across:
        gap = max(one.x0, other.x0) - min(one.x1, other.x1)
        return bool(gap < _APART * min(one.height, other.height))
    gap = max(one.y0, other.y0) - min(one.y1, other.y1)
    return bool(gap < _APART_UPRIGHT * min(one.height, other.height))

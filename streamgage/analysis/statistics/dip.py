"""Hartigan's dip: how far a sample is from every distribution with one mode.

J. A. Hartigan and P. M. Hartigan, The Dip Test of Unimodality, Annals of Statistics 13 (1985);
the algorithm is that of P. M. Hartigan, AS 217, Applied Statistics 34 (1985), with the convex
minorant and the concave majorant found once for all intervals.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise


def dip(ordered: Sequence[float]) -> float:
    """The dip of an ascending sample of n values, from 1/(2n) up to 1/4.

    The greatest distance between the empirical distribution and the unimodal distribution nearest
    to it. It does not change with shift or scale. A sample of equal values has the least dip, and
    so has an empty one (0).
    """
    n = len(ordered)
    if n == 0:
        return 0.0
    least = 1.0  # in units of 1/(2n) from here on
    if n < 4 or ordered[0] == ordered[-1]:
        return least / (2 * n)
    below = _minorant(ordered)
    above = _majorant(ordered)
    low, high, widest = 0, n - 1, least
    while True:
        convex = _walk(high, low, below)[::-1]
        concave = _walk(low, high, above)
        gap, new_low, new_high = _greatest_gap(ordered, convex, concave)
        if gap < widest:
            break
        left = _excess(ordered, [i for i in convex if i <= new_low], convex=True)
        right = _excess(ordered, [i for i in concave if i >= new_high], convex=False)
        widest = max(widest, left, right)
        if (new_low, new_high) == (low, high):
            break
        low, high = new_low, new_high
    return widest / (2 * n)


def _minorant(x: Sequence[float]) -> list[int]:
    """For each j, the vertex before j on the greatest convex minorant of the points 0..j."""
    before = [0] * len(x)
    for j in range(1, len(x)):
        k = j - 1
        while k > 0 and (x[j] - x[k]) * (k - before[k]) >= (x[k] - x[before[k]]) * (j - k):
            k = before[k]
        before[j] = k
    return before


def _majorant(x: Sequence[float]) -> list[int]:
    """For each k, the vertex after k on the least concave majorant of the points k..n-1."""
    last = len(x) - 1
    after = [last] * len(x)
    for k in range(last - 1, -1, -1):
        j = k + 1
        while j < last and (x[k] - x[j]) * (j - after[j]) >= (x[j] - x[after[j]]) * (k - j):
            j = after[j]
        after[k] = j
    return after


def _walk(start: int, stop: int, step: list[int]) -> list[int]:
    vertices = [start]
    while vertices[-1] != stop:
        following = step[vertices[-1]]
        vertices.append(max(following, stop) if stop < start else min(following, stop))
    return vertices


def _greatest_gap(
    x: Sequence[float], convex: list[int], concave: list[int]
) -> tuple[float, int, int]:
    """Greatest distance of majorant over minorant, and the modal interval where it lies.

    The distance is linear between vertices, so it is looked for at the vertices of both curves.
    """
    if len(convex) == 2 and len(concave) == 2:
        return 1.0, convex[0], concave[-1]
    greatest, low, high = 0.0, convex[0], concave[-1]
    for vertex in convex[1:]:
        at = _segment(concave, vertex)
        left, right = concave[at], concave[at + 1]
        gap = _on_line(x, left, right, x[vertex]) - vertex + 1
        if gap >= greatest:
            greatest, low, high = gap, vertex, right
    for vertex in concave[:-1]:
        at = _segment(convex, vertex)
        left, right = convex[at], convex[at + 1]
        gap = vertex - _on_line(x, left, right, x[vertex]) + 1
        if gap >= greatest:
            greatest, low, high = gap, left, vertex
    return greatest, low, high


def _segment(vertices: list[int], index: int) -> int:
    """Position of the segment of ascending ``vertices`` that holds ``index``."""
    return min(max(bisect_left(vertices, index) - 1, 0), len(vertices) - 2)


def _on_line(x: Sequence[float], left: int, right: int, at: float) -> float:
    """Height at ``at`` of the line through the points (x[left], left) and (x[right], right)."""
    width = x[right] - x[left]
    return left + (at - x[left]) * (right - left) / width if width > 0 else float(left)


def _excess(x: Sequence[float], vertices: list[int], *, convex: bool) -> float:
    """Greatest distance of the empirical steps from one curve, between its vertices."""
    greatest = 1.0
    for left, right in pairwise(vertices):
        if right - left < 2 or x[left] == x[right]:
            continue
        slope = (right - left) / (x[right] - x[left])
        for i in range(left, right + 1):
            height = (x[i] - x[left]) * slope
            distance = i - left + 1 - height if convex else height - (i - left - 1)
            greatest = max(greatest, distance)
    return greatest

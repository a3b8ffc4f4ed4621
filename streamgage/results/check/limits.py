"""The limits of a node: given ones, a baseline, its own past, published values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from streamgage.analysis.statistics.changes import clipped, sound_level
from streamgage.analysis.statistics.next_value import FEWEST, next_of, next_value
from streamgage.analysis.statistics.partition import noise_of
from streamgage.errors import UsageError
from streamgage.records import Machine
from streamgage.records.node import NodeLine
from streamgage.results.check.document import Check, CheckLimit, figure_of
from streamgage.results.fleet.baseline import Baseline
from streamgage.results.fleet.causes import Changed, OtherSetting
from streamgage.results.fleet.classes import noun_of, properties_of
from streamgage.units import count

if TYPE_CHECKING:  # a check that has its limits does not need it
    from streamgage.analysis.expected.match import Expectation

MOST_EARLIER = 20
_USUAL_SCALE = 0.01
"""The least scatter assumed between single runs on one node on different days, as in fleets."""


def of_expectation(line: NodeLine) -> list[CheckLimit]:
    """The limits of ``--expect``, as the engine understood them."""
    return [
        CheckLimit(
            kernel=each.kernel,
            source="given",
            expected_gbps=each.expected_gbps,
            limit_gbps=each.limit_gbps,
            why="given by --expect",
        )
        for each in line.expected
    ]


def of_baseline(
    baseline: Baseline, line: NodeLine, limit: float
) -> tuple[list[CheckLimit], list[OtherSetting]]:
    """The limits of the node's class, and the settings in which the node differs from it.

    ``limit``: the least loss that makes a node slow. Raises ``UsageError`` if the baseline is of
    other hardware, or was measured in another way.
    """
    known = baseline.comparable_class(properties_of(line))
    limits = [
        CheckLimit(
            kernel=each.kernel,
            source="baseline",
            expected_gbps=each.median_gbps,
            limit_gbps=each.median_gbps * (1 - limit),
            chance_gbps=next_of(each.median_gbps, each.scale, each.n).rare,
            why=f"{baseline.name}: {known.found.name}, median of"
            f" {count(each.n, noun_of(known.found.properties))}",
        )
        for each in known.found.figures
        if figure_of(line, each.kernel) is not None
    ]
    if not limits:
        names = ", ".join(each.kernel for each in known.found.figures)
        raise UsageError(
            f"{baseline.name} has none of the kernels measured here (it has {names or 'none'}):"
            " make it from a fleet run that includes triad."
        )
    return limits, known.settings


def of_history(
    earlier: Sequence[Check], line: NodeLine, limit: float
) -> tuple[list[CheckLimit], int]:
    """The limits by the node's own past, and how many earlier checks are like this one.

    ``earlier``: the newest first. Slow ones are left out, and the highest level that the node held
    counts, so that a node that has become slow does not become its own measure. Disturbed ones are
    left out, too.
    """
    comparable = [
        each
        for each in earlier
        if each.name == line.unit
        and each.verdict not in ("slow", "wrong")
        and each.last.disturbance is None
        and each.last.array_bytes == line.array_bytes
        and each.last.threads == line.threads
        and each.last.bound == line.bound
    ]
    unit = "node" if line.device is None else "device"
    limits = []
    for figure in line.figures:
        known = [
            (found.gbps, each.time)
            for each in comparable
            if (found := figure_of(each.last, figure.kernel)) is not None
        ]
        past, times = [gbps for gbps, _ in known], [time for _, time in known]
        if len(past) < FEWEST:
            continue
        logarithms = [log(each) for each in reversed(past)]
        noise = max(_USUAL_SCALE, noise_of(logarithms))
        level = sound_level(logarithms, noise)
        held = clipped(logarithms, noise)[level.first : level.end]
        following = next_value([exp(each) for each in held])
        if following is None:
            continue
        limits.append(
            CheckLimit(
                kernel=figure.kernel,
                source="history",
                expected_gbps=following.usual,
                limit_gbps=following.usual * (1 - limit),
                chance_gbps=following.rare,
                why=f"by {count(len(held), 'earlier check')} of this {unit} since"
                f" {times[-1 - level.first][:10]}",
            )
        )
    return limits, len(comparable)


def changed_since(earlier: Sequence[Check], line: NodeLine) -> list[Changed]:
    """What changed since the newest fine check."""
    fine = next((e for e in earlier if e.name == line.unit and e.verdict == "fine"), None)
    if fine is None:
        return []
    return list(_changes(properties_of(fine.last), properties_of(line)))


def _changes(before: Mapping[str, str | None], now: Mapping[str, str | None]) -> Iterator[Changed]:
    for name, value in now.items():
        was = before.get(name)
        if value is not None and was is not None and was != value:
            yield Changed(name=name, before=was, now=value)


def _published(machine: Machine, line: NodeLine, kernel: str, store: str) -> Expectation | None:
    from streamgage.analysis.expected.hardware import hardware_of_node
    from streamgage.analysis.expected.match import expected_of, expected_of_device
    from streamgage.analysis.peak.of_device import listed_device

    if line.device is not None:
        device = listed_device(line.device)
        return None if device is None else expected_of_device(device, kernel)
    hardware = hardware_of_node(machine, line.threads or 0)
    return None if hardware is None else expected_of(hardware, kernel, store)


def of_published(machine: Machine, line: NodeLine) -> list[CheckLimit]:
    """Published values for this hardware, with their sources.

    A value is only a limit if its source calls it a lower limit, and if it is certainly for the
    same hardware. Of devices none is.
    """
    limits = []
    for figure in line.figures:
        kernel, _, store = figure.kernel.partition(" ")
        found = _published(machine, line, kernel, store or "plain")
        if found is None:
            continue
        first = found.values[0]
        sure = first.bound == "at least" and not found.doubts and line.device is None
        doubts = "" if not found.doubts else f"; {found.doubts[0].words}"
        limits.append(
            CheckLimit(
                kernel=figure.kernel,
                source="expected",
                expected_gbps=first.low_gbps,
                limit_gbps=first.low_gbps * (1 - (first.tolerance or 0.0)) if sure else None,
                why=f"{first.bound}, {first.hardware}, {first.who}: {first.page}{doubts}",
            )
        )
    return limits

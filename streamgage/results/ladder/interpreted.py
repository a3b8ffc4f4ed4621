"""The bandwidth over the working set that another benchmark printed."""

from __future__ import annotations

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.interop.charts import SizeCurve, SizeCurves
from streamgage.interop.kernels import KERNELS
from streamgage.results.ladder.document import Ladder, LadderCurve, LadderPoint

_ELEMENT = 8
"""Bytes of an element of the kernels' formulas."""


def ladder_of(curves: SizeCurves) -> Ladder:
    """Each figure is a single one, and no level is known."""
    return Ladder(
        machine=None,
        threads=curves.threads,
        cpus=None,
        rounds=1,
        seed=None,
        levels=[],
        curves=[_curve(each) for each in curves.curves],
        runs=[],
        left_out=[],
        reported=curves.reported,
    )


def _curve(curve: SizeCurve) -> LadderCurve:
    facts = KERNELS[curve.kernel]
    return LadderCurve(
        mode="throughput",
        kernel=curve.kernel,
        store=curve.test,
        threads=curve.threads,
        flops_per_byte=facts.flops / (_ELEMENT * (facts.loads + facts.stores)),
        core_hertz=None,
        points=[
            LadderPoint(
                bytes=each.bytes,
                gbps=Estimate(value=each.gbps, low=None, high=None),
                rounds=1,
                samples=1,
            )
            for each in curve.points
        ],
        steps=[],
    )

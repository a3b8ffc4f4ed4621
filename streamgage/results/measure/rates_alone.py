"""The rates of a run without its judgement, which takes far longer: what a comparison goes by."""

from __future__ import annotations

from streamgage.analysis.user_facts import UserFacts
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.measure import KIND
from streamgage.results.measure.document import Measure
from streamgage.results.measure.variant_rates import rates_of, shown_variants
from streamgage.results.result import Result


def rates_alone(run: Run, given: UserFacts) -> Result[Measure]:
    """The rates of a run as ``judge_measure`` computes them, without findings or real traffic.

    Calls ``judge_measure`` itself for replayed traffic and for the output of another benchmark.
    """
    if run.reported is not None or _replayed(run):
        from streamgage.results.measure.judge import judge_measure  # loads every check

        return judge_measure(run, given)
    document = Measure(
        **common([run], series=False),
        device=run.device,
        kernels=[rates_of(run, each) for each in shown_variants(run)],
        counters=run.counters,
        calibration=run.calibration,
        tunings=run.shown_tunings(),
        findings=[],
    )
    return Result(KIND, document, run, user_facts=given, judged=False)


def _replayed(run: Run) -> bool:
    return any(each.replayed for records in run.traffic.values() for each in records)

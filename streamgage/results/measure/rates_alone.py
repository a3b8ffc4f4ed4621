"""The rates of a run without its judgement, which takes far longer: what a comparison goes by."""

from __future__ import annotations

from streamgage.analysis.user_facts import Given
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.measure.document import Result
from streamgage.results.measure.variant_rates import Answer, measured


def rates_alone(run: Run, given: Given) -> Answer:
    """The answer with its rates as ``answer`` gives them, and with no finding.

    Nothing is said of what crossed the bus, but where that was played back from a recording: then
    the whole answer is given, and so it is of another benchmark's output.
    """
    if run.reported is not None or _replayed(run):
        from streamgage.results.measure.judge import answer  # loads every check

        return answer(run, given)
    shown = tuple(measured(run, variant) for variant in run.shown())
    result = Result(
        **common([run], series=False),
        kernels=[each.result for each in shown],
        counters=run.counters,
        calibration=run.calibration,
        tunings=run.shown_tunings(),
        findings=[],
        quote=None,
    )
    return Answer(run, result, shown, (), given)


def _replayed(run: Run) -> bool:
    return any(each.replayed for records in run.traffic.values() for each in records)

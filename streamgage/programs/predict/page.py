"""Makes the page of a prediction: the machine, the measurement, and the conclusions."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.conclusion import supports
from streamgage.programs.predict.document import Prediction
from streamgage.results.scale.document import workers_of
from streamgage.show.page import Data, Datum, Page, Words, bounded, with_column
from streamgage.units import count, format_gbps, format_rate


def page_of(answer: Prediction) -> Page:
    """Make the page, which has sentences and one row of data."""
    title = f"What {workers_of(answer.n, answer.workers)} gain{'s' if answer.n == 1 else ''}"
    return Page(
        title,
        answer.machine,
        headline=f"{title}: {answer.speedup.value:.2f} times one"
        if supports(answer.trust)
        else title,
        trust=answer.trust,
        lines=[_measured(answer)],
        body=[Words(answer.sentences), *_findings(answer)],
        data=with_column(_data_of(answer), "trust", answer.trust.verdict),
    )


def _findings(answer: Prediction) -> Iterator[Words]:
    if answer.findings:
        sentences = [f"{each.code}: {each.text}" for each in answer.findings]
        yield Words(sentences, mark="warning")


def _measured(answer: Prediction) -> str:
    rate = f"{format_gbps(answer.gbps.value)} with {answer.n}"
    bounds = answer.gbps
    if bounds.low is not None and bounds.high is not None:
        rate += f" ({format_rate(bounds.low)} to {format_rate(bounds.high)})"
    machine = answer.machine
    return " · ".join(
        [
            *([f"{machine.host}, {machine.time[:10]}"] if machine is not None else []),
            f"by {answer.kernel} {answer.store} with {answer.workers}, {answer.placement}",
            count(answer.rounds, "round"),
            rate,
        ]
    )


def _data_of(prediction: Prediction) -> Data[Prediction]:
    """Return the row of data; rates are in GB/s."""
    return Data(
        columns=[
            Datum("n", lambda each: each.n),
            Datum("workers", lambda each: each.workers),
            Datum("placement", lambda each: each.placement),
            Datum("kernel", lambda each: each.kernel),
            Datum("store", lambda each: each.store),
            *bounded("gbps", lambda each: each.gbps),
            *bounded("speedup", lambda each: each.speedup),
            *bounded("efficiency", lambda each: each.efficiency),
            Datum("rounds", lambda each: each.rounds),
            Datum("interpolated", lambda each: int(each.between is not None)),
            Datum("worth_n", lambda each: each.worth_n),
        ],
        rows=[prediction],
    )

"""A prediction as data: one row."""

from __future__ import annotations

from streamgage.show.page import Data, Datum, bounded
from streamgage.tools.predict.document import Prediction


def data_of(prediction: Prediction) -> Data[Prediction]:
    """Rates are GB/s."""
    return Data(
        columns=[
            Datum("n", lambda each: each.n),
            Datum("workers", lambda each: each.workers),
            Datum("binding", lambda each: each.binding),
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

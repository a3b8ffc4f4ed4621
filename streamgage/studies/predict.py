"""Predict: what was measured by ``streamgage scale``, for a program that memory limits."""

from __future__ import annotations

from pathlib import Path

import msgspec

from streamgage.analysis.predicted import predicted
from streamgage.errors import UsageError
from streamgage.prediction import Prediction
from streamgage.runs import newest_answer, runs_folder
from streamgage.scaling import Scaling
from streamgage.studies.scale import KIND

_MOST_BYTES = 256 << 20


def stored_scaling(file: Path | None) -> Scaling:
    """The scaling of a document that ``scale --format json`` printed; null: the newest kept one.

    Raises ``UsageError`` where it cannot be read.
    """
    path = newest_answer(runs_folder(), KIND) if file is None else file
    try:
        with path.open("rb") as document:
            content = document.read(_MOST_BYTES)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        return msgspec.json.decode(content, type=Scaling)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            f"{path} is no result of `streamgage scale --format json`: name one, or leave the name"
            " out to take the newest of this machine."
        ) from error


def predict(
    file: Path | None, n: int, *, binding: str | None = None, kernel: str | None = None
) -> Prediction:
    """The prediction for ``n`` workers. Raises ``UsageError`` where there is none."""
    return predicted(stored_scaling(file), n, binding=binding, kernel=kernel)

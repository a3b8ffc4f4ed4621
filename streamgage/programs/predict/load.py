"""Applies a result of ``streamgage scale`` to a memory-bound program."""

from __future__ import annotations

from typing import Any

from streamgage.advice import command_name
from streamgage.errors import UsageError
from streamgage.programs.predict.document import Prediction
from streamgage.programs.predict.judge import predicted
from streamgage.results.result import Result
from streamgage.results.scale.document import Scale


def scaling_of(loaded: Result[Any]) -> Scale:
    """Return the loaded scaling. Raises ``UsageError`` if it is another kind of result."""
    if not isinstance(loaded.document, Scale):
        raise UsageError(
            f"{loaded.name} is a result of {loaded.kind.name}, not of {command_name('scale')}: name"
            " one,"
            " or leave the name out to take the newest."
        )
    return loaded.document


def predict(
    scaling: Scale, n: int, *, binding: str | None = None, kernel: str | None = None
) -> Prediction:
    """Predict for ``n`` workers. Raises ``UsageError`` if the scaling lacks the points for it."""
    return predicted(scaling, n, binding=binding, kernel=kernel)

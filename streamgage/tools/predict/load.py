"""Predict: applies a result of ``streamgage scale`` to a program that memory limits."""

from __future__ import annotations

import socket

from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.results.scale.document import Scale
from streamgage.results.scale.experiment import KIND
from streamgage.store import Filter
from streamgage.store.load import Loaded, load_stored
from streamgage.store.open import open_memory
from streamgage.tools.predict.document import Prediction
from streamgage.tools.predict.judge import predicted


def newest_scaling(store: StorePlace | None, note: Note) -> Loaded:
    """The newest stored scaling of this machine, or of another machine if this one has none.

    Raises ``UsageError`` if none is stored.
    """
    with open_memory(store, note) as memory:
        found = [each for each in memory.entries(note, Filter(kind=KIND)) if each.rates]
        here = (each for each in found if each.host == socket.gethostname())
        newest = next(here, next(iter(found), None))
        if newest is None:
            raise UsageError(
                f"No result of `streamgage scale` is kept in {memory.place}: run it first, or"
                " name a file of its --format json."
            )
        return load_stored(memory, newest.id, note)


def scaling_of(loaded: Loaded) -> Scale:
    """The scaling that was loaded. Raises ``UsageError`` if it is another kind of result."""
    if not isinstance(loaded.document, Scale):
        raise UsageError(
            f"{loaded.name} is a result of {loaded.kind}, not of `streamgage scale`: name one, or"
            " leave the name out to take the newest."
        )
    return loaded.document


def predict(
    scaling: Scale, n: int, *, binding: str | None = None, kernel: str | None = None
) -> Prediction:
    """The prediction for ``n`` workers. Raises ``UsageError`` where there is none."""
    return predicted(scaling, n, binding=binding, kernel=kernel)

"""Where the library is that is preloaded into programs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from streamgage.errors import StreamgageError

LIBRARY = "libstreamgage-pin.so"


def find_library(engine: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """The library: ``STREAMGAGE_PIN_LIBRARY``, else the first that is found.

    Beside the engine, in ``lib`` next to the engine's folder, or in this package. Raises
    ``StreamgageError`` where there is none, or where its path cannot stand in ``LD_PRELOAD``.
    """
    named = environment.get("STREAMGAGE_PIN_LIBRARY")
    engine = engine.resolve()
    places = [
        engine.parent / LIBRARY,
        engine.parent.parent / "lib" / LIBRARY,
        Path(__file__).resolve().parents[2] / LIBRARY,
    ]
    for place in [Path(named)] if named else places:
        if place.is_file():
            return _fit_to_preload(place.resolve())
    if named:
        raise StreamgageError(
            f"STREAMGAGE_PIN_LIBRARY names {named}, which is no file: correct it, or unset it to"
            f" use the installed {LIBRARY}."
        )
    raise StreamgageError(
        f"{LIBRARY} was found neither beside {engine} nor in lib/ nor in the Python package:"
        " install streamgage anew, or name the library in STREAMGAGE_PIN_LIBRARY."
    )


def _fit_to_preload(path: Path) -> Path:
    if any(sign in str(path) for sign in " :"):
        raise StreamgageError(
            f"{path} has a space or a colon in its path, so that it cannot be preloaded: copy it"
            " elsewhere and name that in STREAMGAGE_PIN_LIBRARY."
        )
    return path

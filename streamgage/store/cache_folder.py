"""Where what can be made again is kept: ``$XDG_CACHE_HOME/streamgage``, as XDG asks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder, which may not be there yet; null where this user has no home and names none."""
    cache = environment.get("XDG_CACHE_HOME", "")
    try:
        base = Path(cache) if Path(cache).is_absolute() else Path("~/.cache").expanduser()
    except RuntimeError:
        return None
    return base / "streamgage"

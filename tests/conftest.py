"""No test reads or writes what belongs to the user who runs it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _folders_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """State and cache in a temporary folder, for whatever a test calls or starts without saying."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

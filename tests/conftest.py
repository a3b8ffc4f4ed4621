"""No test reads or writes what belongs to the user who runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test times anything: machines are shared, and an example may take long for no fault of its own.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")


@pytest.fixture(autouse=True)
def _folders_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """State and cache in a temporary folder, for whatever a test calls or starts without saying."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

from __future__ import annotations

from pathlib import Path

import pytest
from programs import real_engine


@pytest.fixture(scope="session")
def engine() -> Path:
    """The real engine; without one these tests fail, they are never skipped."""
    return real_engine()

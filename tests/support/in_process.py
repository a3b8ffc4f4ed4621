"""Lets a test's own process measure, with its engine, store, state and lock in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import real_engine
from short_engine import write_engine

FEW = {"size": "4MiB", "kernels": ["copy", "triad"], "stores": "plain", "no_tune": True}
"""Options of ``measure`` by which a run takes a second."""


def measure_in(folder: Path, monkeypatch: pytest.MonkeyPatch, engine: Path | None = None) -> None:
    """Let the process measure by ``engine``, or by the real one with few samples."""
    tools = folder / "bin"
    tools.mkdir()
    chosen = engine or write_engine(real_engine(), tools)
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(chosen))
    monkeypatch.setenv("STREAMGAGE_LOCK", "none")
    monkeypatch.delenv("STREAMGAGE_STORE", raising=False)
    for name in ("STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))

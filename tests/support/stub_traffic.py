"""Writes a program that stands in for an engine that watches memory traffic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from example_records import as_lines
from example_traffic import COUNTERS
from programs import misbehaving_engine

from streamgage.records import Counters, Interval


def traffic_engine(
    folder: Path, intervals: Sequence[Interval], *, counters: Counters = COUNTERS, after: str = ""
) -> Path:
    """Write a program that stands in for an engine; at SIGTERM it prints ``intervals`` and ends.

    ``after`` is shell, run in place of waiting for that.
    """
    first, rest = folder / "first", folder / "rest"
    first.write_bytes(as_lines([counters]))
    rest.write_bytes(as_lines(intervals))
    wait = f"trap 'cat {rest}; exit 0' TERM\ncat {first}\nwhile :; do sleep 0.05; done"
    return misbehaving_engine(folder, f"cat {first}\n{after}" if after else wait)

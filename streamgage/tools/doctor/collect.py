"""Doctor: whether this environment is fit to measure, and what to change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from streamgage.process.engine import ask, describe_machine, find_engine
from streamgage.records import Activity, Binding, Counters
from streamgage.tools.doctor.checks import RunningProgram, Surroundings, examine, examine_counters
from streamgage.tools.doctor.document import DoctorResult

_WATCHED_SECONDS = 1
"""A hundred ticks of the kernel's on each CPU."""


def examine_environment(proc: Path = Path("/proc")) -> DoctorResult:
    """All checks. The engine looks and measures; ``proc`` is where programs are listed.

    Raises ``EngineError`` where the engine is missing or fails.
    """
    engine = find_engine()
    machine = describe_machine(engine)
    activity = ask(engine, ["--activity", str(_WATCHED_SECONDS)], Activity)
    programs = tuple(running_programs(proc))
    return examine(
        Surroundings(
            machine=machine,
            binding=ask(engine, ["--binding"], Binding),
            activity=activity,
            counters=ask(engine, ["--counters"], Counters),
            programs=programs,
            variables=dict(os.environ),
        )
    )


def look_for_counters() -> DoctorResult:
    """The sources of memory traffic alone. Raises as ``examine_environment``."""
    return examine_counters(ask(find_engine(), ["--counters"], Counters))


def running_programs(proc: Path) -> Iterator[RunningProgram]:
    """Every other program under ``proc``; what ended meanwhile is left out."""
    for folder in proc.glob("[0-9]*"):
        if folder.name == str(os.getpid()):
            continue
        try:
            first, _, _ = (folder / "cmdline").read_bytes().partition(b"\0")
        except OSError:
            continue
        if first:  # threads of the kernel, and what has ended, have none
            name = first.decode("utf-8", "replace").rpartition("/")[2]
            yield RunningProgram(int(folder.name), name)

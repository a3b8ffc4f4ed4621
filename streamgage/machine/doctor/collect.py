"""Collects the data about this environment, and has it checked."""

from __future__ import annotations

import os
from pathlib import Path

from streamgage.machine.doctor.checks import Surroundings, examine, examine_counters
from streamgage.machine.doctor.document import DoctorResult
from streamgage.process.engine import ask, find_engine
from streamgage.process.other_programs import PROC, running_programs, watch_programs
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Binding, Counters


def examine_environment(proc: Path = PROC) -> DoctorResult:
    """Make all checks.

    Raises ``EngineError`` if the engine is missing or fails, ``UsageError`` if HWLOC_* describe
    another machine.
    """
    engine = find_engine()
    machine = describe_this_machine()
    seen = watch_programs(engine, proc)
    programs = tuple(running_programs(proc))
    return examine(
        Surroundings(
            machine=machine,
            binding=ask(engine, ["--binding"], Binding),
            activity=seen.activity,
            counters=ask(engine, ["--counters"], Counters),
            programs=programs,
            variables=dict(os.environ),
            busy=(*seen.programs, *seen.engines),
        )
    )


def look_for_counters() -> DoctorResult:
    """Look only for sources of memory traffic. Raises what ``examine_environment`` raises."""
    return examine_counters(ask(find_engine(), ["--counters"], Counters))

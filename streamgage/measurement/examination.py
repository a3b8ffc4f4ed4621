"""Examines a node: each NUMA domain and core by itself, the latency of memory, and the doctor."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from streamgage.errors import StreamgageError
from streamgage.machine.doctor.collect import examine_environment
from streamgage.process.engine import ask
from streamgage.process.node_check import NotMeasuredError, ask_node
from streamgage.records import IdleLatency
from streamgage.records.reader import Note

_PARTS = ("--examine", "--seconds", "1", "--kernels", "triad", "--stores", "plain")
_MOST_SECONDS_OF_PARTS = 300.0
_MOST_SECONDS_OF_LATENCY = 60.0


@dataclass
class Examination:
    """The results of an examination; rates are GB/s of triad."""

    domains: list[tuple[str, float]] = field(default_factory=list)
    """The rate of each domain by its name; domains that something disturbed are left out."""
    cores: list[tuple[str, float]] = field(default_factory=list)
    latency_seconds: float | None = None
    spoiling: list[str] = field(default_factory=list)
    """The doctor's findings that spoil measurements."""


def examine(engine: Path, note: Note) -> Examination:
    """Examine the node; ``note`` gets a sentence for each part that is left out."""
    found = Examination()
    try:
        line = ask_node(engine, _PARTS, _MOST_SECONDS_OF_PARTS, note)
        found.domains = [(f"NUMA domain {each.number}", each.gbps) for each in line.domains]
        found.cores = [(f"core {each.number}", each.gbps) for each in line.cores]
    except NotMeasuredError as error:
        note(f"NUMA domains and cores were not measured separately: {error}")
    try:
        found.latency_seconds = ask(
            engine,
            ["--latency", "--no-wait"],
            IdleLatency,
            most_seconds=_MOST_SECONDS_OF_LATENCY,
        ).seconds
    except StreamgageError as error:
        note(f"The latency of memory was not measured: {error}")
    try:
        checks = examine_environment().checks
        found.spoiling = [each.seen for each in checks if each.state == "spoils"]
    except StreamgageError as error:
        note(f"The doctor could not check this node: {error}")
    return found
